"""What callers are shown of games without a page around it: one game, lists of games, a position, the own corner.

Here live reading transactions. Nothing here may change a game.
"""
