"""The service layer: one module for each kind of transaction (docs/architecture.md)."""
