"""What requests may hold, strictly, and what answers do hold, by topic; `tests/api` holds answers to their schemas."""
