"""Signing in without a password: a link by mail, used once, gives a session: a cookie, and a row under its hash."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, NamedTuple, TypedDict

from itsdangerous import BadSignature, Signer

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.language import gettext as _
from server.service.accounts import links
from server.service.accounts.links import OldLinkError
from server.service.accounts.players import Player, lock, player_by_id, require_in
from server.service.common import audit_log, checks, db_rate_limits
from server.service.common.errors import NotFound, TooManyRequests, bad_field
from server.service.common.quotas import HOUR, SIGN_IN_ASKS_AN_HOUR, SIGN_INS_AN_HOUR, SIGN_INS_OF_ADDRESS_AN_HOUR
from server.service.outbox import enqueuing
from server.service.outbox.addressees import is_reached
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

IDLE = timedelta(days=30)
"""So long a session lasts that nobody uses, where nothing else is said."""
WHOLE = 3
"""So many times that it lasts at all."""
USE_NOTED_EVERY = timedelta(hours=1)
FRESH = timedelta(minutes=15)
"""So long after signing in by a mail one may change what an account hangs on."""
SESSIONS_MAX = 50
"""Of more than so many sessions of a player those end that were not used for longest."""
FORM_KEPT = timedelta(days=7)
"""So long a form may lie about before it is sent."""
TOKEN_MAX = 300
"""Characters; what is longer is no session of ours."""
ID_LENGTH = 16
"""A session's public id is the beginning of its hash."""


def ask(store: Store, address: str | None, machine: str, now: datetime, back: str = "") -> None:
    """Send a sign-in link to each account with this confirmed address. Whether there is one, nothing tells.

    `machine` is who asks (its address), `back` a path of this server to come to afterwards ("": home). Raises
    `Unprocessable` for what can be no address, and `TooManyRequests` beyond the limits, the same for every address."""
    checked = checks.email(address)
    if checked is None:
        raise bad_field("email", _("give the address of your account"))
    claim = links.address_claim(checked)
    with store.write():
        # The same writes for every address, known or not.
        refusal = _("many sign-in links were asked for from your network: wait until the next hour")
        db_rate_limits.require_from(store, "ask", machine, SIGN_IN_ASKS_AN_HOUR, HOUR, now, refusal)
        # Links that are on their way already work as well as another one.
        if not db_rate_limits.take_from(
            store, f"sign in {claim}", machine, SIGN_INS_AN_HOUR, HOUR, now
        ) or not db_rate_limits.take(store, "sign in", claim, SIGN_INS_OF_ADDRESS_AN_HOUR, HOUR, now):
            refusal = _(
                "several links were asked for with this address within the hour: if it has an account, they "
                "are in its mailbox, perhaps in the spam folder, and the newest one works"
            )
            raise TooManyRequests(refusal, db_rate_limits.left(HOUR, now))
        # A domain beyond ASCII stands in accounts from before as it was typed.
        for (player_id,) in sql.rows(store, _WITH_ADDRESS, checked, str(address).strip()):
            _send_link(store, player_id, checked, now, back)


_WITH_ADDRESS = "SELECT id FROM player WHERE lower(email) IN (lower(?), lower(?)) AND email_confirmed_at IS NOT NULL"


def _send_link(store: Store, player_id: str, address: str, now: datetime, back: str) -> None:
    key, data = f"sign_in:{player_id}:{secrets.token_hex(8)}", {"back": back} if back else {}
    enqueuing.enqueue(store, "sign_in", address, key=key, now=now, player_id=player_id, data=data)
    audit_log.note(store, "sign_in_asked", now, player_id)


def ask_once_more(store: Store, player: Player, now: datetime, back: str) -> None:
    """Send a sign-in link to a signed-in player, which leads to `back`. Raises `TooManyRequests`."""
    with store.write():
        require_in(store, player)
        refusal = _(
            "%(number)s links went to your address within the hour: use one of them, or wait", number=SIGN_INS_AN_HOUR
        )
        db_rate_limits.require(store, "sign in once more", player.id, SIGN_INS_AN_HOUR, HOUR, now, refusal)
        if player.email is not None:  # else it was removed meanwhile
            _send_link(store, player.id, player.email, now, back)


def player_for(store: Store, token: str, now: datetime) -> Player:
    """Whom a sign-in link is for; it is not used up by that. Raises `BadLinkError`."""
    claims = links.read(store, token, "sign_in", now=now)
    with store.read():
        player = player_by_id(store, claims.get("player"))
        if player is None or player.email is None or links.address_claim(player.email) != claims.get("address"):
            raise OldLinkError(_("this account has another address by now: ask for a new link"))
        links.require_unused(store, token, "sign_in")
    return player


