"""The board as a picture, drawn from a view (record.md §4): SVG, PNG, HTML tables and text.

Pure functions of view JSON. Imports the rule tables and the catalogues, nothing else of the project; `png` needs the
extra `pictures`.
"""
