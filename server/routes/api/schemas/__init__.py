"""What requests may hold and answers do hold, by topic.

Schemas of requests are read by the parser and refuse what they do not name. Schemas of answers describe: the service
returns data that is in shape already, and `tests/api` holds every answer to its schema.
"""