class Session(NamedTuple):
    """A good session: public id, whose it is, when it and its link by mail began, and whether to `note_use`."""

    id: str
    player: Player
    began: datetime
    fresh_at: datetime | None
    to_note: bool

    def is_fresh(self, now: datetime) -> bool:
        """Whether its holder has just shown that the mail of the account is theirs."""
        return self.fresh_at is not None and self.fresh_at <= now + links.AHEAD and now < self.fresh_at + FRESH


def must_be_fresh(player: Player) -> bool:
    """Whether the player could be asked to sign in once more: who gets no mail could not."""
    return is_reached(player.email_confirmed_at, player.mail_stopped_at)


def sign_in(store: Store, token: str, now: datetime, device: str = "", instead_of: str | None = None) -> str:
    """Use a sign-in link; the token of the new session. Raises `BadLinkError`, also when it was used before.

    `device` is what signs in, in short words; `instead_of` is the session that this browser has had, which ends."""
    player_id = player_for(store, token, now).id
    with store.write():
        lock(store, player_id)
        player_for(store, token, now)  # who signs out everywhere at the same time ends the link
        links.use_once(store, token, "sign_in", now)
        session = _begin(store, player_id, now, device, fresh=True)
        audit_log.note(store, "sign_in", now, player_id, session=_hash(session)[:ID_LENGTH])
        if instead_of is not None:
            sql.execute(store, _END, _hash(instead_of))
    return session


def new_session(
    store: Store,
    player_id: str,
    now: datetime,
    device: str = "",
    fresh: bool = False,
) -> str:
    """A session for a player who has shown otherwise that the account is theirs (or, `fresh`, as if by a link)."""
    with store.write():
        lock(store, player_id)
        return _begin(store, player_id, now, device, fresh)


def renew(store: Store, session: str) -> str | None:
    """Another token for a session, in place of the one that it had; None when it has ended. It lives no longer by that,
    and is not fresh any more."""
    renewed = secrets.token_hex(32)
    with store.write():
        changed = sql.execute(store, _RENEW, _hash(renewed), _hash(session)).rowcount
    return renewed if changed else None


_RENEW = "UPDATE session SET hash = ?, fresh_at = NULL WHERE hash = ?"
_INSERT = """
    INSERT INTO session (hash, player_id, device, began_at, seen_at, fresh_at)
    SELECT ?, p.id, ?, ?, ?, ? FROM player p WHERE p.id = ? AND p.banned_at IS NULL"""
_END = "DELETE FROM session WHERE hash = ?"
_BEYOND = "SELECT hash FROM session WHERE player_id = ? ORDER BY seen_at DESC, hash LIMIT 1000 OFFSET ?"


def _begin(store: Store, player_id: str, now: datetime, device: str, fresh: bool) -> str:
    """Add a session in the running write transaction; its token."""
    session, at = secrets.token_hex(32), utc(now)
    row = _hash(session)
    sql.execute(store, _INSERT, row, device[:80], at, at, at if fresh else None, player_id)
    for (one,) in sql.rows(store, _BEYOND, player_id, SESSIONS_MAX):
        if one != row:
            sql.execute(store, _END, one)
    return session


def _hash(session: str) -> str:
    """What is stored of a session's token; of those that version 0.1.0 signed, of what was signed."""
    return sha256(f"session {session.rpartition('.')[0] or session}".encode("utf-8", "replace")).hexdigest()


def player_of(store: Store, session: str | None, now: datetime, idle: timedelta = IDLE) -> Player | None:
    """Whose session this is; None when it is none, too old, or was ended."""
    found = find(store, session, now, idle)
    return None if found is None else found.player


_ROW = "SELECT player_id, began_at, seen_at, fresh_at FROM session WHERE hash = ?"


def find(store: Store, session: str | None, now: datetime, idle: timedelta = IDLE) -> Session | None:
    """The session of which this is the token; None when there is none. Reads only."""
    if session is None:
        return None
    row = _hash(session)
    with store.read():  # one look for all of it: every page begins with this
        found = sql.row(store, _ROW, row)
        player = None if found is None else player_by_id(store, found[0], ("session", row))
    if found is None or player is None:
        return None
    _player_id, began_at, seen_at, fresh_at = found
    if _is_over(player, began_at, seen_at, now, idle):
        return None
    due = parse_utc(seen_at) + USE_NOTED_EVERY <= now
    return Session(row[:ID_LENGTH], player, parse_utc(began_at), fresh_at and parse_utc(fresh_at), due)


def note_use(store: Store, session: str, now: datetime) -> None:
    """Note that the session of this token is used now."""
    with store.write():
        sql.execute(store, "UPDATE session SET seen_at = ? WHERE hash = ?", utc(now), _hash(session))


