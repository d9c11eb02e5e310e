"""Before the first move: making a game, inviting, taking a seat and leaving it, playing again, playing as a guest."""
