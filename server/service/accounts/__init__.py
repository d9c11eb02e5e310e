"""Whose account it is: players, tokens, sessions, links in mails, confirming an address. Of games nothing is known
here."""
