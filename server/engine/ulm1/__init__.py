"""The rules of `ulm/1` (docs/rules.md), on which stored games rest: what they mean never changes."""
