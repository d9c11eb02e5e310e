"""Links in mails: short tokens that say who may do what (player, game, seat, ply), for one purpose each.

A link to a turn signs nobody in, an invitation opens no account that is there. A token is worth what a password is: it
stands in mails and addresses (`play+TOKEN@…`), never in a log, a metric or a Referer. It has 26 random letters in any
case; a row, made once for what it is for (`key`), says what that is, so that a mail composed again is the same.

What lets a player in (`PERSONAL`) is of their *link epoch*, a number of the account. Signing out everywhere, another
address and `ulm links revoke` raise it: what was made before is worthless from then on."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from server.engine.canonical import Json, canonical_json
from server.language import gettext as _
from server.service.common import audit_log
from server.service.common.errors import ServiceError
from server.service.common.ids import address_token
from server.service.outbox.addressees import REACHED
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

LIFETIMES: dict[str, timedelta] = {
    "turn": timedelta(days=120),  # and no longer than the turn: turn_page.py asks the game
    "talk": timedelta(days=120),
    "pause": timedelta(days=120),  # and no longer than the game
    "resign": timedelta(days=7),
    "confirm": timedelta(days=7),
    "sign_in": timedelta(hours=1),
    "invitation": timedelta(days=30),
    "unsubscribe": timedelta(days=730),
}
"""What links are for, and how long each kind is good at most."""
RENEWED = ("turn", "talk", "pause", "unsubscribe")
"""One link for what it is for, renewed by each mail that it stands in; of others each time has its own."""
RENEWED_AFTER = 24
"""The part of their lifetime by which they may be short of it: else every mail that they stand in would write."""
PERSONAL = ("turn", "talk", "pause", "resign", "confirm", "sign_in")
"""Links that let the player of their claim `player` in, while the link epoch is what it was. An invitation is for an
address; what ends mails stays good (RFC 8058), shows nothing but the own name and wishes, and lets nobody in."""
AHEAD = timedelta(minutes=5)
"""How far the clock of the machine that made a link may be ahead."""
CLOSED = -1
"""Stands for the link epoch of a player who is banned: no link is of it."""
_ROWS_AT_ONCE = 1000

Claims = dict[str, Json]
"""What a link says."""


class BadLinkError(ServiceError):
    """The token is none of ours, was changed, or is for something else."""

    kind = "not-found"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or _("this link is incomplete or wrong: copy all of it from the mail"))


class ClosedAccountError(BadLinkError):
    """The link would let in a player whom the operator has banned."""

    kind = "account-closed"

    def __init__(self) -> None:
        super().__init__(_("the operator of this server has closed this account: ask whoever runs the server why"))


class OldLinkError(BadLinkError):
    """The link was right and is no longer."""

    kind = "gone"


def make(store: Store, purpose: str, *, now: datetime, **claims: Json) -> str:
    """A token for `purpose` (one of `LIFETIMES`) that leads to `claims` (JSON values), made at `now`. The same claims
    and time give the same token. Call it outside every transaction: it may have to write."""
    renewed, player = purpose in RENEWED, claims.get("player")
    not_before = now - LIFETIMES[purpose] / RENEWED_AFTER if renewed else now
    with store.read():  # one for both questions
        epoch = (_epoch(store, player) or 0) if purpose in PERSONAL else 0
        key = f"{_key(purpose, claims)}{'' if renewed else ':' + utc(now)}:{epoch}"
        token = _find_token(store, key, not_before)
    return token or _insert(store, key, purpose, claims, player, epoch, now)


def _key(purpose: str, claims: Claims) -> str:
    """What a link is for, whole but for its time, where each has its own, and the player's link epoch."""
    return f"{purpose}:{sha256(canonical_json(claims).encode()).hexdigest()[:32]}"


_BY_KEY = 'SELECT token, created_at FROM short_link WHERE "key" = ?'
# Player and game may be gone by now: their mail is composed by somebody who does not know it yet.
_INSERT = """
    INSERT INTO short_link (token, "key", purpose, claims, game_id, player_id, epoch, created_at)
    VALUES (?, ?, ?, ?, (SELECT id FROM game WHERE id = ?), (SELECT id FROM player WHERE id = ?), ?, ?)
    ON CONFLICT ("key") DO UPDATE SET created_at = excluded.created_at
        WHERE short_link.created_at < excluded.created_at"""
