"""What all routes share: reading requests, answers, errors, who asks, caches, limits, streams.

Here lives HTTP and nothing of the game. Nothing here may import an endpoint or a page.
"""
