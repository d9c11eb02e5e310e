"""Confirming a mail address: the mail that asks for it, and what comes back.

Anybody can make an account with somebody else's address and keep its tokens. So who confirms from outside (without a
session or token of that account) is told which account it is, and all its tokens, sessions and links end, and the
tokens of its bots.

The mail proves who has the address, whichever account it was sent for: who is signed in to an account with the same
address confirms that by any of them, so mails that others asked for keep nobody out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, NamedTuple, TypedDict

from server.language import gettext as _
from server.service.accounts import links
from server.service.accounts.links import OldLinkError
from server.service.accounts.players import Player, lock, require_in
from server.service.common import audit_log, db_rate_limits
from server.service.common.errors import TooManyRequests
from server.service.common.quotas import ASKED_ADDRESS_A_DAY, CONFIRMATION_TRIES_A_DAY, CONFIRMATIONS_A_DAY, DAY
from server.service.outbox import enqueuing, stranger_mail
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SENT, HELD_BACK = "sent", "held_back"
"""What may have become of the mail that asks to confirm an address."""

Confirmation = Annotated[
    str,
    "What became of the mail that asks to confirm an address that was just given: `sent`, or `held_back` because "
    "enough of them went there today, of which any confirms it (PUT /players/me/confirmation), or too many left the "
    "caller's network or the server (POST /players/me/confirmation says why, and in how many seconds to ask again).",
]


class HeldToken(TypedDict):
    """A valid token of an account that somebody else may have."""

    name: str
    created_at: str
    last_used_at: str | None


class Holding(NamedTuple):
    """Who holds an account, as far as it is known: what somebody is to know before it becomes, or stays, theirs."""

    player_id: str
    name: str
    made_at: str
    given_at: str | None  # since when it has its address; None: since before that was noted
    confirmed_at: str | None
    tokens: list[HeldToken]  # its valid tokens. They may be somebody else's
    bots: list[str]  # what its bots are called that have a token


class Claim(NamedTuple):
    """What a mail that asks to confirm leads to."""

    holding: Holding  # of the account that is confirmed by it
    inside: bool  # who asks has shown that the account is theirs
    sent_for: str | None  # the name of the other account that the mail was sent for, where it is another
    done: bool  # the address is confirmed already


_HOLDING = "SELECT id, name, created_at, email_given_at, email_confirmed_at FROM player WHERE id = ?"
_TOKENS = """
    SELECT name, created_at, last_used_at FROM token
    WHERE player_id = ? AND revoked_at IS NULL ORDER BY id"""
_BOTS = """
    SELECT p.name FROM bot_account b JOIN player p ON p.id = b.player_id
    WHERE b.owner_id = ? AND EXISTS (SELECT 1 FROM token t WHERE t.player_id = p.id AND t.revoked_at IS NULL)
    ORDER BY b.handle"""
_REVOKE = """
    UPDATE token SET revoked_at = ? WHERE revoked_at IS NULL
    AND (player_id = ? OR player_id IN (SELECT b.player_id FROM bot_account b WHERE b.owner_id = ?))"""
_END_CHANNELS = """
    DELETE FROM channel
    WHERE player_id = ? OR player_id IN (SELECT b.player_id FROM bot_account b WHERE b.owner_id = ?)"""
_CONFIRM = "UPDATE player SET email_confirmed_at = ?, mail_stopped_at = NULL, mail_stopped_why = NULL WHERE id = ?"


def holding(store: Store, player_id: str) -> Holding | None:
    """Who holds an account, in a transaction; None when it is gone."""
    found = sql.row(store, _HOLDING, player_id)
    if found is None:
        return None
    bots = [name for (name,) in sql.rows(store, _BOTS, player_id)]
    return Holding._make([*found, sql.dicts(store, _TOKENS, player_id), bots])


def ask(store: Store, player_id: str, address: str, now: datetime) -> TooManyRequests | None:
    """Write into the running transaction the mail that asks to confirm `address`; where it is held back, why. Those
    that never left are not counted: what is counted lies in the mailbox, and confirms."""
    claim = links.address_claim(address)
    keys = [f"confirm:{claim}:{now.astimezone(UTC):%Y-%m-%d}:{number}" for number in range(ASKED_ADDRESS_A_DAY)]
    sql.execute(store, f"""DELETE FROM mail WHERE "key" IN {sql.marks(keys)} AND state IN ('skipped', 'dead')""", *keys)  # noqa: S608 - marks
    taken = enqueuing.known(store, keys)
    kind, most = _count_of(address)
    enough = TooManyRequests(
        _("enough mails went to this address today: look in your spam folder, or try tomorrow. Any of them confirms it "
          "for you while you are signed in here, even one that names another account"),
        db_rate_limits.left(DAY, now),
    )  # fmt: skip
    if len(taken) == len(keys) or not db_rate_limits.take(
        store, "confirm", f"{player_id} {claim}", CONFIRMATIONS_A_DAY, DAY, now
    ):
        return enough
    refusal = stranger_mail.take(store, kind, address, most, now, enough)
    if refusal is not None:
        return refusal
    for key in keys:
        if key not in taken and enqueuing.enqueue(store, "confirm", address, key=key, now=now, player_id=player_id):
            audit_log.note(store, "address_asked", now, player_id)
            return None
    return enough


def outcome(refusal: TooManyRequests | None) -> str:
    """What `ask` has brought about, in a word: `SENT` or `HELD_BACK`."""
    return SENT if refusal is None else HELD_BACK


def _count_of(address: str) -> tuple[str, int]:
    """Which count of its mailbox a mail to an address uses up, and how many of these a day there may be. Tags and dots
    make many addresses of one mailbox: each kind shares a count. A plain address has its own."""
    if "+" in address.rpartition("@")[0]:
        return "confirm", CONFIRMATIONS_A_DAY
    if stranger_mail.normal(address) != address.strip().lower():
        return "confirm dotted", ASKED_ADDRESS_A_DAY
    return "confirm plain", CONFIRMATION_TRIES_A_DAY


def claim_of_link(store: Store, token: str, visitor: Player | None, now: datetime) -> Claim:
    """What the mail leads to for `visitor` (None: nobody); changes nothing. Raises `BadLinkError`."""
    claims = links.read(store, token, "confirm", now=now, of_any_epoch=True)
    with store.read():
        return _claim(store, token, claims, visitor, now)


def confirm(store: Store, token: str, visitor: Player | None, now: datetime) -> Claim:
    """The address was reached: `token` comes back from its mail. What was confirmed, as it was before. Twice does no
    harm.

    From outside all tokens, sessions and links of the account end. Raises as `claim_of_link`, `AccessEndedError`, and
    `ClosedAccountError` for the address of an account that the operator has banned."""
    claims = links.read(store, token, "confirm", now=now, of_any_epoch=True)
    with store.write():
        # Before the address is read: the account may be getting another one, which nobody has reached.
        for player_id in sorted({str(one) for one in (claims.get("player"), visitor and visitor.id) if one}):
            lock(store, player_id)
        found = _claim(store, token, claims, visitor, now)
        if visitor is not None and found.inside:
            require_in(store, visitor)
        if found.done:
            return found
        player_id = found.holding.player_id
        if sql.row(store, _BANNED, player_id) is not None:
            raise links.ClosedAccountError
        if not found.inside:
            end_access(store, player_id, now)
        confirm_address(store, player_id, now)
    return found


_BANNED = """
    SELECT 1 FROM player b JOIN player p ON lower(b.email) = lower(p.email)
    WHERE p.id = ? AND b.email_confirmed_at IS NOT NULL AND b.banned_at IS NOT NULL"""
"""Whether the address of an account is that of one that was banned: who has it makes no other account with it. One that
was merely claimed by somebody who is banned stays its owner's."""


