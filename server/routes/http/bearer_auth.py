"""Who is calling: the bearer token of a request."""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NoReturn

from flask import g, request

from server.routes.http.context import clock, now, store
from server.routes.http.problem_details import raise_error
from server.routes.http.request_parsing import idempotency_key
from server.service.accounts import access
from server.service.accounts.players import Access
from server.service.common import idempotency

# RFC 6750's alphabet, one word; a second header or a comma makes it something else.
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,256})", re.IGNORECASE)
_AUTHORIZATION = "HTTP_AUTHORIZATION"
_UNASKED: Any = object()  # what the token opens, before it was asked
_UNKNOWN = (
    "This token is not known, or has ended: revoked, past its end, by the operator of this server, or because the "
    "address of its account was confirmed by somebody who was not signed in to it (docs/mail.md). Whoever has that "
    "address signs in and makes a new one."
)
_HOW = "Send the header Authorization: Bearer TOKEN; POST /api/v1/players gives a token."


def optional_player(scope: str) -> Any:
    """The player whose token the request carries, None without one; 401 if unknown, 403 without the scope."""
    if _AUTHORIZATION not in request.environ:
        return None
    found = known_access()
    if found is None:
        refuse_stranger(f"{_UNKNOWN} {_HOW}", 'Bearer error="invalid_token"', "unknown-token")
    if scope not in found.scopes:
        raise_error(
            403,
            f"This token may not do that: it lacks the scope {scope}. Use one that has it.",
            {"headers": {"Authorization": [f"Its token lacks the scope {scope}."]}},
            {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            kind="missing-scope",
        )
    g.player, g.access = found.player, found
    return found.player


def known_access() -> Access | None:
    """Whose token the request carries and what it may do, None without a known one; looked up once for a request."""
    found: Access | None = g.get("known_access", _UNASKED)
    if found is _UNASKED:
        sent = _AUTHORIZATION in request.environ
        found = g.known_access = access.access(store(), _token(), now()) if sent else None
    return found


def still_known() -> Callable[[], bool]:
    """Return what tells later, outside the request, whether its token is good yet. Who sent none stays a stranger."""
    database, token, time, player = store(), _token(), clock(), current_player()
    return lambda: player is None or access.authenticate(database, token, time()) is not None


def _token() -> str | None:
    match = _BEARER.fullmatch(request.environ.get(_AUTHORIZATION, "").strip())
    return match[1] if match else None


def required_player(scope: str) -> Any:
    """Return the player whose token the request carries; abort with 401 without one, 403 without the scope."""
    player = optional_player(scope)
    if player is None:
        refuse_stranger()
    return player


def refuse_stranger(message: str = _HOW, challenge: str = "Bearer", kind: str | None = None) -> NoReturn:
    """Answer 401: this needs a token, and none was sent, or none that is known."""
    raise_error(401, message, headers={"WWW-Authenticate": challenge}, kind=kind)


def current_player() -> Any:
    """Return the player that the login decorator found, or None."""
    return g.get("player")


def current_access() -> Access:
    """Return what the token opens that the login decorator found."""
    found: Access = g.access
    return found


def me_or_id(player: str | None) -> str | None:
    """Return the id of the player that a query names, where `me` is the caller; 401 when nobody calls."""
    if player != "me":
        return player
    caller = current_player()
    if caller is None:
        refuse_stranger()
    return str(caller.id)


def asked(*what: Any, game_id: str | None = None) -> idempotency.Asked | None:
    """Return what the request's Idempotency-Key stands for: this call of this address, for `what`; None without one."""
    key, player = idempotency_key(), current_player()
    if key is not None and player is None:  # those without an account share their keys with their address alone
        key = sha256(f"{request.remote_addr} {key}".encode()).hexdigest()
    return idempotency.asked(key, player, request.endpoint, *what, game_id=game_id)
