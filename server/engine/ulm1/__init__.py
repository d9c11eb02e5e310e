"""The rules of `ulm/1` (docs/rules.md): state, moves, views, words.

Stored games rest on it: what it means never changes.
"""