def confirm_own(store: Store, token: str, player: Player, now: datetime) -> None:
    """The same for a program that shows a token of the account. Raises `BadLinkError`, also for another address."""
    claims = links.read(store, token, "confirm", now=now, of_any_epoch=True)
    with store.read():
        if _account(store, player.id, claims.get("address")) is None:
            raise OldLinkError(_("this mail was sent to a different address from the one your account has"))
    confirm(store, token, player, now)


def _claim(store: Store, token: str, claims: links.Claims, visitor: Player | None, now: datetime) -> Claim:
    """See `claim_of_link`; in a transaction."""
    reached = claims.get("address")
    sent_for = _account(store, claims.get("player"), reached)
    own = None if visitor is None else _account(store, visitor.id, reached)
    target = own or sent_for
    if target is None:
        raise OldLinkError(_("this account has another mail address by now: confirm with the mail sent to that"))
    _mine, stopped = target
    done = _mine.confirmed_at is not None and stopped is None
    if own is None and not done:
        # What was sent before the account's links ended confirms it no more; the address itself it still proves.
        links.read(store, token, "confirm", now=now)
    other = sent_for[0].name if sent_for is not None and sent_for[0].player_id != _mine.player_id else None
    return Claim(_mine, own is not None, other, done)


def _account(store: Store, player_id: object, reached: object) -> tuple[Holding, str | None] | None:
    """An account that has the address that was reached, and since when no mail goes there."""
    if not isinstance(player_id, str):
        return None
    found = sql.row(store, "SELECT email, mail_stopped_at FROM player WHERE id = ?", player_id)
    if found is None or found[0] is None or links.address_claim(found[0]) != reached:
        return None
    held = holding(store, player_id)
    return None if held is None else (held, found[1])


def end_access(store: Store, player_id: str, now: datetime) -> None:
    """End in the running transaction whatever lets anybody into the account or its bots, or tells of them: tokens,
    sessions, links in mails, channels and feeds. Whoever makes more of these at the same time has done so before, or
    finds theirs ended (`players.is_in`)."""
    lock(store, player_id)
    ended = sql.execute(store, _REVOKE, utc(now), player_id, player_id).rowcount
    sql.execute(store, _END_CHANNELS, player_id, player_id)
    links.raise_epoch(store, player_id)
    audit_log.note(store, "access_ended", now, player_id, tokens=ended)


def end_all_access(store: Store, player_id: str, now: datetime) -> bool:
    """Let nobody into an account any more, because an operator says so; False when there is no such account."""
    with store.write():
        if sql.row(store, "SELECT 1 FROM player WHERE id = ?", player_id) is None:
            return False
        end_access(store, player_id, now)
        audit_log.note(store, "operator_ended_access", now, player_id)
    return True


def confirm_address(store: Store, player_id: str, now: datetime) -> None:
    """Note in the running transaction that the player's present address was reached, just now."""
    sql.execute(store, _CONFIRM, utc(now), player_id)
    audit_log.note(store, "address_confirmed", now, player_id)
