"""What callers are shown of games, in reading transactions: one game, lists of games, a position, the own corner."""
