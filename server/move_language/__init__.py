"""Moves as people write them in mails, in every language at once: read strictly, never guessed.

`grammar.parse` makes a `Program` of a person's own lines, or says which line it cannot read. What a line of it may mean
its `Phrase` tells, against the legal moves of a position; whoever plays it plays what means exactly one of them.
"""
