"""What the server keeps about a player, in one document: of a running game no hand of others and no seed, of others no
address that the player did not give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict, cast

import orjson

from server.engine.ulm1.shapes import JsonSchema, Options, Result, UtcTime
from server.engine.ulm1.turn import RESIGN
from server.service.accounts import bot_accounts, contacts, links, profiles, sessions, stored_bytes, tokens
from server.service.accounts.players import Player
from server.service.archive import game_collections
from server.service.common import audit_log
from server.service.common.naming import TITLE, with_name
from server.service.common.preferences import CHANNEL_MODES, MAIL_MODES
from server.service.games import loading, move_log, packed_log
from server.service.games.model import SANDBOX, Origin
from server.service.games.move_log import told_log
from server.service.lists import ratings
from server.service.lists.list_pages import Status
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

FORMAT = "ulm-account/1"


class OwnMove(TypedDict):
    """A move of the player, or in a sandbox of any seat that no bot has."""

    ply: int
    seat: Annotated[int, "The caller's; of a sandbox any that no bot has."]
    move: str
    at: Annotated[UtcTime | None, "When it was played."]
    automatic: Annotated[bool, "The server made it for the caller."]
    undone_at: Annotated[UtcTime | None, "When it was taken back."]


class OwnGame(TypedDict):
    """A game in which the player has a seat, with what is the player's own of it."""

    id: str
    name: str
    status: Status
    origin: Origin
    options: Options
    seats: int
    private: bool
    created_by_me: bool
    created_at: Annotated[UtcTime, "When it was made."]
    started_at: Annotated[UtcTime | None, "When it began."]
    finished_at: Annotated[UtcTime | None, "When it was over."]
    result: Result | None
    seat: int
    called: Annotated[str, "The caller's name at this table."]
    client_seed: Annotated[str, "The caller's share in the shuffle."]
    note: str
    mail: Annotated[str, JsonSchema(enum=MAIL_MODES)] | None
    read_message: Annotated[int, "Number of the newest message that the caller has read; 0: none."]
    push: Annotated[str, JsonSchema(enum=CHANNEL_MODES)] | None
    webhook: Annotated[str, JsonSchema(enum=CHANNEL_MODES)] | None
    moves: list[OwnMove]


class OwnMessage(TypedDict):
    """What the player wrote to the others of a game."""

    game: str
    seat: int
    kind: Annotated[str | None, "null: words; else what the player did at the table, without a text."]
    text: str
    at: Annotated[UtcTime, "When."]


class OwnComment(TypedDict):
    """What the player wrote about a move of a finished game."""

    game: str
    ply: int
    text: str
    at: Annotated[UtcTime, "When."]


class OwnVacation(TypedDict):
    """A vacation, past ones too."""

    starts_at: Annotated[UtcTime, "When it began or begins."]
    ends_at: Annotated[UtcTime, "When it ends."]
    created_at: Annotated[UtcTime, "When it was entered."]


class SentInvitation(TypedDict):
    """Whom the player invited; the address only if the player gave it."""

    game: str
    address: Annotated[
        str | None, "null when the caller never saw it: a rematch goes to addresses that stay their players'."
    ]
    player: Annotated[str | None, "Id of who was invited by name."]
    created_at: Annotated[UtcTime, "When."]


class AcceptedInvitation(TypedDict):
    """An invitation by which the player took a seat, or that was to the player by name."""

    game: str
    address: Annotated[str, "The caller's, at that time; empty of one by name."]
    created_at: Annotated[UtcTime, "When it was sent."]
    accepted_at: Annotated[UtcTime | None, "When the seat was taken."]


class KeptRecord(TypedDict):
    """An outside record that the player gave."""

    game: str
    name: str
    at: Annotated[UtcTime, "When."]


class OwnEntry(TypedDict):
    """A tournament that the player is in, or has made."""

    tournament: Annotated[str, "Its id."]
    name: str
    organised: Annotated[bool, "The caller has made it."]
    number: Annotated[int | None, "The caller's; null: not in it."]
    called: Annotated[str | None, "The caller's name there."]
    entered_at: UtcTime | None


class OwnMail(TypedDict):
    """A mail to the player."""

    kind: str
    game: str | None
    ply: int | None
    state: Annotated[str, JsonSchema(enum=["pending", "sending", "sent", "skipped", "dead"])]
    created_at: Annotated[UtcTime, "When its cause was."]
    due_at: Annotated[UtcTime, "When it was to be sent."]
    done_at: Annotated[UtcTime | None, "When it was sent or dropped."]


