"""What all routes share: requests, answers, problems, callers, caches, long polls, streams. Not the game."""