# In the player's present epoch. What a parameter is, PostgreSQL cannot tell from a SELECT: hence the casts.
_PREPARE = f"""
    INSERT INTO short_link (token, "key", purpose, claims, game_id, player_id, epoch, created_at)
    SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR) || ':' || CAST(p.link_epoch AS VARCHAR), CAST(? AS VARCHAR),
        CAST(? AS TEXT), CAST(? AS VARCHAR), p.id, p.link_epoch, CAST(? AS VARCHAR)
    FROM player p WHERE p.id = ? AND {REACHED}
    ON CONFLICT ("key") DO NOTHING"""  # noqa: S608


def _find_token(store: Store, key: str, not_before: datetime) -> str | None:
    """The token of a link; None when there is none that was made at `not_before` or later."""
    found = sql.row(store, _BY_KEY, key)
    return None if found is None or found[1] < utc(not_before) else str(found[0])


def _insert(store: Store, key: str, purpose: str, claims: Claims, player: object, epoch: int, now: datetime) -> str:
    """Make the row, in a transaction of its own, or renew the one that is there; its token."""
    row = (address_token(), key, purpose, canonical_json(claims), claims.get("game"), player, epoch, utc(now))
    with store.write():
        sql.execute(store, _INSERT, *row)
        [(token, _made_at)] = sql.rows(store, _BY_KEY, key)
    return str(token)


def read(store: Store, token: object, purpose: str, *, now: datetime, of_any_epoch: bool = False) -> Claims:
    """The claims of a link.

    Raises `BadLinkError`, `OldLinkError` beyond its lifetime (`LIFETIMES`) or, but for `of_any_epoch`, in a later link
    epoch of its player, and `ClosedAccountError` where it would let in a player who is banned."""
    if _spelled(token) is None:
        raise BadLinkError
    found = _find(store, token)
    if found is None or found[0] != purpose:
        raise BadLinkError(_("this link is wrong, or what it led to is gone: copy all of it from the mail"))
    _purpose, claims, epoch, made_at, present = found
    if not -AHEAD <= now - parse_utc(made_at) <= LIFETIMES[purpose]:
        raise OldLinkError(_("this link is too old: ask for a new one"))
    if purpose in PERSONAL and present == CLOSED:
        raise ClosedAccountError
    # Of an account that is gone, who looks for it says so.
    if purpose in PERSONAL and not of_any_epoch and present not in (None, epoch):
        raise OldLinkError(_("this link has ended: you signed out everywhere, or the account has another address now"))
    return dict(json.loads(claims))


def find(store: Store, token: object) -> tuple[str, Claims] | None:
    """What a token is for and what it says, whether or not it is still good; None for all else."""
    found = _find(store, token)
    return None if found is None else (found[0], json.loads(found[1]))


_PRESENT = "CASE WHEN p.banned_at IS NULL THEN p.link_epoch ELSE -1 END"
_FIND = f"""
    SELECT l.purpose, l.claims, l.epoch, l.created_at, {_PRESENT}
    FROM short_link l LEFT JOIN player p ON p.id = l.player_id WHERE l.token = ?"""  # noqa: S608


def _find(store: Store, token: object) -> sql.Row | None:
    """Purpose, claims, epoch and time of a link, and the player's present epoch (None: there is no player)."""
    spelled = _spelled(token)
    if spelled is None:
        return None
    return sql.row(store, _FIND, spelled)


def _spelled(token: object) -> str | None:
    """The token that this is, in any case of its letters; None for what has another shape."""
    folded = token.lower() if isinstance(token, str) else ""
    return folded if re.fullmatch("[a-z2-7]{26}", folded) else None


def _epoch(store: Store, player_id: object) -> int | None:
    """The player's link epoch; None where there is no such account, `CLOSED` for one that is banned."""
    return sql.value(store, f"SELECT {_PRESENT} FROM player p WHERE p.id = ?", player_id)  # noqa: S608


def raise_epoch(store: Store, player_id: str, but: tuple[str, str] | None = None) -> None:
    """Make all links and sessions of a player worthless `but` this door of theirs, in the running write transaction.
    API tokens stay good."""
    sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1 WHERE id = ?", player_id)
    kept = "" if but is None else but[1]
    sql.execute(store, "DELETE FROM session WHERE player_id = ? AND hash <> ?", player_id, kept)


def use_once(store: Store, token: str, purpose: str, now: datetime) -> None:
    """Note in the running write transaction that a link was used. Raises `OldLinkError` when it was before."""
    sql.execute(store, "DELETE FROM used_link WHERE expires_at < ?", utc(now))
    expires = utc(now + LIFETIMES[purpose] + AHEAD)
    statement = "INSERT INTO used_link (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
    if sql.execute(store, statement, _used_hash(token, purpose), expires).rowcount != 1:
        raise _used()


