"""The board as a picture, drawn from a view (record.md §4): SVG, PNG, HTML tables and text. Pure functions."""
