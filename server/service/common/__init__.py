"""What every room of the service needs, and no account or game: checks, refusals, limits, names, caches."""
