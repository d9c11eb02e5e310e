"""The page of a game, by a session or by the link of a mail, and what stands beside its board."""
