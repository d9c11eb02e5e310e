"""The audit log: what happened to accounts and who operates the server did, to be read by account (`ulm audit`).

A line is written in the transaction of what it tells. It names an account by its id alone and a caller by the network
(/24, /48): names, addresses, tokens and texts stand in no line. When an account is deleted its lines stay, under a hash
of the id. Lines are kept for `ULM_AUDIT_DAYS`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import datetime
from hashlib import sha256
from typing import Annotated, TypedDict, cast

from server.engine.canonical import canonical_json
from server.engine.ulm1.shapes import UtcTime
from server.service.common import networks
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_caller: ContextVar[str | None] = ContextVar("ulm_caller", default=None)
_operator: ContextVar[str | None] = ContextVar("ulm_operator", default=None)


def operated_by(name: str | None) -> None:
    """Say who operates the server by what this thread does from now on (`by` in their lines), None: nobody."""
    _operator.set(name)


def called_from(address: str | None) -> None:
    """Say which machine asks for what this thread does from now on; None: nobody from outside."""
    _caller.set(address)


def caller() -> str | None:
    """The machine that asks, None when nobody from outside does."""
    return _caller.get()


def note(store: Store, what: str, now: datetime, player_id: str | None = None, **details: str | int | None) -> None:
    """Write a line into the running transaction; `details` hold no name, address or token."""
    address = caller()
    whence = None if address is None else networks.noted(address)
    by = _operator.get() if what.startswith("operator_") else None
    told = canonical_json({name: value for name, value in {"by": by, **details}.items() if value is not None})
    sql.insert(store, "audit", at=utc(now), what=what, player_id=player_id, network=whence, details=told)


def account_gone(store: Store, player_id: str) -> None:
    """Keep in the running write transaction what happened to an account that is deleted, without its id."""
    sql.execute(store, "UPDATE audit SET player_id = ? WHERE player_id = ?", _gone(player_id), player_id)


def _gone(player_id: str) -> str:
    # Ids are random and long: nobody comes from the hash to one that they do not know.
    return "~" + sha256(f"audit {player_id}".encode("utf-8", "replace")).hexdigest()[:24]


class OwnAuditLine(TypedDict):
    """What happened to an account, as its owner reads it. `network` is None where the server did it."""

    at: Annotated[UtcTime, "When."]
    what: Annotated[str, "sign_in, token_made, address_changed, …"]
    network: Annotated[str | None, "Whence, cut to /24 or /48; null: the server did it."]
    details: dict[str, object]


class AuditLine(OwnAuditLine):
    """The same for the operator: of which account, whose hash stands for it when it is gone."""

    player: str | None


def listing(
    store: Store, players: Sequence[str] | None = None, since: datetime | None = None, limit: int = 100
) -> list[AuditLine]:
    """The newest `limit` lines of all accounts or of these `players`, oldest first."""
    known = [] if players is None else [*players, *(_gone(player) for player in players)]
    of = "1 = 1" if players is None else f"player_id IN {sql.marks(known)}"
    statement = f"""
        SELECT at, what, player_id AS player, network, details FROM audit
        WHERE {of} AND at >= ? ORDER BY id DESC LIMIT ?"""  # noqa: S608 - marks
    found = sql.dicts(store, statement, *known, "" if since is None else utc(since), limit)
    return [cast("AuditLine", {**line, "details": json.loads(line["details"])}) for line in reversed(found)]


def of_player(store: Store, player_id: str) -> list[OwnAuditLine]:
    """All that is noted of an account, oldest first, as its owner may read it."""
    statement = "SELECT at, what, network, details FROM audit WHERE player_id = ? ORDER BY id"
    found = sql.dicts(store, statement, player_id)
    return [cast("OwnAuditLine", {**line, "details": json.loads(line["details"])}) for line in found]


def accounts_with(store: Store, address: str) -> list[str]:
    """The ids of the accounts that have this mail address now, confirmed or not."""
    statement = "SELECT id FROM player WHERE lower(email) = lower(?) ORDER BY created_at, id"
    return [player_id for (player_id,) in sql.rows(store, statement, address)]


def clean_up(store: Store, before: datetime) -> int:
    """Forget lines from before that time; how many."""
    with store.write():
        return int(sql.execute(store, "DELETE FROM audit WHERE at < ?", utc(before)).rowcount)
