"""Ulm by mail: a turn server for the rules of the board game Ulm (docs/architecture.md)."""
