"""Whom no mail reaches who makes a game or invites to one: to be told there, since their turns will wait unseen."""

from __future__ import annotations

from server.service.accounts.players import Player

STRANGER, GUEST, UNCONFIRMED, STOPPED = "stranger", "guest", "unconfirmed", "stopped"


def why(player: Player | None) -> str | None:
    """Why no mail reaches somebody (None: a stranger, who is to become a guest), as one of the words above; None for
    one whom it reaches."""
    if player is None:
        return STRANGER
    if player.is_guest:
        return GUEST
    if player.mail_stopped_at is not None:
        return STOPPED
    return UNCONFIRMED if player.email_confirmed_at is None else None
