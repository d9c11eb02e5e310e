"""What many play at once: the deal of the day, its field, and games beside each other."""
