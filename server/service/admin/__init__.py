"""Acts of the operator on games and accounts, each with its line in the audit log; none shows a hand, a seed or a
token."""
