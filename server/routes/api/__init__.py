"""The HTTP API: endpoints of some five lines (parse, call the service, answer), their schemas, its own description."""
