"""Something to play for: deals that many play, the deal of the day, tournaments."""
