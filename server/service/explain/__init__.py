"""What the game says of itself to one reader: words, why not, what a move brings, what happened, what it is worth.

Here live sentences, computed from what the reader may see. Nothing here may store anything or know of pages.
"""
