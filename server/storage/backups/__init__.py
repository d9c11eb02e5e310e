"""Copies of the whole database, and the way back: an SQLite file, a dump of PostgreSQL, its state at a past moment.

Nothing here knows of games: what a restored database means for mail and clocks, the service says.
"""
