"""Whole game records: read, step, seek, check."""
