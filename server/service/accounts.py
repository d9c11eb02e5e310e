"""Players and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from server.language import gettext as _
from server.service import audit, checks, limits, links, mailboxes, notices, sql
from server.service import preferences as wishes
from server.service.errors import Conflict, TooManyRequests, Unprocessable
from server.storage import models
from server.storage.database import Store
from server.storage.models import parse_utc, utc

Entropy = Callable[[int], bytes]
"""Where secrets come from: a number of bytes in, that many unguessable bytes out."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
USE_NOTED_EVERY = HOUR
CONFIRMATIONS_A_DAY = 5
"""So many mails that ask for confirmation go to one address a day, whoever gives it as theirs."""
ADDRESSES_A_DAY = 10
"""So often may one account change its address: each time a mail goes out."""
TOKEN_MAX = 200
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789x"  # 32 letters; none that people take for another


def random_id(entropy: Entropy, length: int) -> str:
    """An unguessable name of `length` letters, five bits each."""
    return "".join(ALPHABET[byte & 31] for byte in entropy(length))


def new_token(entropy: Entropy) -> str:
    """An unguessable bearer token."""
    return "ulm_" + entropy(24).hex()


@dataclass(frozen=True, slots=True)
class Player:
    """Who asks. `preferences` is complete (defaults filled in); times are text in UTC."""

    id: str
    name: str
    email: str | None = None
    email_confirmed_at: str | None = None
    preferences: dict[str, Any] = field(default_factory=lambda: dict(wishes.PREFERENCES))
    created_at: str | None = None
    mail_stopped_at: str | None = None
    mail_stopped_why: str | None = None

    @property
    def is_guest(self) -> bool:
        """Nobody could sign in to this account on another device."""
        return self.email is None


def create_player(
    store: Store,
    name: str,
    email: str | None,
    now: datetime,
    entropy: Entropy = secrets.token_bytes,
    machine: str = "",
    most: int | None = None,
) -> dict[str, Any]:
    """Open an account. Returns `{id, name, token}`; the token is shown this once. An address is asked to confirm.

    `machine` is who asks (its address) and `most` how many accounts are opened for it in an hour (None: any number).
    Raises `Unprocessable` for a name or an address that cannot be, `TooManyRequests` beyond `most`.
    """
    name = checks.name("name", name)
    email = checks.email(email)
    player_id = random_id(entropy, 16)
    token = new_token(entropy)
    with store.write():
        if most is not None and not limits.take_from(store, "account", machine, most, HOUR, now):
            raise TooManyRequests(
                _("%(number)s accounts were made from your network in this hour: go on in the next", number=most),
                limits.left(HOUR, now),
            )
        models.Player.insert(id=player_id, name=name, email=email, created_at=now).execute()
        models.Token.insert(player=player_id, hash=token_hash(token), created_at=now).execute()
        audit.note(store, "account_made", now, player_id, by="api")
        if email is not None:
            _ask_to_confirm(store, player_id, email, now)
    return {"id": player_id, "name": name, "token": token}


_PLAYER = """
    SELECT p.id, p.name, p.email, p.email_confirmed_at, p.preferences, p.created_at, p.mail_stopped_at,
        p.mail_stopped_why"""
_BY_ID = _PLAYER + " FROM player p WHERE p.id = ?"
_AUTHENTICATE = _PLAYER + """, t.id, t.last_used_at
    FROM token t JOIN player p ON p.id = t.player_id
    WHERE t.hash = ? AND t.revoked_at IS NULL"""


def _read(row: Sequence[Any]) -> Player:
    """A player from the columns of `_PLAYER`."""
    account = list(row)
    account[4] = wishes.read(account[4])
    return Player(*account)


def player_by_id(store: Store, player_id: Any) -> Player | None:
    """The account, for those who have shown otherwise that it is theirs; None when it is gone."""
    with store.read():
        found = sql.row(store, _BY_ID, player_id) if isinstance(player_id, str) else None
    return None if found is None else _read(found)


def authenticate(store: Store, token: str | None, now: datetime) -> Player | None:
    """The player that `token` belongs to, None when it is unknown or revoked.

    One statement; at most once an hour a second one notes that the token is in use.
    """
    # Looked up by hash: how long the answer takes tells nothing about any stored token.
    if not isinstance(token, str) or not token.isascii() or not 0 < len(token) <= TOKEN_MAX:
        return None
    with store.read():
        found = sql.row(store, _AUTHENTICATE, token_hash(token))
    if found is None:
        return None
    *account, token_id, last_used = found
    if last_used is None or parse_utc(last_used) + USE_NOTED_EVERY <= now:
        with store.write():
            sql.execute(store, "UPDATE token SET last_used_at = ? WHERE id = ?", utc(now), token_id)
    return _read(account)


def profile(player: Player) -> dict[str, Any]:
    """What a player sees of the own account: `{id, name, email, email_confirmed, mail_stopped, preferences,
    created_at}`; `mail_stopped` is `{at, why}` when a mail to the address came back, else None."""
    stopped = None
    if player.mail_stopped_at is not None:
        stopped = {"at": player.mail_stopped_at, "why": player.mail_stopped_why or ""}
    return {
        "id": player.id,
        "name": player.name,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "mail_stopped": stopped,
        "preferences": dict(player.preferences),
        "created_at": player.created_at,
    }