def _is_over(player: Player, began_at: str, seen_at: str, now: datetime, idle: timedelta) -> bool:
    if player.email_confirmed_at is None:  # for a guest there is no way back in
        return parse_utc(seen_at) + WHOLE * idle <= now
    return parse_utc(seen_at) + idle <= now or parse_utc(began_at) + WHOLE * idle <= now


class ShownSession(TypedDict):
    """What is shown of a session; `device` is "" when it did not tell what it is."""

    id: str
    device: Annotated[str, 'Browser and system, "" when they are not known.', JsonSchema(example="Firefox, Linux")]
    began_at: Annotated[UtcTime, "When it was signed in."]
    last_used_at: Annotated[UtcTime, "When it was last seen, to the hour."]
    current: Annotated[bool, "It is the one that asks: never so of a token."]


def listing(
    store: Store, player: Player, now: datetime, idle: timedelta = IDLE, current: str | None = None
) -> list[ShownSession]:
    """The player's sessions, the last used first; `current` is the id of the one that asks."""
    statement = "SELECT hash, device, began_at, seen_at FROM session WHERE player_id = ? ORDER BY seen_at DESC, hash"
    rows = sql.rows(store, statement, player.id)
    return [
        {"id": row[:ID_LENGTH], "device": device, "began_at": began_at, "last_used_at": seen_at,
         "current": row[:ID_LENGTH] == current}
        for row, device, began_at, seen_at in rows if not _is_over(player, began_at, seen_at, now, idle)
    ]  # fmt: skip


def end(store: Store, player: Player, session_id: str, now: datetime) -> None:
    """End one of the player's sessions, by its public id. Raises `NotFound`."""
    with store.write():
        require_in(store, player)
        for (row,) in sql.rows(store, "SELECT hash FROM session WHERE player_id = ?", player.id):
            if row[:ID_LENGTH] == session_id:
                sql.execute(store, _END, row)
                audit_log.note(store, "session_ended", now, player.id, session=session_id)
                return
    raise NotFound(_("you have no such session; perhaps it is over already"))


def sign_out(store: Store, session: str | None, now: datetime) -> None:
    """End a session everywhere; whatever is none is ignored."""
    found = find(store, session, now)
    if session is not None and found is not None:
        with store.write():
            sql.execute(store, _END, _hash(session))
            audit_log.note(store, "sign_out", now, found.player.id, session=found.id)


def sign_out_everywhere(store: Store, player: Player, now: datetime) -> None:
    """End all sessions that the player has, on every device, and all links in mails. Tokens for programs stay good."""
    with store.write():
        require_in(store, player)
        links.raise_epoch(store, player.id)
        audit_log.note(store, "sign_out_everywhere", now, player.id)


def clean_up(store: Store, now: datetime, idle: timedelta) -> int:
    """Forget the rows of sessions that are over, because nobody has used them; how many."""
    with store.write():
        before = utc(now - (WHOLE + 1) * idle)
        return int(sql.execute(store, "DELETE FROM session WHERE seen_at < ?", before).rowcount)


def form_token(secret: str, now: datetime) -> str:
    """A token for the forms of a page: signed with what its visitor holds (the link's token, the session)."""
    return _form_signer(secret).sign(utc(now.replace(second=0))).decode()


def check_form(token: str | None, secret: str, now: datetime) -> bool:
    """Whether a form came from a page that was made for the holder of `secret`, not too long ago."""
    try:
        made_at = parse_utc(_form_signer(secret).unsign((token or "").encode("utf-8", "replace")).decode())
    except (BadSignature, ValueError):
        return False
    return made_at.tzinfo is not None and -links.AHEAD <= now - made_at <= FORM_KEPT


def _form_signer(secret: str) -> Signer:
    return Signer(secret.encode("utf-8", "replace"), salt="ulm form", key_derivation="hmac", digest_method=sha256)


# The first that is found counts: each browser also names those before it in history.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Opera", "Opera"), ("Vivaldi", "Vivaldi"),
    ("SamsungBrowser", "Samsung Internet"), ("DuckDuckGo", "DuckDuckGo"),
    ("FxiOS", "Firefox"), ("Firefox", "Firefox"), ("CriOS", "Chrome"),
    ("Chromium", "Chromium"), ("HeadlessChrome", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ("curl", "curl"), ("Lynx", "Lynx"), ("w3m", "w3m"),
)  # fmt: skip
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Macintosh", "macOS"), ("Linux", "Linux"), ("BSD", "BSD"),
)  # fmt: skip


def device(user_agent: str) -> str:
    """Browser and system that a `User-Agent` header names (`Firefox, Linux`), "" when it names none that is known."""
    found = [next((name for word, name in known if word in user_agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found))
