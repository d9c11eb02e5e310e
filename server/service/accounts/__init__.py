"""Whose account it is: players, tokens, sessions, links in mails, confirming an address. Nothing of games."""
