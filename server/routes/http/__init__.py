"""What all routes share: reading requests, answers, problems, who is calling, caches, long polls, streams.

Here lives HTTP and nothing of the game. Nothing here may import an endpoint or a page.
"""
