"""What callers see of one game: page, legal moves, log. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from typing import Annotated, NotRequired, TypedDict

import orjson

from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import JsonSchema, Phase, Score, UtcTime, View
from server.engine.ulm1.turn import DRAW, END
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.preferences import CHANNELS, Channel
from server.service.games import clock, loading, move_log, proposals, rated
from server.service.games.model import SANDBOX, Edition, Entry, Game, Invited
from server.service.games.proposals import ShownProposal
from server.service.lists.game_lists import GameSummary, rating_range, seated, unread
from server.storage import sql
from server.storage.database import Store

INVITED = ("waiting", "accepted", "declined", "left")


class Invitee(TypedDict):
    """Somebody who was invited to an open game, and what became of it."""

    player: Annotated[
        str | None, "Id of who was invited by name; before a seat is taken to who did it alone, but for rematches."
    ]
    name: str | None
    address: Annotated[str | None, "Of who was invited by mail; told to the one who did it alone."]
    inviter: Annotated[str | None, "Id of who invited them."]
    created_at: Annotated[UtcTime, "When."]
    state: Annotated[str, JsonSchema(enum=INVITED)]
    reached: Annotated[bool, "Whether mail reaches them, as far as is known."]


class GamePage(GameSummary):
    """A game as its caller may see it."""

    creator: Annotated[
        str | None, "Id of the player who made it, or to whom it passed when they left before the start."
    ]
    rated: Annotated[
        Annotated[str, JsonSchema(enum=rated.STATES)] | None,
        "Whether it counts for ratings: `begun` if it comes to a regular end as it stands, and if all who sit down in "
        "it wish that; `counted` when it was. null: it does not count.",
    ]
    commitment: Annotated[str, "SHA-256 of the server's secret share in the shuffle, in hex."]
    round: int | None
    phase: Phase | None
    view: Annotated[View | None, "null before the start."]
    standing: Annotated[
        list[Score] | None, "What each seat would have if the game ended as `view` shows it; null before the start."
    ]
    pause_votes: Annotated[list[int], "Seats whose players wish for a pause."]
    turn_began_at: Annotated[UtcTime | None, "Since when the turn under way counts; null while nobody is to move."]
    extra_seconds: Annotated[int | None, "So much longer it may take than the clock says: the others gave it."]
    proposal: Annotated[ShownProposal | None, "What is proposed to the players, or how the game has ended by it."]
    waits_for: Annotated[
        Annotated[str, JsonSchema(enum=["notice", "mail", "operator"])] | None,
        "What the clock stands still for: until the notice of the turn can be sent (told to those who sit there), "
        "while this server sends no mail at all, or until the operator lets this game go on. `deadline` is null then.",
    ]
    waits_since: Annotated[UtcTime | None, "Since when it does."]
    granted_seconds: Annotated[
        int | None,
        "So much time of the turn under way was lost because its notice was late or the server was off, and does not "
        "count. Told to those who sit there.",
    ]
    mail_stopped: Annotated[
        list[int], "Seats whose players no mail reaches, because one came back. Told to those who sit there."
    ]
    reserve_seconds: Annotated[
        list[int | None] | None, "By seat: what is left of the clock's reserve, null for bots. null without a clock."
    ]
    edition: Edition
    thinking: Annotated[
        bool, "The turn is played by a bot that needs time, or for a player who does not come: it comes by itself."
    ]
    hints: Annotated[bool, "Who is to move may ask what a bot would play."]
    hints_taken: Annotated[list[int], "By seat: how many."]
    invitation: Annotated[str | None, "For members of a private game that is still open."]
    invited: Annotated[list[Invitee], "For members of a game that is still open."]
    rematch_of: Annotated[str | None, "Id of the game that this is a rematch of."]
    rematch: Annotated[str | None, "Id of a rematch of this game that is open or under way. Told to who sat here."]
    sealed: Annotated[
        bool, "Others still play this deal: until it is revealed there are no hints, no replay and no record."
    ]


class LegalMoves(TypedDict):
    """What can be played at `ply`; nothing when it is not the caller's turn."""

    ply: int
    moves: Annotated[list[str], "`resign` is always possible, not listed."]


class LogEntry(TypedDict):
    """A move as its reader may know it."""

    ply: int
    seat: int
    move: str
    at: Annotated[UtcTime | None, "When it was made."]
    automatic: Annotated[bool, "The server made it. Of a `draw` told to the seat's owner alone."]


class Log(TypedDict):
    """The moves up to `ply`."""

    ply: int
    moves: list[LogEntry]


INCLUDES = ("legal_moves", "view", "log")
"""What answers to moves and events have besides, where it is asked for."""


class Further(TypedDict):
    """What of it is no part of every such answer."""

    legal_moves: NotRequired[
        Annotated[list[str], "With `include`: what the caller can play at `ply`; nothing when it is not their turn."]
    ]
    log: NotRequired[
        Annotated[
            list[LogEntry],
            "With `include`: moves as the caller may read them. In the answer to moves those after the `ply` of the "
            "request; in an event those of the last turns, as many as there are seats, and of the one under way.",
        ]
    ]


