"""The rules of the game: rulesets, records, chance. Pure: standard library only, no clock, no I/O, no `random`."""
