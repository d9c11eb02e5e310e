"""Signing in without a password: a link by mail, used once, gives a session.

A session is a signed token in a cookie. Nothing of it is stored until somebody signs out; then its hash is, for as long
as the token would have been good. Signing out everywhere raises the player's link epoch.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from server.language import gettext as _
from server.service import audit, checks, limits, links, notices, sql
from server.service.accounts import Entropy, Player, player_by_id
from server.service.errors import bad_field
from server.service.links import BadLinkError, OldLinkError
from server.storage.database import Store

HOUR = timedelta(hours=1)
MAILS_AN_HOUR = 3
"""Sign-in mails to one address."""
ASKS_AN_HOUR = 100
"""Requests for sign-in mails from one machine."""


def ask(store: Store, address: str | None, machine: str, now: datetime, back: str = "") -> None:
    """Send a sign-in link to each account with this confirmed address. Whether there is one, nothing tells.

    Beyond the limits nothing is sent, and nothing is said of that either. `machine` is who asks (its address), `back`
    a path of this server to come to afterwards ("": home). Raises `Unprocessable` for what can be no address.
    """
    checked = checks.email(address)
    if checked is None:
        raise bad_field("email", _("give the address of your account"))
    claim = links.address_claim(checked)
    with store.write():
        # The same writes for every address, known or not.
        if not limits.take_from(store, "ask", machine, ASKS_AN_HOUR, HOUR, now):
            return
        if not limits.take(store, "sign in", claim, MAILS_AN_HOUR, HOUR, now):
            return
        accounts = sql.rows(
            store,
            "SELECT id FROM player WHERE lower(email) = lower(?) AND email_confirmed_at IS NOT NULL",
            checked,
        )
        for (player_id,) in accounts:
            key = f"sign_in:{player_id}:{secrets.token_hex(8)}"
            data = {"back": back} if back else {}
            notices.enqueue(store, "sign_in", key=key, now=now, player_id=player_id, address=checked, data=data)
            audit.note(store, "sign_in_asked", now, player_id)


def look(store: Store, token: str, now: datetime) -> Player:
    """Whom a sign-in link is for; it is not used up by that. Raises `BadLinkError`."""
    claims = links.read(store, token, "sign_in", now=now)
    player = player_by_id(store, claims.get("player"))
    if player is None or player.email is None or links.address_claim(player.email) != claims.get("address"):
        raise OldLinkError(_("this account has another address by now: ask for a new link"))
    with store.read():
        if sql.row(store, "SELECT 1 FROM used_link WHERE hash = ?", links.used_hash(token, "sign_in")):
            raise OldLinkError(_("this link was used already, and it works once: ask for a new one"))
    return player


def sign_in(store: Store, token: str, now: datetime) -> str:
    """Use a sign-in link; returns the token of the new session. Raises `BadLinkError`, also when it was used before."""
    player = look(store, token, now)
    with store.write():
        links.use_once(store, token, "sign_in", now)
        audit.note(store, "sign_in", now, player.id)
    return new_session(store, player.id, now)


def new_session(store: Store, player_id: str, now: datetime, entropy: Entropy = secrets.token_bytes) -> str:
    """A session for a player who has shown that the account is theirs."""
    return links.sign(store, "session", now=now, player=player_id, nonce=entropy(9).hex())


def player_of(store: Store, session: str | None, now: datetime) -> Player | None:
    """Whose session this is; None when it is none, too old, or was ended."""
    if session is None:
        return None
    with store.read():  # one look for all of it: every page begins with this
        try:
            claims = links.read(store, session, "session", now=now)
        except BadLinkError:
            return None
        if sql.row(store, "SELECT 1 FROM used_link WHERE hash = ?", links.used_hash(session, "session")):
            return None
        return player_by_id(store, claims.get("player"))


def sign_out(store: Store, session: str | None, now: datetime) -> None:
    """End a session everywhere; whatever is none is ignored."""
    player = player_of(store, session, now)
    if session is not None and player is not None:
        with store.write():
            links.use_once(store, session, "session", now)
            audit.note(store, "sign_out", now, player.id)


def sign_out_everywhere(store: Store, player: Player, now: datetime) -> None:
    """End all sessions that the player has, on every device, and all links in mails. Tokens for programs stay good."""
    with store.write():
        links.raise_epoch(store, player.id)
        audit.note(store, "sign_out_everywhere", now, player.id)


def form_token(store: Store, secret: str, now: datetime) -> str:
    """A token for the forms of a page, bound to what its visitor holds: the link's token, the session."""
    return links.sign(store, "form", now=now, of=_fingerprint(secret))


def check_form(store: Store, token: str | None, secret: str, now: datetime) -> bool:
    """Whether a form came from a page that was made for the holder of `secret`."""
    try:
        claims = links.read(store, token or "", "form", now=now)
    except BadLinkError:
        return False
    return claims.get("of") == _fingerprint(secret)


def _fingerprint(secret: str) -> str:
    return sha256(f"form {secret}".encode("utf-8", "replace")).hexdigest()[:32]

