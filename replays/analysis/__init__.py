"""What luck and what skill made of a finished game, from its record alone and without hindsight (docs/analysis.md)."""
