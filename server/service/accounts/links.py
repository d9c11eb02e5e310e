"""Signed links: what a mail leads to, bound to what it is for.

A token says who may do what (player, game, seat, ply) and is signed for one purpose: a link to a turn signs nobody in,
an invitation confirms no other address. Keys lie in the table `signing_key`; the newest signs, all of them verify. A
token is worth what a password is: it stands in mails and addresses, never in a log, a metric or a Referer.

What lets a player in (`PERSONAL`) holds their *link epoch*, a number of the account. Signing out everywhere, another
address and `ulm links rotate --revoke` raise it, and whatever was signed before is worthless from then on.

    token = links.sign(store, "turn", now=notice.due, player=…, game=…, ply=…, seat=…)   # or turn_token(…)
    link_urls.turn_url(settings, token), link_urls.move_url(settings, token, "push N2")
    links.read(store, token, "turn", now=now) -> {"player": …, "game": …, "ply": …, "seat": …}
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from server.engine.canonical import Json
from server.language import gettext as _
from server.service.common import audit_log
from server.service.common.errors import ServiceError
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

if TYPE_CHECKING:
    from server.service.common.ids import Entropy

LIFETIMES: dict[str, timedelta] = {
    "turn": timedelta(days=120),  # and no longer than the turn: turn_page.py asks the game
    "confirm": timedelta(days=7),
    "sign_in": timedelta(hours=1),
    "invitation": timedelta(days=30),
    "unsubscribe": timedelta(days=730),
    "session": timedelta(days=400),  # as long as a browser keeps a cookie; sessions.py ends it sooner
    "form": timedelta(days=7),
}
"""What tokens are for, and how long each kind is good at most."""
PERSONAL = ("turn", "confirm", "sign_in", "session")
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
        super().__init__(message or _("this link is not complete or not right: copy it whole from the mail"))


Claims = dict[str, Json]
"""What a token says."""


class OldLinkError(BadLinkError):
    """The token was right and is no longer."""

    status = 410


class _Signer(TimestampSigner):
    """itsdangerous' signer with the time passed in."""

    def __init__(self, *args: Any, moment: datetime, **kwargs: Any) -> None:  # Any: as of `TimestampSigner`
        super().__init__(*args, **kwargs)
        self._moment = int(moment.timestamp())

    def get_timestamp(self) -> int:
        return self._moment


def sign(store: Store, purpose: str, *, now: datetime, **claims: object) -> str:
    """A token for `purpose` (one of `LIFETIMES`) that holds `claims` (JSON values).

    The same claims and time give the same token, so that a mail that is sent once more reads the same. Call it outside
    every transaction: the first of all makes a key. Of a player (`PERSONAL`) it is good for the present link epoch.
    """
    if purpose in PERSONAL:
        claims |= _epoch_claim(_epoch(store, claims.get("player")))
    keys = [secret for secret, created_at in _keys(store, now) if created_at <= utc(now)]
    # A mail that was due before the first key was made is signed with that.
    return str(_serializer(purpose, keys or [_keys(store, now)[0][0]], now).dumps(claims))


def read(store: Store, token: str, purpose: str, *, now: datetime, of_any_epoch: bool = False) -> Claims:
    """The claims of a token, without the epoch, for which the token is good.

    Raises `BadLinkError`, and `OldLinkError` beyond its lifetime (`LIFETIMES`) or in a later link epoch of its player
    (which is left to the caller with `of_any_epoch`: for what the token says of an address, not of the player).
    """
    return read_signed(store, token, purpose, now=now, of_any_epoch=of_any_epoch)[0]


def read_signed(
    store: Store, token: str, purpose: str, *, now: datetime, of_any_epoch: bool = False
) -> tuple[Claims, datetime]:
    """The claims of a token and when it was signed. Raises as `read` does."""
    if not isinstance(token, str) or not token.isascii() or len(token) > TOKEN_MAX:
        raise BadLinkError
    with store.read():
        keys = tuple([row[0] for row in sql.rows(store, _KEYS)])
    if not keys:
        raise BadLinkError
    try:
        claims, signed_at = _opened(purpose, keys, token)
    except BadData:
        raise BadLinkError from None
    if not isinstance(claims, dict):
        raise BadLinkError
    age = now - signed_at.astimezone(UTC)
    if not -AHEAD <= age <= LIFETIMES[purpose]:
        raise OldLinkError(_("this link is too old: ask for a new one"))
    found = dict(claims)
    epoch = found.pop(_EPOCH, 0)
    # Of an account that is gone, whoever looks for it says so.
    if purpose in PERSONAL and not of_any_epoch and _epoch(store, found.get("player")) not in (None, epoch):
        raise OldLinkError(
            _("this link was ended: by signing out everywhere, or because the account has another address now")
        )
    return found, signed_at


_EPOCH = "epoch"


def _epoch_claim(epoch: int | None) -> dict[str, int]:
    # Links that were signed before there were epochs say nothing of theirs, which is the first.
    return {_EPOCH: epoch} if epoch else {}


