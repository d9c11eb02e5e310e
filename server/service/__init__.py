"""What people and programs can do: each thing one transaction, in rooms that import downward (docs/architecture.md)."""
