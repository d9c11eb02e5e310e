"""What somebody takes along and what is taken away: personal export, deletion, games that nobody played."""