def require_unused(store: Store, token: str, purpose: str) -> None:
    """Raise `OldLinkError` when a link was used before, in a transaction."""
    if sql.row(store, "SELECT 1 FROM used_link WHERE hash = ?", _used_hash(token, purpose)):
        raise _used()


def _used() -> OldLinkError:
    return OldLinkError(_("this link has already been used, and works only once: ask for a new one"))


def _used_hash(token: str, purpose: str) -> str:
    return sha256(f"{purpose} {_spelled(token)}".encode()).hexdigest()


def revoke_all(store: Store, now: datetime) -> None:
    """Make every link that was sent and every session worthless."""
    with store.write():
        sql.execute(store, "DELETE FROM short_link")
        sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1")
        sql.execute(store, "DELETE FROM session")
        audit_log.note(store, "operator_revoked_links", now)


_OLD = "SELECT token FROM short_link WHERE purpose = ? AND created_at < ? LIMIT ?"


def clean_up(store: Store, now: datetime) -> int:
    """Forget links that are too old to lead anywhere; how many. Where there are none it only reads."""
    gone = 0
    for purpose, lifetime in LIFETIMES.items():
        while True:
            old = sql.rows(store, _OLD, purpose, utc(now - lifetime - AHEAD), _ROWS_AT_ONCE)
            if not old:
                break
            with store.write():
                for (token,) in old:
                    gone += sql.execute(store, "DELETE FROM short_link WHERE token = ?", token).rowcount
    return gone


def turn_token(
    store: Store,
    *,
    now: datetime,
    player_id: str,
    game_id: str,
    ply: int,
    seat: int,
    at: int | None = None,
    row: int | None = None,
) -> str:
    """A token for one turn of one seat, which began at `ply` as its player sees it; also that of answers to its mails.

    `at` is the ply at which the mail lists the options by numbers (None: the same), `row` the number of the move that
    led there: it may be taken back."""
    claims = _turn(player_id, game_id, ply, seat)
    if at is not None and at != ply:
        claims |= {"at": at} | ({} if row is None else {"row": row})
    return make(store, "turn", now=now, **claims)


def prepare_turn(store: Store, *, now: datetime, player_id: str, game_id: str, ply: int, seat: int) -> None:
    """Make the row of such a token in the running transaction, if mails reach the player: saves one (3.4 ms)."""
    claims = _turn(player_id, game_id, ply, seat)
    row = (address_token(), _key("turn", claims), "turn", canonical_json(claims), game_id, utc(now), player_id)
    sql.execute(store, _PREPARE, *row)


def _turn(player_id: str, game_id: str, ply: int, seat: int) -> Claims:
    return {"player": player_id, "game": game_id, "ply": ply, "seat": seat}


def talk_token(store: Store, *, now: datetime, player_id: str, game_id: str) -> str:
    """A token of the address whose mails are messages to the players of a game."""
    return make(store, "talk", now=now, player=player_id, game=game_id)


def pause_token(store: Store, *, now: datetime, player_id: str, game_id: str) -> str:
    """A token that wishes for a pause in a game, or for none."""
    return make(store, "pause", now=now, player=player_id, game=game_id)


def resign_token(store: Store, *, now: datetime, player_id: str, game_id: str, seat: int) -> str:
    """A token that resigns a seat, once, by an answer that says so."""
    return make(store, "resign", now=now, player=player_id, game=game_id, seat=seat)


def sign_in_token(store: Store, *, now: datetime, player_id: str, address: str) -> str:
    """A token that signs the player in once, while `address` is theirs."""
    return make(store, "sign_in", now=now, player=player_id, address=address_claim(address))


def invitation_token(store: Store, *, now: datetime, invitation_id: int, address: str) -> str:
    """A token that takes the seat that `address` was invited to. An invitation has one."""
    key = f"invitation:{invitation_id}:0"
    with store.read():
        token = _find_token(store, key, now)
    claims: Claims = {"invitation": invitation_id, "address": address_claim(address)}
    return token or _insert(store, key, "invitation", claims, None, 0, now)


def forget_invitations(store: Store, numbers: Sequence[int]) -> None:
    """Drop the links of invitations in the running write transaction."""
    for number in numbers:
        sql.execute(store, 'DELETE FROM short_link WHERE "key" = ?', f"invitation:{number}:0")


def address_claim(address: str) -> str:
    """What a link says of the mail address that it is for: enough to compare, not to read."""
    return sha256(address.strip().lower().encode()).hexdigest()[:24]
