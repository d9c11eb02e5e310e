"""The rules, with positions of a game that was played for them."""
