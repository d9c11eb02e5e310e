"""Before the first move: making a game, inviting, taking a seat and leaving it, playing again, playing as a guest.

Here lives how a game comes to its players. What happens after its start may not.
"""
