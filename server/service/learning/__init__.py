"""The guided first game: its deal, its lessons, and the coach who says what to do and why.

Here lives what is computed from an address and the rules alone. Nothing here may read or write the database.
"""
