"""Acts of the operator on games and accounts, each in the audit log; none shows a hand, a seed or a token."""
