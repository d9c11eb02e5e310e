"""What happened in a game, in sentences, as one seat may read it: for the pages of a game and for mails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import sub
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from replays.sight import in_words
from server import language
from server.engine.events import Event, any_reveals
from server.engine.replaying import play_log
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW
from server.language import capital
from server.language import gettext as _
from server.service.common.naming import spoken
from server.service.explain import card_facts, game_words
from server.service.games import loading, move_log
from server.service.games.finish_move import begins_turn
from server.service.games.model import Entry, Game
from server.storage import sql
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class ToldMove:
    """One move as the reader may read it."""

    rules: Rules
    ply: int
    seat: int
    move: str
    automatic: bool
    """Played by the server because time ran out; a `draw` that it made for its player counts as the player's own."""
    timed_out: bool
    """Of these, those of a turn whose own time was over: the rest the server played for somebody who did not come."""
    events: Sequence[Event]
    names: list[str]
    reader: int | None
    see_all: bool

    @property
    def sentences(self) -> list[str]:
        """What happened, in the language in force and said to its reader ("You draw …"); made when it is asked for."""
        speaker = game_words.speaker(self.rules)
        told = in_words(
            self.rules, self.events, self.names, self.seat, self.move, self.reader, self.see_all, speaker, self.reader
        )
        return [capital(text) for text in told]

    @property
    def reveals(self) -> bool:
        """Whether the move revealed anything (record.md §3)."""
        return any_reveals(self.events)


class Happened(NamedTuple):
    """One move of the log and what followed from it. Kept from page to page: nothing in it is ever changed."""

    ply: int
    seat: int
    move: Move
    automatic: bool
    at: str | None
    timed_out: bool
    events: tuple[Event, ...]
    gained: tuple[int, ...]  # the points that it brought, by seat


class Turn(NamedTuple):
    """One turn, which begins after ply `began` and ends with ply `ended` (None: it is under way)."""

    seat: int
    round: int
    began: int
    ended: int | None
    at: str | None  # when it ended


@dataclass(frozen=True, slots=True)
class Story:
    """A game up to what its reader may see."""

    rules: Rules
    happened: Sequence[Happened] = ()
    turns: Sequence[Turn] = ()  # in order, the one under way last
    names: list[str] = field(default_factory=list)
    reader: int | None = None
    see_all: bool = False
    turn_began: int = 0  # the ply at which the turn under way began, before any draw
    own_turn_ended: int = 0  # the ply at which the reader last ended a turn; 0 when that is still to come

    @property
    def moves(self) -> list[ToldMove]:
        """Every move."""
        return self.between(0)

    def between(self, first: int, last: int | None = None) -> list[ToldMove]:
        """What happened after ply `first`, up to ply `last`."""
        # The log has no gaps: the move that led to ply 1 comes first.
        return [self._told(one) for one in self.happened[max(first, 0) : last]]

    def since_own_turn(self) -> list[ToldMove]:
        """What happened between the reader's last turn and the beginning of the turn under way."""
        return self.between(self.own_turn_ended, self.turn_began)

    def this_turn(self) -> list[ToldMove]:
        """What happened in the turn under way."""
        return self.between(self.turn_began)

    def undoable(self, seat: int) -> frozenset[int]:
        """The newest moves of this turn that are the seat's own and revealed nothing: none that lies before another."""
        plies: set[int] = set()
        for one in reversed(self.this_turn()):
            if one.seat != seat or one.reveals or one.automatic:
                break
            plies.add(one.ply)
        return frozenset(plies)

    def _told(self, one: Happened) -> ToldMove:
        return ToldMove(
            self.rules,
            one.ply,
            one.seat,
            format_move(one.move) if self.see_all else self.rules.log_entry(one.move, one.seat, self.reader),
            one.automatic and one.move != DRAW,
            one.timed_out and one.move != DRAW,
            one.events,
            self.names,
            self.reader,
            self.see_all,
        )