def _epoch(store: Store, player_id: object) -> int | None:
    """The player's link epoch; None where there is no such account."""
    if not isinstance(player_id, str):
        return None
    with store.read():
        found = sql.row(store, "SELECT link_epoch FROM player WHERE id = ?", player_id)
    return None if found is None else int(found[0])


def raise_epoch(store: Store, player_id: str) -> None:
    """Make all links and sessions of a player worthless, in the running write transaction. API tokens stay good."""
    sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1 WHERE id = ?", player_id)
    sql.execute(store, "DELETE FROM session WHERE player_id = ?", player_id)


@lru_cache(maxsize=2000)  # 0.12 ms a request with a session
def _opened(purpose: str, keys: tuple[str, ...], token: str) -> tuple[Json, datetime]:
    """What a token holds and when it was signed; raises `BadData`. Whether it is too old, nothing here tells: the same
    token, with the same keys, is always this. A session comes with every request, and to check it is dear."""
    unused = datetime.fromtimestamp(0, UTC)  # the time of what would be signed
    claims, signed_at = _serializer(purpose, list(keys), unused).loads(token, return_timestamp=True)
    return claims, signed_at


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
        raise OldLinkError(_("this link was used already, and it works once: ask for a new one"))


def used_hash(token: str, purpose: str) -> str:
    """What is stored of a token that was used: of what is signed, for Base64 can write one signature in many ways."""
    return sha256(f"{purpose} {token.rpartition('.')[0]}".encode("utf-8", "replace")).hexdigest()


def rotate(store: Store, now: datetime, revoke: bool = False, entropy: Entropy = secrets.token_bytes) -> int:
    """Sign with a new key from now on; how many keys verify afterwards.

    What was signed before stays good, but for keys that nothing can be left of; with `revoke` it is worthless at once:
    by its key, and what lets players in by their link epoch as well.
    """
    oldest = utc(now - max(LIFETIMES.values()) - AHEAD)
    with store.write():
        keys = sql.rows(store, "SELECT id, created_at FROM signing_key ORDER BY id")
        # A key has signed nothing after its successor was made.
        gone = [key for (key, _), (_, successor) in pairwise(keys) if successor < oldest]
        for key in [key for key, _ in keys] if revoke else gone:
            sql.execute(store, "DELETE FROM signing_key WHERE id = ?", key)
        if revoke:
            sql.execute(store, "UPDATE player SET link_epoch = link_epoch + 1")
            sql.execute(store, "DELETE FROM session")
        _add_key(store, now, entropy)
        audit_log.note(store, "operator_rotated_keys", now, revoked=int(revoke))
        return len(sql.rows(store, _KEYS))


def turn_token(store: Store, *, now: datetime, player_id: str, game_id: str, ply: int, seat: int) -> str:
    """A token for one turn of one seat; `ply` is that at which the turn began, as its player sees it."""
    return sign(store, "turn", now=now, player=player_id, game=game_id, ply=ply, seat=seat)


def sign_in_token(store: Store, *, now: datetime, player_id: str, address: str) -> str:
    """A token that signs the player in once, while `address` is theirs."""
    return sign(store, "sign_in", now=now, player=player_id, address=address_claim(address))


def invitation_token(store: Store, *, now: datetime, invitation_id: int, address: str) -> str:
    """A token that takes the seat that `address` was invited to; as the account that has confirmed it, if there is one,
    in its present link epoch alone (`is_for_present`)."""
    with store.read():
        found = sql.row(store, ACCOUNT_OF_ADDRESS, address)
    account = {"account": [found[0], found[1]]} if found is not None and found[1] else {}
    return sign(store, "invitation", now=now, invitation=invitation_id, address=address_claim(address), **account)


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


_KEYS = "SELECT secret, created_at FROM signing_key ORDER BY id"


def _keys(store: Store, now: datetime) -> list[tuple[str, str]]:
    """The keys with their times, oldest first; makes the first."""
    with store.read():
        found = sql.rows(store, _KEYS)
    if not found:
        with store.write():
            if not sql.rows(store, _KEYS):
                _add_key(store, now, secrets.token_bytes)
        with store.read():
            found = sql.rows(store, _KEYS)
    return [(secret, created_at) for secret, created_at in found]


def _add_key(store: Store, now: datetime, entropy: Entropy) -> None:
    statement = "INSERT INTO signing_key (secret, created_at) VALUES (?, ?)"
    sql.execute(store, statement, entropy(32).hex(), utc(now))


def _serializer(purpose: str, keys: list[str], now: datetime) -> URLSafeTimedSerializer:
    if purpose not in LIFETIMES:
        raise ValueError(f"links are for {', '.join(LIFETIMES)}; not for {purpose!r}")
    return URLSafeTimedSerializer(
        keys,
        salt=f"ulm link {purpose}",
        signer=_Signer,
        signer_kwargs={"moment": now, "key_derivation": "hmac", "digest_method": sha256},
    )
