"""Who is calling: the bearer token of a request."""

import re
from collections.abc import Callable
from typing import Any, NoReturn

from flask import g, request

from server.service import accounts

from .context import now, store
from .errors import raise_error

# RFC 6750's alphabet, one word; a second header or a comma makes it something else.
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,256})", re.IGNORECASE)
_UNKNOWN = (
    "This token is not known, or has ended: revoked, or because the address of its account was confirmed by somebody "
    "who was not signed in to it (docs/mail.md). Whoever has that address signs in and makes a new one."
)
_HOW = "Send the header Authorization: Bearer TOKEN; POST /api/v1/players gives a token."
SECURITY_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The token that POST /api/v1/players showed once."}
}


def optional_player() -> Any:
    """Return the player whose token the request carries, None when it carries none.

    A token that is sent but unknown is refused (401): who believes to be logged in must not see a stranger's view.
    """
    if "Authorization" not in request.headers:
        return None
    player = accounts.authenticate(store(), _token(), now())
    if player is None:
        refuse_stranger(f"{_UNKNOWN} {_HOW}", 'Bearer error="invalid_token"', "unknown-token")
    g.player = player
    return player


def still_known() -> Callable[[], bool]:
    """Return what tells later, outside the request, whether its token is good yet. Who sent none stays a stranger."""
    database, token, moment, player = store(), _token(), now(), current_player()
    return lambda: player is None or accounts.authenticate(database, token, moment) is not None


def _token() -> str | None:
    match = _BEARER.fullmatch(request.headers.get("Authorization", "").strip())
    return match[1] if match else None


def required_player() -> Any:
    """Return the player whose token the request carries; abort with 401 without one."""
    player = optional_player()
    if player is None:
        refuse_stranger()
    return player


def refuse_stranger(message: str = _HOW, challenge: str = "Bearer", kind: str | None = None) -> NoReturn:
    """Answer 401: this needs a token, and none was sent, or none that is known."""
    raise_error(401, message, headers={"WWW-Authenticate": challenge}, kind=kind)


def current_player() -> Any:
    """Return the player that the login decorator found, or None."""
    return g.get("player")
