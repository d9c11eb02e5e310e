"""What somebody takes along and what is taken away: personal export, deletion, games that nobody played.

Here live transactions that end things. What goes on afterwards may not.
"""
