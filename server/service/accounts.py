"""Players and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from server.language import gettext as _
from server.service import audit, checks, confirming, limits, links, notices, replies, scopes, sql
from server.service import preferences as wishes
from server.service.errors import Conflict, Forbidden, TooManyRequests, Unprocessable
from server.storage import models
from server.storage.database import Store
from server.storage.models import parse_utc, utc

Entropy = Callable[[int], bytes]
"""Where secrets come from: a number of bytes in, that many unguessable bytes out."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
USE_NOTED_EVERY = HOUR
SENT, HELD_BACK = "sent", "held_back"
"""What may have become of the mail that asks to confirm a new address."""
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
    asked: replies.Asked | None = None,
) -> dict[str, Any]:
    """Open an account. Returns `{id, name, token}`; the token is shown this once. An address is asked to confirm, and
    there is `confirmation` then: "sent", or "held_back" (enough of these mails went there today).

    `machine` is who asks (its address) and `most` how many accounts are opened for it in an hour (None: any number).
    Raises `Unprocessable` for a name or an address that cannot be, `TooManyRequests` beyond `most`, `Conflict` when it
    was `asked` for and opened before under the same key.
    """
    name = checks.name("name", name)
    email = checks.email(email)
    player_id = random_id(entropy, 16)
    token = new_token(entropy)
    with store.write():
        told = replies.before(store, asked)
        if told is not None:
            raise replies.shown_once(told)
        if most is not None and not limits.take_from(store, "account", machine, most, HOUR, now):
            raise TooManyRequests(
                _("%(number)s accounts were made from your network in this hour: go on in the next", number=most),
                limits.left(HOUR, now),
            )
        given = None if email is None else now
        models.Player.insert(id=player_id, name=name, email=email, email_given_at=given, created_at=now).execute()
        models.Token.insert(player=player_id, hash=token_hash(token), created_at=now).execute()
        audit.note(store, "account_made", now, player_id, by="api")
        confirmation = None if email is None else _ask_to_confirm(store, player_id, email, now)
        replies.keep(store, asked, {"id": player_id}, now)
    made = {"id": player_id, "name": name, "token": token}
    return made if confirmation is None else {**made, "confirmation": confirmation}


def _ask_to_confirm(store: Store, player_id: str, address: str, now: datetime) -> str:
    return SENT if confirming.ask(store, player_id, address, now) else HELD_BACK


_PLAYER = """
    SELECT p.id, p.name, p.email, p.email_confirmed_at, p.preferences, p.created_at, p.mail_stopped_at,
        p.mail_stopped_why"""