class OwnChannel(TypedDict):
    """A browser, a webhook or a pair of feeds to which news of the player go; never what is secret of it."""

    kind: Annotated[str, JsonSchema(enum=["push", "webhook", "feed"])]
    address: Annotated[str, "Of a webhook or of a browser's push service."]
    settings: dict[str, object]
    created_at: Annotated[UtcTime, "When it was made."]
    failing_since: Annotated[UtcTime | None, "Since when nothing arrives."]
    deliveries: Annotated[list[OwnDelivery], "What went there."]


class OwnDelivery(OwnMail):
    """News that went, or are to go, to a channel."""

    error: Annotated[str | None, "What the other side said."]


class Stored(TypedDict):
    """How much room the player's things take, of how much there is."""

    bytes: int
    most: Annotated[int, "What there is for the caller."]


class PersonalExport(TypedDict):
    """All that the server keeps about a player."""

    format: str
    exported_at: Annotated[UtcTime, "When."]
    profile: profiles.Profile
    tokens: list[tokens.ShownToken]
    sessions: list[sessions.ShownSession]
    games: list[OwnGame]
    messages: list[OwnMessage]
    comments: list[OwnComment]
    collections: list[game_collections.Collection]
    vacations: list[OwnVacation]
    invitations: list[SentInvitation]
    accepted: list[AcceptedInvitation]
    contacts: list[contacts.Contact]
    records: list[KeptRecord]
    tournaments: list[OwnEntry]
    bots: list[bot_accounts.ShownBot]
    mails: list[OwnMail]
    channels: list[OwnChannel]
    ratings: list[ratings.RatingCourse]
    audit: list[audit_log.OwnAuditLine]
    stored: Annotated[Stored, "What the caller's records, sandboxes, messages, notes and moves taken back take, about."]


def export(store: Store, player: Player, now: datetime) -> PersonalExport:
    """All of it, as it is now."""
    with store.read():
        used, most = stored_bytes.usage(store, player)
        return {
            "format": FORMAT,
            "exported_at": utc(now),
            "profile": profiles.profile(player),
            "tokens": tokens.listing(store, player),
            "sessions": sessions.listing(store, player, now),
            "games": _games(store, player),
            "messages": cast("list[OwnMessage]", sql.dicts(store, _MESSAGES, player.id)),
            "comments": cast("list[OwnComment]", sql.dicts(store, _COMMENTS, player.id)),
            "collections": game_collections.of_author(store, player),
            "vacations": cast("list[OwnVacation]", sql.dicts(store, _VACATIONS, player.id)),
            "invitations": _invitations(store, player),
            "accepted": cast("list[AcceptedInvitation]", sql.dicts(store, _ACCEPTED, player.id)),
            "contacts": contacts.listing(store, player),
            "records": [cast("KeptRecord", with_name(one)) for one in sql.dicts(store, _RECORDS, player.id)],
            "tournaments": [
                cast("OwnEntry", {**one, "organised": bool(one["organised"])})
                for one in sql.dicts(store, _TOURNAMENTS, player.id, player.id, player.id)
            ],
            "bots": bot_accounts.of_owner(store, player),
            "mails": cast("list[OwnMail]", sql.dicts(store, _MAILS, player.id)),
            "channels": _channels(store, player),
            "ratings": ratings.of_player(store, player.id, player),
            "audit": audit_log.of_player(store, player.id),
            "stored": {"bytes": used, "most": most},
        }


_MESSAGES = "SELECT game_id AS game, seat, kind, text, created_at AS at FROM message WHERE player_id = ? ORDER BY id"
_COMMENTS = "SELECT game_id AS game, ply, text, created_at AS at FROM comment WHERE player_id = ? ORDER BY id"
_VACATIONS = "SELECT starts_at, ends_at, created_at FROM vacation WHERE player_id = ? ORDER BY starts_at"
_ACCEPTED = """
    SELECT game_id AS game, address, created_at, accepted_at FROM invitation
    WHERE ? IN (player_id, invited_id) ORDER BY id"""
_RECORDS = f"""
    SELECT g.id AS game, {TITLE}, g.created_at AS at FROM imported_record r JOIN game g ON g.id = r.game_id
    WHERE r.player_id = ? ORDER BY g.created_at, g.id"""  # noqa: S608
_TOURNAMENTS = """
    SELECT t.id AS tournament, t.name, COALESCE(t.organiser_id, '') = ? AS organised, e.number, e.name AS called,
        e.entered_at
    FROM tournament t LEFT JOIN tournament_entry e ON e.tournament_id = t.id AND e.player_id = ?
    WHERE e.id IS NOT NULL OR t.organiser_id = ? ORDER BY t.created_at, t.id"""
