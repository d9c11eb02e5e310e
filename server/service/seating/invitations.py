"""Inviting people to a game: by mail, whose link takes a seat and shows that the address is theirs, or by name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict, cast

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import account_opening, bot_accounts, confirming, contacts, links, players
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.accounts.players import Player
from server.service.common import audit_log, checks, db_rate_limits, preferences
from server.service.common.errors import Conflict, Forbidden, NotFound, TooManyRequests, bad_field
from server.service.common.naming import TITLE, spoken, with_name
from server.service.common.preferences import Wishes
from server.service.common.quotas import (
    DAY,
    INVITATIONS_A_DAY,
    INVITATIONS_OF_GUEST_A_DAY,
    INVITATIONS_TO_ADDRESS_A_DAY,
    INVITED_TO_GAME,
)
from server.service.games import loading
from server.service.games.model import Game
from server.service.games.saving import change_row, changing
from server.service.outbox import enqueuing, stranger_mail
from server.service.seating import joining, seats
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


@dataclass(frozen=True, slots=True)
class Invited:
    """What an invitation link leads to."""

    game_id: str
    game_name: str
    commitment: str
    inviter: str | None
    seats: int
    names: list[str]  # who has a seat already
    free: int
    status: str
    seated: bool  # somebody with this address sits there already
    account: str | None  # what the account of this address is called, for who has shown otherwise that it is theirs
    sign_in: bool  # there is one, and who looks has not: it takes the seat for who signs in alone


class Sent(TypedDict):
    """Whom an invitation went to; the same whether or not an address belongs to an account, or a player reads it."""

    game: Annotated[str, "Id of the game."]
    address: Annotated[str | None, "The one that was given; null of a player who was invited by name."]
    player: Annotated[str | None, "Id of a player who was invited by name."]
    created_at: Annotated[UtcTime, "When."]


_INVITED = "SELECT created_at FROM invitation WHERE game_id = ? AND lower(address) = lower(?)"


def invite(store: Store, player: Player, game_id: str, address: str | None, now: datetime) -> Sent:
    """Invite an address to an open game, once. Raises `NotFound`, `Forbidden` (neither seat nor the creator's),
    `Conflict` (started, full), `Unprocessable`, `TooManyRequests`."""
    checked = checks.email(address)
    if checked is None:
        raise bad_field("address", _("give the address to invite"))
    claim = links.address_claim(checked)
    with store.write():
        game = _host_game(store, player, game_id)
        known = sql.value(store, _INVITED, game.id, checked)
        if known is not None:
            return {"game": game.id, "address": checked, "player": None, "created_at": known}
        _require_few(store, player, game, now)
        enough = TooManyRequests(
            _("this address was invited to several games today: try again tomorrow"), db_rate_limits.left(DAY, now)
        )
        refusal = stranger_mail.take(store, "invitation", checked, INVITATIONS_TO_ADDRESS_A_DAY, now, enough)
        if refusal is not None:
            raise refusal
        row = {"game_id": game.id, "inviter_id": player.id, "address": checked, "created_at": utc(now)}
        number = sql.insert_numbered(store, "invitation", **row)
        enqueuing.enqueue(
            store,
            "invitation",
            checked,
            key=f"invitation:{game.id}:{claim}",
            now=now,
            game_id=game.id,
            data={"invitation": number, "inviter": player.name},
        )
        change_row(store, game.id)
    return {"game": game.id, "address": checked, "player": None, "created_at": utc(now)}


def _host_game(store: Store, player: Player, game_id: str) -> Game:
    """The open game to which a player invites, inside a write transaction. Raises as `invite`."""
    game = loading.for_change(store, game_id)
    game.require_visible(player)
    if game.seat_of(player) is None and game.creator != player.id:
        raise Forbidden(_("only those who sit in this game may invite others to it"))
    game.require_room()
    bot_accounts.require_person(store, player)
    return game


def _require_few(store: Store, player: Player, game: Game, now: datetime) -> None:
    """Count an invitation. Raises `TooManyRequests` where the game or the player has sent enough."""
    if (sql.value(store, "SELECT count(*) FROM invitation WHERE game_id = ?", game.id) or 0) >= INVITED_TO_GAME:
        raise TooManyRequests(
            _("%(number)s people were invited to this game: wait for their answers", number=INVITED_TO_GAME),
            db_rate_limits.left(DAY, now),
        )
    most = INVITATIONS_OF_GUEST_A_DAY if player.email_confirmed_at is None else INVITATIONS_A_DAY
    said = _("you have invited %(number)s people today: try again tomorrow", number=most)
    db_rate_limits.require(store, "invites", player.id, most, DAY, now, said)


_INVITED_BY_NAME = "SELECT created_at FROM invitation WHERE game_id = ? AND invited_id = ?"


def invite_player(store: Store, player: Player, game_id: str, other_id: str, now: datetime) -> Sent:
    """Invite a player by name to an open game, once: it is on their first page, and in a mail where mail reaches them.
    What becomes of it where they keep the inviter away, or want no mail, is not told. Raises `NotFound` (also where the
    inviter may not know of the player), `Forbidden`, `Conflict` (started, full, seated already, kept away by the
    inviter), `TooManyRequests`."""
    with store.write():
        game = _host_game(store, player, game_id)
        if contacts.invitable(store, player, other_id) is None:
            raise contacts.no_such_player()
        if any(seat.player == other_id for seat in game.seats):
            raise Conflict(_("this player has a seat in the game already"))
        if contacts.kind_of(store, player.id, other_id) == contacts.BLOCKED:
            raise Conflict(_("you have blocked this player: end that first"))
        known = sql.value(store, _INVITED_BY_NAME, game.id, other_id)
        if known is not None:
            return {"game": game.id, "address": None, "player": other_id, "created_at": known}
        _require_few(store, player, game, now)
        # Strangers keep nobody away whom the other knows. (Not by the list of friends: what is refused would tell it.)
        if not contacts.have_sat_together(store, other_id, player.id):
            said = _("this player was invited to several games today: try again tomorrow")
            db_rate_limits.require(store, "invited", other_id, INVITATIONS_TO_ADDRESS_A_DAY, DAY, now, said)
        seats.offer(store, game, player, [other_id], now)
        change_row(store, game.id)
    return {"game": game.id, "address": None, "player": other_id, "created_at": utc(now)}


class OwnInvitation(TypedDict):
    """An open game to which the caller was invited by name."""

    game: Annotated[str, "Id of the game."]
    name: Annotated[str, "What the game is called."]
    inviter: Annotated[str | None, "Id; null of one whose account is gone."]
    inviter_name: str | None
    rematch_of: Annotated[str | None, "Id of the game that this is a rematch of."]
    invitation: Annotated[str | None, "The key of a private game, with which its seat is taken."]
    created_at: Annotated[UtcTime, "When."]


_KEPT_AWAY = """EXISTS (
    SELECT 1 FROM contact c JOIN player t ON t.id = c.player_id
    WHERE c.other_id = i.inviter_id AND c.kind = 'blocked' AND (
        t.id = i.invited_id OR (lower(t.email) = lower(i.address) AND t.email_confirmed_at IS NOT NULL)))"""
"""The SQL condition under which whom invitation `i` is to keeps the inviter away."""
_TO_PLAYER = f"""
    SELECT g.id AS game, {TITLE}, p.id AS inviter, p.name AS inviter_name, g.rematch_of, g.invitation, i.created_at
    FROM invitation i JOIN game g ON g.id = i.game_id LEFT JOIN player p ON p.id = i.inviter_id
    WHERE i.invited_id = ? AND i.declined_at IS NULL AND g.status = 'open' AND NOT {_KEPT_AWAY}
        AND EXISTS (SELECT 1 FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)
        AND NOT EXISTS (SELECT 1 FROM seat s WHERE s.game_id = g.id AND s.player_id = i.invited_id)
    ORDER BY i.created_at DESC, i.id DESC LIMIT 20"""  # noqa: S608
_DECLINE = "UPDATE invitation SET declined_at = ? WHERE game_id = ? AND invited_id = ? AND declined_at IS NULL"


def to_player(store: Store, player: Player) -> list[OwnInvitation]:
    """The newest invitations by name that a player may still accept (`joining.join`), newest first."""
    with store.read():
        return [cast("OwnInvitation", with_name(one)) for one in sql.dicts(store, _TO_PLAYER, player.id)]


def decline(store: Store, player: Player, game_id: str, now: datetime) -> None:
    """Say no to an invitation by name: those at the table see it. Raises `NotFound`."""
    with changing(store):
        change_row(store, game_id)  # before the invitation, as whoever takes a seat locks them
        if sql.execute(store, _DECLINE, utc(now), game_id, player.id).rowcount == 0:
            raise NotFound(_("there is no such invitation any more"))


def read(store: Store, token: str, now: datetime, visitor: Player | None = None) -> Invited:
    """What the link leads to, for `visitor` (None: nobody known); changes nothing. Raises `BadLinkError`."""
    with store.read():
        found = _find(store, token, now)
        game, account = found.game, found.account
        own = visitor is not None and visitor.id == account
        return Invited(
            game_id=game.id,
            game_name=spoken(game.name),
            commitment=game.commitment,
            inviter=found.inviter,
            seats=game.seat_count,
            names=[spoken(seat.name) for seat in game.seats if seat.name is not None],
            free=sum(seat.free for seat in game.seats),
            status=game.status,
            seated=account is not None and any(seat.player == account for seat in game.seats),
            account=visitor.name if visitor is not None and own else None,
            sign_in=account is not None and not own,
        )


class Offer(NamedTuple):
    """An invitation, or that to a rematch, for who writes its mail; `game` is how it stands at present."""

    number: int
    address: str
    accepted: bool
    inviter: str | None
    game: Game


_OFFERED = f"""
    SELECT i.id, i.address, i.accepted_at IS NOT NULL, p.name
    FROM invitation i LEFT JOIN player p ON p.id = i.inviter_id
    WHERE i.id = ? AND i.game_id = ? AND i.declined_at IS NULL AND NOT {_KEPT_AWAY}"""  # noqa: S608


def offer(store: Store, number: int | None, game_id: str | None) -> Offer | None:
    """The invitation of that number to a game; None when either is gone, or it is not to arrive."""
    with store.read():
        found = sql.row(store, _OFFERED, number, game_id)
        if found is None or game_id is None:
            return None
        known, address, accepted, inviter = found
        return Offer(known, address, bool(accepted), inviter, loading.for_reader(store, game_id, None))


def accept(
    store: Store,
    token: str,
    name: str | None,
    client_seed: str | None,
    now: datetime,
    wished: Wishes | None = None,
    visitor: Player | None = None,
) -> tuple[str, str]:
    """Take the seat, as the `visitor` where theirs is the account that has confirmed this address, or as a new one,
    whose address is confirmed by it and which has the `wished` preferences. Returns the ids of the game and the player.
    Raises `BadLinkError`, `Conflict` (started, full), `Forbidden` (there is an account: it has to sign in),
    `Unprocessable`. What fails half-way can be repeated by who signs in."""
    seed = checks.client_seed(client_seed)
    with store.write():
        own = None if visitor is None or not players.is_in(store, visitor) else visitor.id
        found = _find(store, token, now, locked=True)
        number, game, player_id = found.number, found.game, found.account
        if player_id is None:
            game.require_room()
            called, wishes = checks.name("name", name), preferences.of_newcomer(wished)
            made = account_opening.add(store, called, now, "invitation", email=found.address, preferences=wishes)
            player_id = made.id
            confirming.confirm_address(store, player_id, now)
        elif player_id != own:
            # The link lies in a mailbox for a month, and others may read there: it is no key to what was there before.
            raise Forbidden(_("there is an account with this address: sign in to take the seat"))
    player = players.player_by_id(store, player_id)
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone"))
    if all(seat.player != player_id for seat in game.seats):
        joining.join(store, player, game.id, seed, game.invitation, now)
    with store.write():
        sql.execute(
            store, "UPDATE invitation SET accepted_at = ?, player_id = ? WHERE id = ?", utc(now), player_id, number
        )
        audit_log.note(store, "invitation_accepted", now, player_id, game=game.id)
    return game.id, player_id


class _Found(NamedTuple):
    """An invitation that was not accepted yet; `account` is whose it is, where there is one."""

    number: int
    address: str
    account: str | None
    game: Game
    inviter: str | None


_FIND = """
    SELECT i.id, i.address, i.invited_id, i.accepted_at, i.game_id, p.name FROM invitation i
    LEFT JOIN player p ON p.id = i.inviter_id WHERE i.id = ?"""


def _find(store: Store, token: str, now: datetime, locked: bool = False) -> _Found:
    """The invitation of a link, in a transaction. `locked` against others who accept it: it makes one account."""
    claims = links.read(store, token, "invitation", now=now)
    found = sql.row(store, sql.locking(store, _FIND, "i") if locked else _FIND, claims.get("invitation"))
    number, address, invited, accepted, game, inviter = found or (None,) * 6
    # One by name is whoever's it names, whatever their address is by now.
    if number is None or (invited is None and links.address_claim(address) != claims.get("address")):
        raise BadLinkError(_("there is no such invitation any more"))
    if accepted is not None:
        raise OldLinkError(
            _("this invitation has already been accepted: sign in with your address to get to your game")
        )
    try:
        return _Found(
            number, address, invited or _account(store, address), loading.for_reader(store, game, None), inviter
        )
    except NotFound:
        raise BadLinkError(_("the game that this invitation was for is gone")) from None


_ACCOUNT = """
    SELECT id FROM player WHERE lower(email) = lower(?) AND email_confirmed_at IS NOT NULL
    ORDER BY created_at, id LIMIT 1"""


def _account(store: Store, address: str) -> str | None:
    """The oldest account whose holder has confirmed this address. One that merely claims it is left out."""
    return sql.value(store, _ACCOUNT, address)
