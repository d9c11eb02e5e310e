"""Puzzles: one of each day, to be solved move by move, and the days before."""
