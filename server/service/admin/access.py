"""Who may see the operator's page: whoever can run `ulm admin sign-in`, which makes a link that works once.

Link and session are signed tokens of purposes of their own, so nothing that a player has is one, and neither of them is
anything to a player's pages. `ulm links rotate --revoke` ends them like all others.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from server.language import gettext as _
from server.service.accounts import links
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.common import audit_log, db_rate_limits
from server.service.common.errors import TooManyRequests
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

LINK, SESSION = "operator_link", "operator"
HOUR = timedelta(hours=1)
TRIES_AN_HOUR = 20
"""Links that are tried from one machine."""


class Operator(NamedTuple):
    """Who looks after the server: the name of the user who had the link made."""

    name: str

    @property
    def noted(self) -> str:
        """As the audit log names them for what they do there."""
        return f"{self.name} on the page"


def make_link(store: Store, name: str, now: datetime) -> str:
    """A token that lets `name` in, once and within minutes. Noted in the audit log."""
    with store.write():
        audit_log.note(store, "operator_made_link", now)
    return links.sign(store, LINK, now=now, by=name, nonce=secrets.token_hex(12))


def look(store: Store, token: str, now: datetime) -> Operator:
    """Whom a link lets in; it is not used up by that. Raises `BadLinkError`."""
    claims = links.read(store, token, LINK, now=now)
    if _is_used(store, token, LINK):
        raise OldLinkError(_("this link has already been used, and works only once: ask for a new one"))
    return Operator(str(claims.get("by")))


def sign_in(store: Store, token: str, machine: str, now: datetime) -> str:
    """Use a link up; the token of the session that it begins. Raises `BadLinkError`, `TooManyRequests`."""
    with store.write():
        tried = db_rate_limits.take_from(store, "operator", machine, TRIES_AN_HOUR, HOUR, now)
    if not tried:
        raise TooManyRequests(
            _("too many links were tried from your network: wait until the next hour"), db_rate_limits.left(HOUR, now)
        )
    name = look(store, token, now).name
    session = links.sign(store, SESSION, now=now, by=name, nonce=secrets.token_hex(12))
    with store.write():
        links.use_once(store, token, LINK, now)
        audit_log.operated_by(name)
        audit_log.note(store, "operator_signed_in", now)
    return session


def find(store: Store, session: str | None, now: datetime) -> Operator | None:
    """Whose session this is; None for all that is none, or is over."""
    if not session:
        return None
    try:
        claims = links.read(store, session, SESSION, now=now)
    except BadLinkError:
        return None
    return None if _is_used(store, session, SESSION) else Operator(str(claims.get("by")))


def sign_out(store: Store, session: str, now: datetime) -> None:
    """End a session."""
    with store.write():
        until = utc(now + links.LIFETIMES[SESSION] + links.AHEAD)
        statement = "INSERT INTO used_link (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
        sql.execute(store, statement, links.used_hash(session, SESSION), until)
        audit_log.note(store, "operator_signed_out", now)


def _is_used(store: Store, token: str, purpose: str) -> bool:
    with store.read():
        return sql.row(store, "SELECT 1 FROM used_link WHERE hash = ?", links.used_hash(token, purpose)) is not None
