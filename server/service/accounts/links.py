"""Links in mails, sessions and forms: tokens that say who may do what (player, game, seat, ply), for one purpose each.

A link to a turn signs nobody in, an invitation confirms no other address. A token is worth what a password is: it
stands in mails and addresses, never in a log, a metric or a Referer. What stands in mails is short and leads to a row
(`short_links`); sessions and forms hold what they say, signed (`signed_tokens`).

What lets a player in (`PERSONAL`) is of their *link epoch*, a number of the account. Signing out everywhere, another
address and `ulm links rotate --revoke` raise it, and whatever was made before is worthless from then on.

    token = links.sign(store, "turn", now=notice.due, player=…, game=…, ply=…, seat=…)   # or turn_token(…)
    link_urls.turn_url(settings, token), link_urls.move_url(settings, token, "push N2")
    links.read(store, token, "turn", now=now) -> {"player": …, "game": …, "ply": …, "seat": …}
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from server.engine.canonical import Json, canonical_json
from server.language import gettext as _
from server.service.accounts import short_links, signed_tokens
from server.service.accounts.short_links import Wanted
from server.service.common import audit_log
from server.service.common.errors import ServiceError
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

if TYPE_CHECKING:
    from server.service.common.ids import Entropy

LIFETIMES: dict[str, timedelta] = {
    "turn": timedelta(days=120),  # and no longer than the turn: turn_page.py asks the game
    "talk": timedelta(days=120),
    "resign": timedelta(days=7),
    "confirm": timedelta(days=7),
    "sign_in": timedelta(hours=1),
    "invitation": timedelta(days=30),
    "unsubscribe": timedelta(days=730),
    "session": timedelta(days=400),  # as long as a browser keeps a cookie; sessions.py ends it sooner
    "form": timedelta(days=7),
}
"""What tokens are for, and how long each kind is good at most."""
SIGNED = ("session", "form")
"""Tokens that are signed. All others are short."""
RENEWED = ("turn", "talk", "unsubscribe")
"""Short ones of which there is one for what it is for, whenever it is asked for: each mail that it stands in renews it.
Of all others each time has its own."""
RENEWED_AFTER = 24
"""The part of their lifetime by which they may be short of it: else every mail that they stand in would write."""
PERSONAL = ("turn", "talk", "resign", "confirm", "sign_in", "session")
"""Tokens that let the player of their claim `player` in, good for as long as the link epoch is what it was.