@dataclass(slots=True)
class _Past:
    """A game as it stood when a turn began, which all may know. `row`: the key of the move before (None at ply 0)."""

    state: State
    row: int | None = None
    happened: list[Happened] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    own: dict[int, int] = field(default_factory=dict)  # by seat: the ply at which it last ended a turn by itself

    @property
    def ply(self) -> int:
        return len(self.happened)


_MOVES_KEPT = 20_000
_GAME_AT_LEAST = 200  # so much does a game weigh that has fewer moves yet: its position is kept too

pasts: LRUCache[tuple[int, str], _Past] = LRUCache(
    _MOVES_KEPT, lambda past: min(max(past.ply, _GAME_AT_LEAST), _MOVES_KEPT)
)
"""The games that this process told last, by store and id, so that the next page plays the newest turn alone; under
`_pasts_lock`. What is kept ends where a turn began, the same for every reader: a hidden `draw` makes nobody's page
slower."""
_pasts_lock = Lock()


def names_of(game: Game) -> list[str]:
    """The names at the table as their reader is to see them, by seat."""
    return [spoken(seat.name or "") or _("Player %(number)s", number=seat.number + 1) for seat in game.seats]


def tell(store: Store, game: Game, seat: int | None) -> Story:
    """The story of a running or finished game for `seat` (None: a spectator), inside a transaction. It is replayed from
    the log, which ends where the reader's knowledge does, on from where it was told last; in the order of the reader's
    log."""
    key, last = (store.number, game.id), (game.seen_ply(seat), game.ply)
    with _pasts_lock:
        known = pasts.get(key)
    rows = _rows(store, game, 0 if known is None else known.ply, last)
    if known is not None and known.row is not None:
        # An undo marks the newest rows: as long as this one stands, so do all before it.
        if not rows or rows[0][0] != known.row:
            known, rows = None, _rows(store, game, 0, last)
        else:
            rows = rows[1:]
    past = _Past(loading.first_state(store, game)) if known is None else known
    parse = game.rules.parse_move
    newest, state, since = _play_on(
        past,
        (
            Entry(ply, mover, parse(text), at, bool(automatic), number)
            for ply, (number, mover, text, at, automatic) in enumerate(_without_hidden(rows, *last), past.ply + 1)
        ),
    )
    if newest is not known:
        with _pasts_lock:
            pasts[key] = newest
    under_way = [] if state.active is None else [Turn(state.active, state.round, newest.ply, None, None)]
    happened = [*newest.happened, *since]
    over = game.told_whole
    return Story(
        game.rules,
        happened if over else _as_told(happened, state, seat),
        [*newest.turns, *under_way],
        names_of(game),
        seat,
        over,
        newest.ply,
        0 if seat is None else newest.own.get(seat, 0),
    )


def _rows(store: Store, game: Game, first: int, last: tuple[int, int]) -> list[sql.Row]:
    """The rows from ply `first` to the `last` that the reader sees, and those that follow a hidden draw."""
    if game.status != "finished":
        return sql.rows(store, move_log.TOLD, game.id, first, *last)
    return [row[:-1] for row in move_log.standing(store, game.id, first, last[0])]


def _without_hidden(rows: list[sql.Row], seen: int, newest: int) -> Iterator[sql.Row]:
    """The rows of the log but for their plies, without a draw that the reader, who sees ply `seen`, may not see."""
    behind = next((number for number, row in enumerate(reversed(rows)) if row[3] != "resign"), len(rows))
    hidden = len(rows) - 1 - behind if behind and seen < newest == rows[-1][1] else None
    for index, (number, _ply, *rest) in enumerate(rows):
        if index != hidden:
            yield number, *rest


def _as_told(happened: list[Happened], state: State, reader: int | None) -> list[Happened]:
    """What happened up to `state` of a game that is not over, in the order in which `reader` may read it."""
    if not any(player.resigned for player in state.players):
        return happened
    order = state.rules.told_order([(one.seat, one.move) for one in happened], reader)
    return [happened[index]._replace(ply=ply) for ply, index in enumerate(order, 1)]