_BY_ID = _PLAYER + " FROM player p WHERE p.id = ?"
_AUTHENTICATE = _PLAYER + """, t.id, t.last_used_at, t.scopes, t.expires_at
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


@dataclass(frozen=True, slots=True)
class Access:
    """What a token opens: whose it is, what it may be used for (`scopes.SCOPES`), and until when (text in UTC)."""

    player: Player
    scopes: tuple[str, ...]
    expires_at: str | None


def authenticate(store: Store, token: str | None, now: datetime) -> Player | None:
    """The player that `token` belongs to, whatever it may do; None when it is unknown, revoked or too old."""
    found = access(store, token, now)
    return None if found is None else found.player


def access(store: Store, token: str | None, now: datetime) -> Access | None:
    """What `token` opens, None when it is unknown, revoked or too old.

    One statement; at most once an hour a second one notes that the token is in use.
    """
    # Looked up by hash: how long the answer takes tells nothing about any stored token.
    if not isinstance(token, str) or not token.isascii() or not 0 < len(token) <= TOKEN_MAX:
        return None
    with store.read():
        found = sql.row(store, _AUTHENTICATE, token_hash(token))
    if found is None:
        return None
    *account, token_id, last_used, held, expires_at = found
    if expires_at is not None and expires_at <= utc(now):
        return None
    if last_used is None or parse_utc(last_used) + USE_NOTED_EVERY <= now:
        with store.write():
            sql.execute(store, "UPDATE token SET last_used_at = ? WHERE id = ?", utc(now), token_id)
    return Access(_read(account), scopes.read(held), expires_at)


def profile(player: Player, confirmation: str | None = None) -> dict[str, Any]:
    """What a player sees of the own account: `{id, name, email, email_confirmed, mail_stopped, preferences,
    created_at}`; `mail_stopped` is `{at, why}` when a mail to the address came back, else None. `confirmation` is in it
    when an address was just given: what became of the mail that asks to confirm it.
    """
    stopped = None
    if player.mail_stopped_at is not None:
        stopped = {"at": player.mail_stopped_at, "why": player.mail_stopped_why or ""}
    shown = {} if confirmation is None else {"confirmation": confirmation}
    return shown | {
        "id": player.id,
        "name": player.name,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "mail_stopped": stopped,
        "preferences": dict(player.preferences),
        "created_at": player.created_at,
    }


def update_profile(
    store: Store, player: Player, changes: dict[str, Any], now: datetime, by_token: bool = False
) -> dict[str, Any]:
    """Change `name`, `email` or some `preferences`, and return the profile as it is then.

    A new address is unconfirmed: but for the mail that asks to confirm it none goes there. Where there was another one,
    links and sessions from before end, and it hears of the change if it was confirmed. Raises `Unprocessable` for
    anything unknown, `TooManyRequests` for one address after the other, `Forbidden` when a program (`by_token`) asks
    for another address than a confirmed one: a stolen token would take the account, and its owner's way back in.
    """
    unknown = set(changes) - {"name", "email", "preferences"}
    if unknown:
        raise Unprocessable("only name, email and preferences can be changed", {key: ["unknown"] for key in unknown})
    confirmation = None
    with store.write():
        row = models.Player.select().where(models.Player.id == player.id)
        stored = store.for_update(row).get()
        if "name" in changes:
            stored.name = checks.name("name", changes["name"])
        if "email" in changes:
            address = checks.email(changes["email"])
            if address != stored.email:
                if by_token and stored.email_confirmed_at is not None and stored.mail_stopped_at is None:
                    raise Forbidden(
                        _("your address is confirmed, and your account hangs on it: sign in on the pages and change it "
                          "at /account"),
                        kind="fresh-sign-in",
                    )
                if stored.email is not None:
                    # Links lie in the old mailbox, and sessions were opened by them.
                    links.raise_epoch(store, player.id)
                    stored.link_epoch += 1  # `save` writes it again
                    audit.note(store, "address_changed" if address else "address_removed", now, player.id)
                    _tell_old_address(store, stored, address, now)
                stored.email, stored.email_confirmed_at = address, None
                stored.email_given_at = None if address is None else utc(now)
                stored.mail_stopped_at = stored.mail_stopped_why = None
                if address is not None:
                    if not limits.take(store, "address", player.id, ADDRESSES_A_DAY, DAY, now):
                        raise TooManyRequests(
                            _("you have changed your address %(number)s times today: wait a day",
                              number=ADDRESSES_A_DAY),
                            limits.left(DAY, now),
                        )
                    confirmation = _ask_to_confirm(store, player.id, address, now)
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
        ),
        confirmation,
    )


def _tell_old_address(store: Store, stored: models.Player, address: str | None, now: datetime) -> None:
    """Write into the running transaction the notice to the address that an account had until now, if it was reached.

    It names neither the new address nor anything that lets somebody in: the old one may be no longer theirs."""
    if stored.email_confirmed_at is None or stored.mail_stopped_at is not None:
        return
    key = f"address_changed:{stored.id}:{utc(now)}:{secrets.token_hex(4)}"
    data = {"removed": address is None}
    notices.enqueue(store, "address_changed", key=key, now=now, player_id=stored.id, address=stored.email, data=data)


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
        if not confirming.ask(store, player.id, found[0], now):
            raise TooManyRequests(
                _("enough mails went to this address today: look among the unwanted ones, or try tomorrow. Any of them "
                  "confirms it for you while you are signed in here, also one that names another account"),
                limits.left(DAY, now),
            )


def token_hash(token: str) -> str:
    """What is stored of a token: tokens are random and long, so a plain hash is enough."""
    return sha256(token.encode("utf-8")).hexdigest()
