"""Whose account it is: players, tokens, sessions, links in mails, confirming an address.

Here lives what somebody may show to be let in. Games may not: what an account does at a table is in the rooms above.
"""
