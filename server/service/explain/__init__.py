"""What the game says of itself to one reader, in sentences: words, why not, what a move brings, what happened."""