An invitation is for an address, which may have no account yet (`invitations` asks more where there is one). And a link
that ends mails stays good: a mail has to be stoppable by what stands in it (RFC 8058) also after its reader has signed
out everywhere; it shows nothing but the own name and wishes, and lets nobody in."""
AHEAD = timedelta(minutes=5)
"""How far the clock of the machine that signed may be ahead."""
TOKEN_MAX = 1000


class BadLinkError(ServiceError):
    """The token is none of ours, was changed, or is for something else."""

    status = 404
    kind = "not-found"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or _("this link is incomplete or wrong: copy all of it from the mail"))


Claims = dict[str, Json]
"""What a token says."""


class ClosedAccountError(BadLinkError):
    """The token would let in a player whom the operator has banned."""

    status = 403
    kind = "account-closed"

    def __init__(self) -> None:
        super().__init__(_("the operator of this server has closed this account: ask whoever runs the server why"))


CLOSED = -1
"""Stands for the link epoch of a player who is banned: no token is of it."""


class OldLinkError(BadLinkError):
    """The token was right and is no longer."""

    status = 410


def sign(store: Store, purpose: str, *, now: datetime, **claims: Json) -> str:
    """A token for `purpose` (one of `LIFETIMES`) that holds `claims` (JSON values), made at `now`.

    The same claims and time give the same token, so that a mail that is sent once more reads the same. Call it outside
    every transaction: it may have to write. Of a player (`PERSONAL`) it is good for the present link epoch.
    """
    if purpose not in LIFETIMES:
        raise ValueError(f"links are for {', '.join(LIFETIMES)}; not for {purpose!r}")
    renewed = purpose in RENEWED
    not_before = now - LIFETIMES[purpose] / RENEWED_AFTER if renewed else now
    wanted = None if purpose in SIGNED else _wanted(purpose, claims, None if renewed else now)
    with store.read():  # one for both questions
        epoch = (_epoch(store, claims.get("player")) or 0) if purpose in PERSONAL else 0
        token = None if wanted is None else short_links.get(store, wanted, epoch, not_before)
    if wanted is None:
        return signed_tokens.sign(store, purpose, claims | ({_EPOCH: epoch} if epoch else {}), now)
    return token or short_links.get_or_make(store, wanted, epoch, now, not_before)


def _wanted(purpose: str, claims: Claims, at: datetime | None) -> Wanted:
    about = sha256(canonical_json(claims).encode()).hexdigest()[:32]
    return Wanted(
        key=f"{purpose}:{about}" + (f":{utc(at)}" if at is not None else ""),
        purpose=purpose,
        claims=claims,
        game=claims.get("game"),
        player=claims.get("player"),
    )


def read(store: Store, token: str, purpose: str, *, now: datetime, of_any_epoch: bool = False) -> Claims:
    """The claims of a token, without the epoch, for which the token is good.

    Raises `BadLinkError`, and `OldLinkError` beyond its lifetime (`LIFETIMES`) or in a later link epoch of its player
    (which is left to the caller with `of_any_epoch`: for what the token says of an address, not of the player);
    `ClosedAccountError` where it would let in a player who is banned.
    """
    return read_dated(store, token, purpose, now=now, of_any_epoch=of_any_epoch)[0]


def purpose_of(store: Store, token: str) -> str | None:
    """What a short token is for, whether or not it is still good; None for all else."""
    short = short_links.spelled(token)
    found = None if short is None else short_links.find(store, short)
    return None if found is None else found.purpose


def read_dated(
    store: Store, token: str, purpose: str, *, now: datetime, of_any_epoch: bool = False
) -> tuple[Claims, datetime]:
    """The claims of a token and when it was made. Raises as `read` does."""
    if not isinstance(token, str) or not token.isascii() or len(token) > TOKEN_MAX:
        raise BadLinkError
    short = short_links.spelled(token)
    claims, epoch, present, made_at = _signed(store, token, purpose) if short is None else _short(store, short, purpose)
    if not -AHEAD <= now - made_at <= LIFETIMES[purpose]:
        raise OldLinkError(_("this link is too old: ask for a new one"))
    if purpose in PERSONAL and present == CLOSED:
        raise ClosedAccountError
    # Of an account that is gone, whoever looks for it says so.
    if purpose in PERSONAL and not of_any_epoch and present not in (None, epoch):
        raise OldLinkError(_("this link has ended: you signed out everywhere, or the account has another address now"))
    return claims, made_at


def _short(store: Store, token: str, purpose: str) -> tuple[Claims, int, int | None, datetime]:
    """What a short token says: claims, epoch, the player's present epoch, when it was made."""
    found = short_links.find(store, token)
    if found is None or found.purpose != purpose:
        raise BadLinkError(_("this link is wrong, or what it led to is gone: copy all of it from the mail"))
    return dict(found.claims), found.epoch, found.present, found.made_at


def _signed(store: Store, token: str, purpose: str) -> tuple[Claims, int, int | None, datetime]:
    """The same of a signed one."""
    found = signed_tokens.opened(store, purpose, token) if purpose in SIGNED else None
    if found is None or not isinstance(found[0], dict):
        raise BadLinkError
    claims = dict(found[0])
    epoch = claims.pop(_EPOCH, 0)
    return claims, epoch, _epoch(store, claims.get("player")) if purpose in PERSONAL else None, found[1]


_EPOCH = "epoch"
_PRESENT = "SELECT CASE WHEN banned_at IS NULL THEN link_epoch ELSE -1 END FROM player WHERE id = ?"


def _epoch(store: Store, player_id: object) -> int | None:
    """The player's link epoch; None where there is no such account, `CLOSED` for one that is banned."""
    if not isinstance(player_id, str):
        return None
    with store.read():
        found = sql.row(store, _PRESENT, player_id)
    return None if found is None else int(found[0])


def raise_epoch(store: Store, player_id: str) -> None:
    """Make all links and sessions of a player worthless, in the running write transaction. API tokens stay good."""
    sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1 WHERE id = ?", player_id)
    sql.execute(store, "DELETE FROM session WHERE player_id = ?", player_id)


def use_once(store: Store, token: str, purpose: str, now: datetime) -> None:
    """Note in the running write transaction that a token was used. Raises `OldLinkError` when it was before."""
    sql.execute(store, "DELETE FROM used_link WHERE expires_at < ?", utc(now))
    done = sql.execute(
        store,
        "INSERT INTO used_link (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
        used_hash(token, purpose),
        utc(now + LIFETIMES[purpose] + AHEAD),
    )
    if done.rowcount != 1:
        raise OldLinkError(_("this link has already been used, and works only once: ask for a new one"))


def used_hash(token: str, purpose: str) -> str:
    """What is stored of a token that was used, one for all the ways in which it can be written: of a signed one what is
    signed, for Base64 can write one signature in many ways."""
    same = short_links.spelled(token) or token.rpartition(".")[0]
    return sha256(f"{purpose} {same}".encode("utf-8", "replace")).hexdigest()


