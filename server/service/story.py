"""What happened in a game, in sentences, as one seat may read it: for the turn page and for mails."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.engine import game
from server.engine.events import REVEALING, Event
from server.engine.sentences import sentences
from server.engine.view import log_entry
from server.language import gettext as _
from server.service import speech
from server.service import table as tables
from server.service.automatic import begins_turn
from server.service.table import DRAW, Table
from server.storage.database import Store

END = ("end",)


@dataclass(frozen=True, slots=True)
class Told:
    """One move as the reader may read it."""

    ply: int
    seat: int
    move: str
    automatic: bool
    """Played by the server because time ran out; a `draw` that it made for its player counts as the player's own."""
    events: list[Event]
    names: list[str]
    reader: int | None
    see_all: bool

    @property
    def sentences(self) -> list[str]:
        """What happened, in the language in force, made when it is asked for: of a long game most readers want the
        newest moves alone."""
        told = sentences(self.events, self.names, self.reader, self.see_all, speech.speaker())
        return told or [f"{self.names[self.seat]}: {self.move}."]

    @property
    def reveals(self) -> bool:
        """Whether the move revealed anything (record.md §3)."""
        return any(event.kind in REVEALING for event in self.events)


@dataclass(frozen=True, slots=True)
class Story:
    """A game up to what its reader may see."""

    moves: list[Told] = field(default_factory=list)
    turn_began: int = 0
    """The ply at which the turn under way began, before any draw."""
    own_turn_ended: int = 0
    """The ply at which the reader last ended a turn; 0 when that is still to come."""

    def since(self, ply: int) -> list[Told]:
        """What happened after `ply`."""
        return [told for told in self.moves if told.ply > ply]

    def since_own_turn(self) -> list[Told]:
        """What happened between the reader's last turn and the beginning of the turn under way."""
        return [told for told in self.since(self.own_turn_ended) if told.ply <= self.turn_began]

    def this_turn(self) -> list[Told]:
        """What happened in the turn under way."""
        return self.since(self.turn_began)


def names_of(table: Table) -> list[str]:
    """The names at the table, by seat."""
    return [place.name or _("Player %(number)s", number=place.seat + 1) for place in table.places]


def tell(store: Store, table: Table, seat: int | None) -> Story:
    """The story of a running or finished game for `seat` (None: a spectator), inside a transaction.

    The game is replayed from its log, which ends where the reader's knowledge does: what is hidden from the reader is
    not even computed here.
    """
    state = tables.first_state(store, table)
    names, told = names_of(table), []
    began = own = 0
    for entry in tables.log(store, table.id, last=table.seen_ply(seat)):
        active = state.active
        events: list[Event] = []
        if entry.move == ("resign",):
            applied = game.apply(state, entry.seat, entry.move)
            state, events = applied.state, applied.events
        else:
            game.advance(state, entry.move, events)
        told.append(
            Told(
                entry.ply,
                entry.seat,
                # Nothing is hidden in a finished game any more, but its log stays as it was read.
                log_entry(entry.move, entry.seat, seat),
                entry.automatic and entry.move != DRAW,
                events,
                names,
                seat,
                table.status == "finished",
            )
        )
        if begins_turn(entry.move, entry.seat, state, active):
            began = entry.ply
            if active == seat and not told[-1].automatic:
                own = entry.ply
    return Story(told, began, own)
