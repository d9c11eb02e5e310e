"""Mails on their way: the rows of `mail`, until each is sent or given up, and who wants none."""