def update_profile(store: Store, player: Player, changes: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Change `name`, `email` or some `preferences`, and return the profile as it is then.

    A new address is unconfirmed: but for the mail that asks to confirm it none goes there; links and sessions from
    before end where there was another one. Raises `Unprocessable` for
    anything unknown, `TooManyRequests` for one address after the other.
    """
    unknown = set(changes) - {"name", "email", "preferences"}
    if unknown:
        raise Unprocessable("only name, email and preferences can be changed", {key: ["unknown"] for key in unknown})
    with store.write():
        row = models.Player.select().where(models.Player.id == player.id)
        stored = store.for_update(row).get()
        if "name" in changes:
            stored.name = checks.name("name", changes["name"])
        if "email" in changes:
            address = checks.email(changes["email"])
            if address != stored.email:
                if stored.email is not None:
                    # Links lie in the old mailbox, and sessions were opened by them.
                    stored.link_epoch += 1
                    audit.note(store, "address_changed" if address else "address_removed", now, player.id)
                stored.email, stored.email_confirmed_at = address, None
                stored.mail_stopped_at = stored.mail_stopped_why = None
                if address is not None:
                    if not limits.take(store, "address", player.id, ADDRESSES_A_DAY, DAY, now):
                        raise TooManyRequests(
                            _("you have changed your address %(number)s times today: wait a day",
                              number=ADDRESSES_A_DAY),
                            limits.left(DAY, now),
                        )
                    _ask_to_confirm(store, player.id, address, now)
        if "preferences" in changes:
            wanted = wishes.check(changes["preferences"])
            stored.preferences = wishes.dump({**wishes.read(stored.preferences), **wanted})
        stored.save()
    return profile(
        replace(
            player,
            name=stored.name,
            email=stored.email,
            email_confirmed_at=stored.email_confirmed_at,
            mail_stopped_at=stored.mail_stopped_at,
            mail_stopped_why=stored.mail_stopped_why,
            preferences=wishes.read(stored.preferences),
        )
    )


def ask_to_confirm(store: Store, player: Player, now: datetime) -> None:
    """Send the mail that asks the player to confirm the address once more.

    Raises `Conflict` when there is nothing to confirm, `TooManyRequests` when enough went to this address today.
    """
    with store.write():
        statement = "SELECT email, email_confirmed_at, mail_stopped_at FROM player WHERE id = ?"
        found = sql.row(store, statement, player.id)
        if found is None or found[0] is None:
            raise Conflict(_("your account has no mail address: give one with PATCH /api/v1/players/me first"))
        if found[1] is not None and found[2] is None:
            raise Conflict(_("your address is confirmed: mail is on its way whenever there is news"))
        if not _ask_to_confirm(store, player.id, found[0], now):
            raise TooManyRequests(
                _("%(number)s mails went to this address today: look among the unwanted ones, or try tomorrow",
                  number=CONFIRMATIONS_A_DAY),
                limits.left(DAY, now),
            )


def _ask_to_confirm(store: Store, player_id: str, address: str, now: datetime) -> bool:
    """Write the notice, unless this address was asked often enough today; whether it was written."""
    claim = links.address_claim(address)
    if not mailboxes.take(store, "confirm", address, CONFIRMATIONS_A_DAY, now):
        return False
    for number in range(CONFIRMATIONS_A_DAY):
        key = f"confirm:{claim}:{now.astimezone(UTC):%Y-%m-%d}:{number}"
        if notices.enqueue(store, "confirm", key=key, now=now, player_id=player_id, address=address):
            audit.note(store, "address_asked", now, player_id)
            return True
    return False


def confirm_email(store: Store, token: str, now: datetime) -> dict[str, str]:
    """The address was reached: its holder sends back what the mail held. Returns `{id, name, email}` of the player.

    Doing it twice does no harm. Raises `links.BadLinkError` (also when the player has another address by now).
    """
    claims = links.read(store, token, "confirm", now=now)
    with store.write():
        found = sql.row(store, "SELECT id, name, email FROM player WHERE id = ?", claims.get("player"))
        if found is None or found[2] is None or links.address_claim(found[2]) != claims.get("address"):
            raise links.OldLinkError(_("this account has another mail address by now: confirm with the mail sent to "
                                       "that"))
        confirm_address(store, found[0], now)
    return {"id": found[0], "name": found[1], "email": found[2]}


def confirm_address(store: Store, player_id: str, now: datetime) -> None:
    """Note in the running transaction that the player's present address was reached, just now."""
    sql.execute(
        store,
        "UPDATE player SET email_confirmed_at = ?, mail_stopped_at = NULL, mail_stopped_why = NULL WHERE id = ?",
        utc(now),
        player_id,
    )
    audit.note(store, "address_confirmed", now, player_id)


def token_hash(token: str) -> str:
    """What is stored of a token: tokens are random and long, so a plain hash is enough."""
    return sha256(token.encode("utf-8")).hexdigest()
