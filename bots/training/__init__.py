"""Learning what positions are worth: games of bots against themselves, a fit, games with what was learned, and so on.

Needs numpy (extra `training`); playing with what was learned does not.
"""
