"""The tokens of a player: one for each device or program, each of which can be revoked by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, TypedDict

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.language import gettext as _
from server.service.accounts.access import SCOPES, check_scopes, give_token, has_ended
from server.service.accounts.players import Access, Player, require_in
from server.service.common import audit_log, checks, db_rate_limits, idempotency
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.service.common.quotas import DAY, TOKENS_A_DAY
from server.service.outbox import addressees, enqueuing
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

TOKENS_MAX = 20
"""How many tokens of a player may be valid at the same time."""
AHEAD_MAX = timedelta(days=3660)
"""Whoever wants a token for longer leaves the end out."""
ID_LENGTH = 16
"""A token's public id is the beginning of its hash: it tells neither the token nor how many others there are."""


class ShownToken(TypedDict):
    """What is shown of a token, never itself; one that is past its end opens nothing any more."""

    id: str
    name: str
    scopes: Annotated[list[Annotated[str, JsonSchema(enum=SCOPES)]], "What it may be used for."]
    created_at: Annotated[UtcTime, "When it was made."]
    last_used_at: Annotated[UtcTime | None, "When it was last seen, to the hour."]
    expires_at: Annotated[UtcTime | None, "When it ends or has ended; null: never."]


class NewToken(ShownToken):
    """A token that was just made, itself this once."""

    token: str


def listing(store: Store, player: Player) -> list[ShownToken]:
    """The player's tokens that were not revoked, oldest first."""
    with store.read():
        return [_shown(row) for row in _kept(store, player)]


def create(
    store: Store,
    player: Player,
    name: str,
    now: datetime,
    wanted: Sequence[str] | None = None,
    expires_at: str | None = None,
    by: Access | None = None,
    asked: idempotency.Asked | None = None,
) -> NewToken:
    """A further token, with itself this once. Its owner is told by mail.

    `wanted` are its scopes, `expires_at` is when it ends, `by` the token with which it is made: it gives away no more
    than it has, which is what is given where nothing is said; without it all scopes, for ever. Raises `Unprocessable`
    for what cannot be, `Forbidden` for more than `by` may, `AccessEndedError`, `TooManyRequests`, and `Conflict`
    when the player has `TOKENS_MAX`, or when it was `asked` for and made before under the same key."""
    name = checks.name("name", name, 0)
    held = SCOPES if by is None else by.scopes
    given = held if wanted is None else check_scopes(wanted)
    if not set(given) <= set(held):
        more = ", ".join(set(given) - set(held))
        refusal = _("a token cannot grant a scope that it lacks itself: %(scopes)s", scopes=more)
        raise Forbidden(refusal, kind="missing-scope")
    ends = _end(expires_at, now, None if by is None else by.expires_at)
    with store.write():
        # The player's row stands for the number of tokens: who makes one at the same time waits for it.
        require_in(store, player)
        idempotency.require_first(store, asked)
        sql.execute(store, _DROP_DEAD, player.id, utc(now))
        if len(_kept(store, player)) >= TOKENS_MAX:
            refusal = _("you have %(number)s tokens already: revoke one that you do not need first", number=TOKENS_MAX)
            raise Conflict(refusal, kind="limit-reached")
        refusal = _("you have made %(number)s tokens today: try again tomorrow", number=TOKENS_A_DAY)
        db_rate_limits.require(store, "token", player.id, TOKENS_A_DAY, DAY, now, refusal)
        token = give_token(store, player.id, now, given, name, ends)
        shown = _shown(_kept(store, player)[-1])
        audit_log.note(store, "token_made", now, player.id, token=shown["id"], scopes=" ".join(given))
        _tell_owner(store, player, shown, now)
        idempotency.keep(store, asked, {"id": shown["id"]}, now)
        return {**shown, "token": token}


def _end(wanted: str | None, now: datetime, latest: str | None) -> str | None:
    """When a token ends, as it is stored; `latest` is when that ends by which it is made."""
    if wanted is None:
        return latest
    ends = checks.moment("expires_at", wanted)
    if not now < ends <= now + AHEAD_MAX:
        raise bad_field("expires_at", _("give a time within the next ten years, or leave it out"))
    stored = utc(ends)
    if latest is not None and stored > latest:
        raise bad_field("expires_at", _("give no time after %(time)s: the token you are using ends then", time=latest))
    return stored


def _tell_owner(store: Store, player: Player, shown: ShownToken, now: datetime) -> None:
    """Let the owner hear of a new token, in the running write transaction: it may have been somebody else."""
    found = sql.row(store, "SELECT email FROM player WHERE id = ? AND email_confirmed_at IS NOT NULL", player.id)
    if found is not None:
        key, data = f"token_made:{shown['id']}", {"token": shown["id"]}
        enqueuing.enqueue(store, "token_made", found[0], key=key, now=now, player_id=player.id, data=data)


def rename(store: Store, player: Player, token_id: str, name: str) -> ShownToken:
    """Rename one of the player's tokens; returns what `listing` shows. Raises `Unprocessable`, `NotFound`."""
    name = checks.name("name", name, 0)
    with store.write():
        require_in(store, player)
        row = {**_named(_kept(store, player), token_id), "name": name}
        sql.execute(store, "UPDATE token SET name = ? WHERE hash = ?", name, row["hash"])
        return _shown(row)


def revoke(store: Store, player: Player, token_id: str, now: datetime) -> None:
    """End one of the player's tokens. Raises `NotFound`, and `Conflict` for the last way in of who has no mail."""
    with store.write():
        require_in(store, player)
        rows = _kept(store, player)
        row = _named(rows, token_id)
        others = [one for one in rows if one is not row and _is_way_in(one, now)]
        if _is_way_in(row, now) and not others and addressees.reached_at(store, player.id) is None:
            raise Conflict(
                _("this is your only token: make another one, or confirm a mail address to sign in with, before you "
                  "revoke it")
            )  # fmt: skip
        sql.execute(store, "UPDATE token SET revoked_at = ? WHERE hash = ?", utc(now), row["hash"])
        audit_log.note(store, "token_revoked", now, player.id, token=token_id)


def is_way_in(store: Store, player: Player, now: datetime) -> bool:
    """Whether one of the player's tokens lets them look after the account."""
    with store.read():
        return any(_is_way_in(row, now) for row in _kept(store, player))


def _is_way_in(row: sql.ByName, now: datetime) -> bool:
    return "account" in row["scopes"].split() and not has_ended(row["expires_at"], now)


def _named(rows: list[sql.ByName], token_id: str) -> sql.ByName:
    for row in rows:
        if row["hash"][:ID_LENGTH] == token_id:
            return row
    raise NotFound(_("you have no such token; GET /api/v1/players/me/tokens lists those that are valid"))


_KEPT = """
    SELECT hash, name, scopes, created_at, last_used_at, expires_at FROM token
    WHERE player_id = ? AND revoked_at IS NULL ORDER BY id"""
_DROP_DEAD = "DELETE FROM token WHERE player_id = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)"


def _kept(store: Store, player: Player) -> list[sql.ByName]:
    return sql.dicts(store, _KEPT, player.id)


def _shown(row: sql.ByName) -> ShownToken:
    return {
        "id": row["hash"][:ID_LENGTH],
        "name": row["name"],
        "scopes": row["scopes"].split(),
        "created_at": row["created_at"],
        "last_used_at": row["last_used_at"],
        "expires_at": row["expires_at"],
    }