def page(store: Store, game_id: str, player: Player | None, invitation: str | None = None) -> GamePage:
    """The game as `player` may see it. Raises `NotFound`, also for a private game that is not the caller's."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
    game.require_visible(player, invitation)
    return describe(game, player)


def describe(game: Game, player: Player | None) -> GamePage:
    """The page of a loaded game."""
    seat = game.seat_of(player)
    told = seat is not None and game.origin != SANDBOX
    waits_for, waits_since = _waits(game, seat)
    seen = None if game.state is None else game.seen_by(seat)
    return {
        "id": game.id,
        "name": game.name,
        "status": game.status,
        "ruleset": game.ruleset,
        "options": game.options,
        "private": game.private,
        "seats": game.seat_count,
        "creator": game.creator,
        "commitment": game.commitment,
        "rating": rating_range(game.rating_min, game.rating_max),
        "rated": rated.as_it_stands(game),
        "origin": game.origin,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "players": [
            seated(one.number, one.player, one.name, one.bot, one.handle, one.bot_of, one.autopilot)
            for one in game.seats
        ],
        "seat": seat,
        "ply": 0 if seen is None else seen.ply,
        "round": None if seen is None else seen.round,
        "phase": None if seen is None else seen.phase,
        "to_move": None if seen is None or game.status == "abandoned" else seen.active,
        "view": None if seen is None else game.rules.view(seen, seat),
        "standing": None if seen is None else game.rules.standing(seen, seen.scores),
        "clock": clock.shown(game.clock, game.start_by),
        "start_by": game.start_by if game.status == "open" else None,
        "deadline": None if waits_for == "mail" else game.deadline,
        "paused": game.paused_at is not None,
        "pause_votes": [one.number for one in game.seats if one.wants_pause],
        "turn_began_at": game.turn_began_at,
        "extra_seconds": game.extra_seconds,
        "proposal": proposals.shown(game, seat),
        "waits_for": waits_for,
        "waits_since": waits_since,
        "granted_seconds": None if seat is None else game.granted_seconds,
        "mail_stopped": [one.number for one in game.seats if one.mail_stopped] if told else [],
        "reserve_seconds": clock.reserves(game),
        "edition": game.edition,
        "result": game.result,
        "thinking": game.thinking,
        "hints": game.allows_hints,
        "hints_taken": [one.hints for one in game.seats],
        "invitation": game.invitation if seat is not None and game.status == "open" else None,
        "invited": [] if seat is None or player is None else [_invitee(game, one, player) for one in game.invited],
        "rematch_of": game.rematch_of,
        "rematch": None if seat is None else game.rematch,
        "deal": game.deal,
        "sealed": game.sealed,
    }


def _invitee(game: Game, one: Invited, reader: Player) -> Invitee:
    """What `reader`, who sits in the game, is told of an invitation. Whom somebody else invites they may never have
    met: who it is shows when a seat is taken. A rematch is among those who sat there."""
    state = "accepted" if one.accepted else "declined" if one.declined else "waiting"
    taken = [seat.name for seat in game.seats if seat.player is not None and seat.player == one.taken_by]
    if one.accepted and not taken:
        state = "left"
    known = one.inviter == reader.id or one.accepted or game.rematch_of is not None
    return {
        "player": one.player if known else None,
        "name": taken[0] if taken else one.name if known else None,
        "address": one.address or None if one.inviter == reader.id else None,
        "inviter": one.inviter,
        "created_at": one.created_at,
        "state": state,
        "reached": one.reached,
    }


def _waits(game: Game, seat: int | None) -> tuple[str | None, str | None]:
    """What the clock of a running game waits for and since when, as `seat` (None: a spectator) is told."""
    if game.status != "running" or game.clock is None:
        return None, None
    if game.mail_paused_since is not None:
        return "mail", game.mail_paused_since
    if game.held and game.paused_at is not None:
        return "operator", game.paused_at
    return ("notice", game.lost_since) if game.waits_for_notice and seat is not None else (None, None)


def etag(page: GamePage) -> str:
    """A name for what a page shows: a hash of nothing but the page itself, so it tells nothing beyond it."""
    return sha256(orjson.dumps(page, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def legal_moves(store: Store, game_id: str, player: Player | None) -> LegalMoves:
    """The moves for the caller; no moves when it is not their turn. Raises `NotFound`, `Forbidden`."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
    seat = game.require_seated(player)
    return {"ply": game.seen_ply(seat), "moves": _legal(game, seat)}


def _legal(game: Game, seat: int | None) -> list[str]:
    if game.status != "running" or seat is None or seat != game.to_move:
        return []
    return [format_move(move) for move in game.rules.legal_moves(game.position, seat)]


