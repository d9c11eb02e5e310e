"""The page of whoever runs the server."""