def rotate(store: Store, now: datetime, revoke: bool = False, entropy: Entropy = secrets.token_bytes) -> int:
    """Sign with a new key from now on; how many keys verify afterwards.

    What was signed before stays good, but for keys that nothing can be left of. With `revoke` it is worthless at once,
    and so is every short link: by key and row, and what lets players in by their link epoch as well.
    """
    oldest = None if revoke else now - max(LIFETIMES.values()) - AHEAD
    with store.write():
        kept = signed_tokens.rotate(store, now, oldest, entropy)
        if revoke:
            short_links.forget_all(store)
            sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1")
            sql.execute(store, "DELETE FROM session")
        audit_log.note(store, "operator_rotated_keys", now, revoked=int(revoke))
    return kept


def clean_up(store: Store, now: datetime) -> int:
    """Forget short links that are too old to lead anywhere; how many."""
    return sum(
        short_links.clean_up(store, purpose, now - lifetime - AHEAD)
        for purpose, lifetime in LIFETIMES.items()
        if purpose not in SIGNED
    )


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
    """A token for one turn of one seat, also that of answers to its mails.

    `ply` is that at which the turn began, as its player sees it. `at` is that at which the mail lists the options, so
    that an answer may name their numbers (None: the same), and `row` the number of the move that led there: it may be
    taken back.
    """
    return sign(store, "turn", now=now, **_turn(player_id, game_id, ply, seat, at, row))


def prepare_turn(store: Store, *, now: datetime, player_id: str, game_id: str, ply: int, seat: int) -> None:
    """Make the row of such a token in the running write transaction, for the mail that will ask for it: in the
    transaction of a move it costs a statement, afterwards a transaction."""
    short_links.prepare(store, _wanted("turn", _turn(player_id, game_id, ply, seat), None), now)


def _turn(player_id: str, game_id: str, ply: int, seat: int, at: int | None = None, row: int | None = None) -> Claims:
    claims: Claims = {"player": player_id, "game": game_id, "ply": ply, "seat": seat}
    if at is None or at == ply:
        return claims
    return claims | {"at": at} | ({} if row is None else {"row": row})


def talk_token(store: Store, *, now: datetime, player_id: str, game_id: str) -> str:
    """A token of the address whose mails are messages to the table."""
    return sign(store, "talk", now=now, player=player_id, game=game_id)


def resign_token(store: Store, *, now: datetime, player_id: str, game_id: str, seat: int) -> str:
    """A token that resigns a seat, once, by an answer that says so."""
    return sign(store, "resign", now=now, player=player_id, game=game_id, seat=seat)


def sign_in_token(store: Store, *, now: datetime, player_id: str, address: str) -> str:
    """A token that signs the player in once, while `address` is theirs."""
    return sign(store, "sign_in", now=now, player=player_id, address=address_claim(address))


def invitation_token(store: Store, *, now: datetime, invitation_id: int, address: str) -> str:
    """A token that takes the seat that `address` was invited to; as the account that has confirmed it, if there is one,
    in its present link epoch alone (`is_for_present`). An invitation has one token, which is that of its first mail."""
    with store.read():
        found = sql.row(store, ACCOUNT_OF_ADDRESS, address)
    account = {"account": [found[0], found[1]]} if found is not None and found[1] else {}
    claims: Claims = {"invitation": invitation_id, "address": address_claim(address), **account}
    wanted = Wanted(_of_invitation(invitation_id), "invitation", claims, player=found[0] if account and found else None)
    return short_links.get_or_make(store, wanted, 0, now, now)


def forget_invitations(store: Store, numbers: Sequence[int]) -> None:
    """Drop the links of invitations in the running write transaction."""
    short_links.forget(store, [_of_invitation(number) for number in numbers])


def _of_invitation(number: int) -> str:
    return f"invitation:{number}"


ACCOUNT_OF_ADDRESS = """
    SELECT id, link_epoch FROM player WHERE lower(email) = lower(?) AND email_confirmed_at IS NOT NULL
    ORDER BY created_at, id LIMIT 1"""
"""The oldest account whose holder has confirmed an address, and its link epoch."""


def is_for_present(store: Store, account: object, player_id: str) -> bool:
    """Whether an invitation whose claim `account` this is was sent in the present link epoch of a player."""
    epoch = _epoch(store, player_id)
    # Without the claim it was sent when there was no account, or in its first epoch.
    return account == [player_id, epoch] if epoch else account is None


def address_claim(address: str) -> str:
    """What a token says of the mail address that it is for: enough to compare, not to read."""
    return sha256(address.strip().lower().encode()).hexdigest()[:24]