def further(store: Store, game: Game, seat: int | None, include: Collection[str], since: int | None = None) -> Further:
    """What `include` (of `INCLUDES`) asks for, for the eyes of `seat`, in the running transaction. The log is that
    after ply `since`; None: of the last turns."""
    told: Further = {}
    if "legal_moves" in include:
        told["legal_moves"] = _legal(game, seat)
    if "log" in include:
        entries = move_log.told_log(store, game, seat, since or 0)
        if since is None:
            ends = [0, *(entry.ply for entry in entries if entry.move == END)]
            entries = entries[ends[-game.seat_count - 1 :][0] :]
        told["log"] = _entries(game, seat, entries)
    return told


def log(store: Store, game_id: str, player: Player | None, since: int = 0) -> Log:
    """The moves after ply `since` as the caller may read them. A `draw` of somebody else stands behind the resignations
    that followed it and carries the time of the move after it: whoever holds patrician draws later. When the game is
    over the log is that of its record. Raises `NotFound`, `Unprocessable`."""
    since = checks.whole("since", since, 0, 2**31 - 1)
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_visible(player)
        seat = game.seat_of(player)
        ply = game.seen_ply(seat)
        entries = move_log.told_log(store, game, seat, since)
    return {"ply": ply, "moves": _entries(game, seat, entries)}


def _entries(game: Game, seat: int | None, entries: list[Entry]) -> list[LogEntry]:
    """Moves of the told log as `seat` may read them."""
    over = game.told_whole
    moves: list[LogEntry] = []
    for entry, after in zip_longest(entries, entries[1:]):
        own = entry.seat == seat
        told = entry if own or over or entry.move != DRAW or after is None else after
        moves.append(
            {
                "ply": entry.ply,
                "seat": entry.seat,
                "move": format_move(entry.move) if over else game.rules.log_entry(entry.move, entry.seat, seat),
                "at": told.at,
                # That somebody's time ran out all may know; of a draw it would tell that there was no choice.
                "automatic": entry.automatic and (own or entry.move != DRAW),
            }
        )
    return moves


_PROPOSED = "SELECT id FROM game WHERE proposal IS NOT NULL AND status = 'running' AND id IN "


def asking(store: Store, player: Player, game_ids: list[str]) -> dict[str, ShownProposal]:
    """What is proposed in those of these games of a player in which the others wait for the player's answer."""
    if not game_ids:
        return {}
    with store.read():
        rows = sql.rows(store, _PROPOSED + sql.marks(game_ids), *game_ids)
        games = [loading.for_reader(store, game_id, player) for (game_id,) in rows]
    found = {}
    for game in games:
        seat = game.seat_of(player)
        shown = proposals.shown(game, seat)
        if shown is not None and not shown["accepted"] and seat in shown["asked"] and seat not in shown["agreed"]:
            found[game.id] = shown
    return found


class Written(TypedDict):
    """A message, or what happened at the table (`kind`, a `table_events.Event`), with the id of whose it is."""

    id: int
    seat: int
    player: str | None
    text: str
    at: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Beside:
    """What only those at the table read (messages), and what only this player does (the rest)."""

    messages: list[Written]  # the newest, oldest first, of those whom the player reads
    earlier: bool  # there are messages before these
    read: int  # the number of the newest message that the player has read
    unread: int  # how many of others came after it
    note: str
    notices: dict[Channel, str | None]
    """By the channels that the player has, as `notice_wishes.read` has it: None when it is as the preferences say."""


_SEAT = "SELECT note, read_message, mail, push, webhook FROM seat WHERE game_id = ? AND player_id = ?"
_CHANNELS = "SELECT DISTINCT kind FROM channel WHERE player_id = ?"
_MESSAGES = f"""
    SELECT m.id, m.seat, m.player_id, m.text, m.created_at, m.kind FROM message m
    WHERE m.game_id = ? AND {contacts.HEARD} ORDER BY m.id DESC LIMIT ?"""  # noqa: S608


def beside(store: Store, game_id: str, player_id: str, most: int) -> Beside | None:
    """What is there for a player, with at most `most` messages; None for somebody without a seat in this game."""
    with store.read():
        seat = sql.row(store, _SEAT, game_id, player_id)
        if seat is None:
            return None
        found = sql.rows(store, _MESSAGES, game_id, player_id, most + 1)
        new = unread(store, player_id, [game_id])[game_id] if found else 0
        there = {"mail", *(kind for (kind,) in sql.rows(store, _CHANNELS, player_id))}
    newest: list[Written] = [
        {"id": number, "seat": at, "player": player, "text": text, "at": when, "kind": kind}
        for number, at, player, text, when, kind in found[:most]
    ]
    wishes = {channel: wish for channel, wish in zip(CHANNELS, seat[2:], strict=True) if channel in there}
    return Beside(newest[::-1], len(found) > most, seat[1], new, seat[0] or "", wishes)