def _play_on(past: _Past, rows: Iterable[Entry]) -> tuple[_Past, State, list[Happened]]:
    """Play stored moves on from a past, which stays: the newest past, the state at the end, what happened since."""
    state, happened = past.state.copy(), past.happened[:]
    turns, own = past.turns[:], past.own.copy()
    began: tuple[State, int | None] | None = None  # the newest turn: its first state, and the row before it
    first = past.ply  # the ply at which it began
    points = [player.vp for player in state.players]
    active, number = state.active, state.round
    last_at, timed_out = happened[-1].at if happened else None, False
    for step in play_log(state, rows, trusted=True, hiding=False):
        row, state = step.entry, step.state
        # What the server plays at once carries the time of the move before; a clock that runs out, its own.
        timed_out = row.automatic and (timed_out or row.at != last_at)
        before, points = points, [player.vp for player in state.players]
        gained = tuple(map(sub, points, before))
        events = tuple(step.events)
        happened.append(Happened(row.ply, row.seat, row.move, row.automatic, row.at, timed_out, events, gained))
        last_at = row.at
        if active is not None and begins_turn(row.move, row.seat, state, active):
            turns.append(Turn(active, number, first, row.ply, row.at))
            if not row.automatic:
                own[active] = row.ply
            began, first, timed_out = (state.copy(), row.row), len(happened), False
        active, number = state.active, state.round
    if began is None:
        return past, state, happened[first:]
    return _Past(*began, happened[:first], turns, own), state, happened[first:]


_COINS = frozenset({"money", "card_coins", "hall_coin", "tillage_coin", "space_coin"})
_SPARROWS = frozenset({"seal_sparrow", "space_sparrow", "card_sparrow"})
_CARDS = frozenset({"draw_card", "keep_card", "take_discard"})

_TOGETHER = {
    **dict.fromkeys(_COINS, "coins"), **dict.fromkeys(_SPARROWS, "sparrows"), **dict.fromkeys(_CARDS, "cards"),
    **dict.fromkeys(("swap", "exchange"), "exchange"), "guard": "guard", "barge": "barge",
}  # fmt: skip
"""Events that are told together. What is neither here nor among the texts "did" goes without saying, or is points."""


def turn_in_short(rules: Rules, name: str, seat: int, events: Iterable[Event]) -> str:
    """What `name` did in a turn of these events, in one sentence without a full stop that everybody may read."""
    own = [event for event in events if event.seat == seat]
    named = game_words.speaker(rules).name
    said: dict[str, str] = {}
    for event in own:
        if event.kind in _TOGETHER or event.kind in game_words.TEXTS["did"]:
            key = _TOGETHER.get(event.kind, f"{event.kind} {' '.join(event.what)}")
            # What comes several times is told once, in the place of the first.
            said[key] = _phrase_of(key, event, own, named(event.what[0]) if event.what and not event.private else "")
    what = [*said.values()] or [_("ended the turn")]
    return language.capital(_("%(name)s %(did)s", name=name, did=language.listing(what)))


def _phrase_of(key: str, event: Event, own: Sequence[Event], what: str) -> str:
    """The words for what is told under `key`; `what` is what the event names first."""
    if key in ("coins", "sparrows", "cards"):
        found = [1 if key == "cards" else one.number for one in own if _TOGETHER.get(one.kind) == key]
        return game_words.number_of("did", key, sum(found))
    gate = event.what[1] if len(event.what) > 1 else ""
    return game_words.text("did", event.kind, what=what, gate=gate, space=event.number)


def new_cards(state: State, seat: int, moves: Sequence[ToldMove]) -> str:
    """What came into the hand of `seat` by the newest of its `moves`, for `seat` alone; "" for nothing."""
    if not state.pending:
        return ""
    newest = next((one.events for one in reversed(moves) if one.seat == seat), ())
    cards = [event.what[0] for event in newest if event.kind in _CARDS and event.seat == seat]
    facts = [card_facts.of_card(state.rules, card) for card in cards]
    # On a phone all that is asked has to stay in sight: of the table the card's own window tells.
    return " ".join(_("New in your hand: %(card)s. Top: %(does)s.", card=one.name, does=one.played) for one in facts)
