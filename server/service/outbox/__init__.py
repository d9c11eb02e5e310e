"""Mails on their way: writing one into the outbox, and what becomes of it until a mail is sent or given up.

Here live the rows of `mail` and who wants none. What a mail says, and whom a game concerns, may not: see `table` and
`server/notify`.
"""
