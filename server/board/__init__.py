"""The board as a picture, drawn from a view (record.md §4): SVG, PNG, HTML tables and text.

Pure functions of view JSON. Imports the standard library, `orjson` and the rule tables, nothing else of the project;
`png`, `palette_png` and `sprites` need the extra `pictures`.
"""