_MAILS = """
    SELECT kind, game_id AS game, ply, state, created_at, due_at, done_at FROM mail WHERE player_id = ? ORDER BY id"""

_CHANNELS = """
    SELECT id, kind, address, settings, created_at, failing_since FROM channel WHERE player_id = ? ORDER BY id"""
_DELIVERIES = """
    SELECT kind, game_id AS game, ply, state, created_at, due_at, done_at, error FROM delivery
    WHERE channel_id = ? ORDER BY id"""


def _channels(store: Store, player: Player) -> list[OwnChannel]:
    found = sql.dicts(store, _CHANNELS, player.id)
    for one in found:
        one["settings"] = orjson.loads(one["settings"])
        one["deliveries"] = sql.dicts(store, _DELIVERIES, one.pop("id"))
    return cast("list[OwnChannel]", found)


_GAMES = f"""
    SELECT g.id, {TITLE}, g.status, g.origin, g.options, g.seats, g.private, g.creator_id, g.created_at, g.started_at,
        g.finished_at, g.result, s.seat, s.name AS called, s.client_seed, s.note, s.mail,
        s.read_message, s.push, s.webhook
    FROM seat s JOIN game g ON g.id = s.game_id WHERE s.player_id = ? ORDER BY g.created_at, g.id"""  # noqa: S608
_OF_A_BOT = "SELECT seat FROM seat WHERE game_id = ? AND bot IS NOT NULL"


def _games(store: Store, player: Player) -> list[OwnGame]:
    found = [with_name(game) for game in sql.dicts(store, _GAMES, player.id)]
    for game in found:
        game["created_by_me"] = game.pop("creator_id") == player.id
        game["private"] = bool(game["private"])
        game["options"] = orjson.loads(game["options"])
        game["result"] = orjson.loads(game["result"]) if game["result"] else None
        game["note"] = game["note"] or ""
        game["moves"] = moves = _own_moves(store, game)
        if game["origin"] != SANDBOX and game["status"] != "finished" and any(one["move"] == "resign" for one in moves):
            _renumber(store, player, game["id"], moves)
    return cast("list[OwnGame]", found)


def _own_moves(store: Store, game: sql.ByName) -> list[sql.ByName]:
    """The player's moves, those taken back among them. They hide nothing from their player, not even a `draw` that the
    others do not see yet. In a sandbox its owner moves for every seat that no bot has."""
    seats = {game["seat"]}
    if game["origin"] == SANDBOX:
        seats = set(range(game["seats"])) - {seat for (seat,) in sql.rows(store, _OF_A_BOT, game["id"])}
    # Where there is none, the archive is asked: not where there is none of anybody, which a hidden draw would change.
    rows = [row for row in move_log.in_rows(store, game["id"]) if row.seat in seats]
    rows = rows or [row for row in packed_log.read(store, game["id"]) or () if row.seat in seats]
    return [
        {
            "ply": row.ply,
            "seat": row.seat,
            "move": row.move,
            "at": row.played_at,
            "automatic": row.automatic,
            "undone_at": row.undone_at,
        }
        for row in rows
    ]


def _renumber(store: Store, player: Player, game_id: str, moves: list[sql.ByName]) -> None:
    """Give a resignation the ply that its player reads in the log: its own would tell of a draw before it."""
    game = loading.for_reader(store, game_id, player)
    told = told_log(store, game, game.seat_of(player))
    for move in moves:
        if move["move"] == "resign":
            move["ply"] = next(one.ply for one in told if one.move == RESIGN and one.seat == move["seat"])


_INVITED = (
    "SELECT game_id AS game, address, invited_id AS player, created_at FROM invitation WHERE inviter_id = ? ORDER BY id"
)
_TYPED = """SELECT 1 FROM mail WHERE "key" = ? AND kind = 'invitation'"""


def _invitations(store: Store, player: Player) -> list[SentInvitation]:
    """Whom the player invited. The address only where its mail shows that the player gave it: a rematch is offered to
    addresses that its player never sees. Whether anybody accepted is not told."""
    found = sql.dicts(store, _INVITED, player.id)
    for one in found:
        key = f"invitation:{one['game']}:{links.address_claim(one['address'])}"
        if sql.row(store, _TYPED, key) is None:
            one["address"] = None
    return cast("list[SentInvitation]", found)
