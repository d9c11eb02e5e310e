"""What players of a running game propose to each other: who is asked, and whether it can still come about. Kept in
the game's row, one at a time; `play/proposals` carries it out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, TypedDict
from zoneinfo import ZoneInfo

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.service.games import clock as clocks
from server.service.games.model import Game, Proposal, Seat
from server.service.games.running_time import Calendar
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc

KINDS = ("replace", "end", "time", "take_back")
LASTS = timedelta(days=7)
"""So long a proposal waits for agreement, and a seat that is given away for somebody who takes it."""
SILENT = timedelta(days=14)
"""In a game without a clock a player is gone whose turn has lasted so long, vacations left out."""
HOURS_MAX = 168


class ShownProposal(TypedDict):
    """What is proposed at the table."""

    id: str
    kind: Annotated[
        str,
        "`replace`: another plays for `seat`, whose player is gone. `end`: the game ends here, without a result. "
        "`time`: `seat`, which is to move, has `hours` more. `take_back`: the `end` of the newest turn is undone.",
        JsonSchema(enum=KINDS),
    ]
    by: Annotated[int, "Seat of who proposes it."]
    seat: Annotated[int | None, "Seat that it is about; of `end` that of a player who is gone, and not asked."]
    bot: Annotated[str | None, "Of `replace`: who would play; null: a person who is invited."]
    hours: Annotated[int | None, "Of `time`."]
    agreed: Annotated[list[int], "Seats whose players agree."]
    asked: Annotated[list[int], "Seats whose players all have to."]
    ends_at: Annotated[UtcTime, "Until when it can come about."]
    accepted: Annotated[bool, "All have agreed: the game has ended, or the seat waits for who is invited."]
    invitation: Annotated[
        str | None, "What a person takes the seat over with (`POST /games/ID/players`). For who agreed."
    ]


def present(game: Game) -> list[Seat]:
    """The seats of people who still play, and for whom the server does not."""
    return [seat for seat in clocks.living(game) if seat.is_person and not seat.autopilot]


def asked(game: Game, proposal: Proposal) -> list[int]:
    """The seats whose players have to agree."""
    return [seat.number for seat in present(game) if seat.number != proposal["seat"]]


def gone(store: Store, game: Game, now: datetime) -> list[int]:
    """The seats that still play and whose players do not come: the server plays for them or, without a clock, it is
    their turn and they have played nothing for `SILENT`. Three statements at most."""
    playing = [seat for seat in clocks.living(game) if seat.is_person]
    if game.clock is not None:
        return [seat.number for seat in playing if seat.autopilot]
    found = next((seat for seat in playing if seat.number == game.to_move), None)
    if found is None or found.player is None or game.turn_began_at is None:
        return []
    stops = clocks.suspensions(store, [found.player], now)
    days = Calendar(ZoneInfo("UTC"), None, (*stops.vacations.get(found.player, ()), *stops.outages))
    played = sql.value(store, _PLAYED, game.id, found.number) or ""
    return [found.number] if days.elapsed(parse_utc(max(game.turn_began_at, played)), now) >= SILENT else []


# But for draws, which are hidden.
_PLAYED = "SELECT MAX(played_at) FROM move WHERE game_id = ? AND seat = ? AND undone_at IS NULL AND move <> 'draw'"


def holds(game: Game) -> bool:
    """Whether what is proposed could still come about, but for its date: nobody whom it is about has come back or
    played since."""
    proposal = game.proposal
    if proposal is None or game.status != "running":
        return False
    seat, same_turn = proposal["seat"], proposal["turn"] == game.turn_began_at
    same_ply = same_turn and proposal["ply"] == game.public_ply
    if proposal["kind"] == "replace" and game.clock is not None:
        return seat in [one.number for one in clocks.living(game) if one.autopilot]
    if proposal["kind"] == "take_back":
        return same_ply
    return seat is None or (seat == game.to_move and (same_turn if proposal["kind"] == "time" else same_ply))


def offered_seat(game: Game, invitation: str | None, now: datetime) -> int | None:
    """The seat of a running game that whoever has this invitation may take over now; None for none."""
    if game.proposal is None or not game.offers_seat(invitation) or not holds(game):
        return None
    return game.proposal["seat"] if now < parse_utc(game.proposal["ends_at"]) else None


def shown(game: Game, reader: int | None) -> ShownProposal | None:
    """What is proposed, or how a game has ended by it, as the player of seat `reader` is told."""
    proposal = game.proposal
    ended = game.ended_by_agreement
    if proposal is None or not (ended or holds(game)):
        return None
    invited = proposal["invitation"]
    return {
        "id": proposal["id"],
        "kind": proposal["kind"],
        "by": proposal["by"],
        "seat": proposal["seat"],
        "bot": proposal["bot"],
        "hours": proposal["hours"],
        "agreed": proposal["agreed"],
        "asked": [] if ended else asked(game, proposal),
        "ends_at": proposal["ends_at"],
        "accepted": ended or invited is not None,
        "invitation": invited if not ended and reader in proposal["agreed"] else None,
    }
