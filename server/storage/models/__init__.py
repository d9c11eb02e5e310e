"""The tables, each topic in a module. The move log is the truth; `Snapshot` is a cache that may be deleted at any time.

Two conventions make SQLite and PostgreSQL alike:

- Times are text in UTC, `2026-11-21T09:30:00Z`: fixed width, so they sort by time, and answers show them as they are.
- Structured values are canonical JSON in text columns; the database never looks inside.
"""
