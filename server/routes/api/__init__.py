"""The HTTP API: its endpoints, their schemas, its own description.

Here live views of some five lines: parse, call the service, answer. Rules and SQL may not.
"""
