"""Who is calling: a token, a session, or nothing but a network."""

from __future__ import annotations

from flask import request

from server.routes.http import bearer_auth, browser_session
from server.routes.http.answers import is_api_path
from server.routes.http.context import asked
from server.service.common import networks

FILES = {"pages.static", "api-docs.asset", None}
"""Endpoints for which nobody is looked up: files, and addresses at which there is nothing."""


def caller() -> str:
    """A name for who asks: a player, or for strangers their network."""
    player = known_player()
    return f"player {player}" if player is not None else f"network {networks.counted(request.remote_addr or '')[-1][0]}"


def shared_network() -> str | None:
    """Whose callers share places: the widest network that a request comes from; None on this machine."""
    network = networks.counted(request.remote_addr or "")[0][0]
    return None if network.startswith("127.") or request.remote_addr == "::1" else network


def known_player() -> str | None:
    """The id of the player whose token or session the request carries."""
    found = asked()
    if found.endpoint in FILES:
        return None
    if is_api_path(found.path):
        access = bearer_auth.known_access()
        return None if access is None else str(access.player.id)
    visitor = browser_session.visitor()
    return None if visitor is None else str(visitor.id)
