"""Measuring, no judging: `python -m benchmarks [names]` (see README.md)."""
