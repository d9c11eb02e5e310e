"""Signing in, the own account, mails one does not want."""
