"""Signing in, the own account, tokens and own data, mails one does not want, language and colours."""
