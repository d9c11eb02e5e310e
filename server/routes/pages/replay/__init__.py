"""The lists of replays, the viewer, downloads."""
