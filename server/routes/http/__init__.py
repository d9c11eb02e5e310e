"""What all routes share: requests, answers, problems, who is calling, caches, long polls, streams. Nothing of the
game."""
