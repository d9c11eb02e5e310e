"""The first page, making a game, taking a seat, invitations."""
