"""What happened since the reader's last turn: who did what, for how many points, and the boards on the way."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import add

import orjson
from cachetools import LRUCache

from replays.picture import parts_of
from server import language
from server.board.changes import changed
from server.board.listing import signed
from server.board.svg import LAYOUTS, Style, board_svg
from server.engine.events import Event
from server.engine.replaying import play_log
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.language import N_, ngettext
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import NotFound
from server.service.common.render_queue import RenderQueue
from server.service.explain.history import Story, ToldMove, turn_in_short
from server.service.games import loading, move_log
from server.service.games.model import Entry
from server.service.views.turn_page import TurnPage
from server.storage.database import Store

PLIES = 60  # The boards of no more plies are given out at once: of a longer span the last ones
PREFIXES = {name: f"s{number}" for number, name in enumerate(LAYOUTS)}
"""What the ids of these boards begin with, by layout: the page's own stand beside them."""

_KEPT = 200  # of some 15 KB
_IN_LINE, _WAIT_SECONDS = 4, 5.0
_THEME = "page"
_BACK = {
    "sweep": N_("no gate was open any more, so the outer tiles went back into the bag"),
    "empty_bag": N_("the bag was empty, so the outer tiles went back into it"),
}
"""How the outer tiles came back into the bag, by the kind of event that tells it (T5, L4)."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """What is told of one turn; of the one under way what happened so far."""

    seat: int
    short: str  # in one sentence, without a full stop
    moves: list[ToldMove]
    gained: tuple[int, ...]  # the points that it brought, by seat
    back: str = ""  # the kind of event by which all outer tiles went back into the bag; "" when none did


@dataclass(frozen=True, slots=True)
class Since:
    """What happened after ply `first`, up to ply `last`, turn by turn."""

    first: int
    last: int
    turns: list[PlayedTurn]
    own: bool  # it is what happened since the reader's last turn; otherwise the last round
    gained: tuple[int, ...]  # the points that came by it, by seat
    back: str = ""
    """The event by which the outer tiles went back into the bag at the end of the reader's own turn before; else ""."""

    @property
    def shown_from(self) -> int:
        """The ply of the first board that is given out."""
        return max(self.first, self.last - PLIES)


def span(shown: TurnPage) -> tuple[int, int, bool]:
    """What the reader of a page is told: after which ply, up to which, and whether that is since their own turn. Who
    plays: to the beginning of the turn under way if it is theirs, else to the newest move they may see. Others: the
    last round."""
    story = shown.story
    plays = shown.page["status"] == "running" and shown.reader is not None and not shown.resigned
    if plays:
        return story.own_turn_ended, story.turn_began if shown.live else len(story.happened), True
    ended = [turn.began for turn in story.turns if turn.ended is not None]
    round_began = ended[-len(shown.names)] if len(ended) >= len(shown.names) else 0
    return round_began, len(story.happened), False


def of_page(shown: TurnPage) -> Since:
    """What the reader of the page of a game that has begun is told, in the language in force."""
    return told(shown.story, *span(shown))


def told(story: Story, first: int, last: int, own: bool = True) -> Since:
    """What happened after ply `first`, up to ply `last`, for the reader of a story; `own`: that is since their turn."""
    turns = [
        _played(story, turn.seat, max(first, turn.began), last if turn.ended is None else min(last, turn.ended))
        for turn in story.turns
        if turn.began < last and (turn.ended is None or turn.ended > first)
    ]
    ending = story.happened[first - 1].events if own and first else []
    return Since(first, last, turns, own, _sum(story, first, last), _back(ending))


def _played(story: Story, seat: int, first: int, last: int) -> PlayedTurn:
    moves = story.between(first, last)
    events = [event for one in moves for event in one.events]
    short = turn_in_short(story.rules, story.names[seat], seat, events)
    return PlayedTurn(seat, short, moves, _sum(story, first, last), _back(events))


def _back(events: Sequence[Event]) -> str:
    """The kind of that event by which all outer tiles went back into the bag; "" when there is none."""
    return next((event.kind for event in events if event.kind in _BACK), "")


def title(since: Since) -> str:
    """What stands above it."""
    if not since.own:
        return _("The last round")
    return _("Since your last turn") if since.first else _("Before your first turn")


def gist(since: Since, names: Sequence[str], reader: int | None, under_way: bool) -> str:
    """It in a few words: who played, or how many turns, that no tile lies outside any more, and who got points.
    `under_way`: the last turn is not over."""
    if not since.turns:
        return _("nothing yet")
    if since.back or any(turn.back for turn in since.turns):
        return _("outer tiles back in the bag")  # and nothing else: a phone shows two lines, and who got points is seen
    points = _points(since.gained, names, reader)
    if len(since.turns) == 1:
        seat = since.turns[0].seat
        said = [_("%(name)s is playing", name=names[seat]) if under_way else _("%(name)s has played", name=names[seat])]
        if len(points) == 1 and since.gained[seat]:  # whose they are is said
            points = [signed(since.gained[seat])]
    else:
        said = [ngettext("one turn", "%(num)s turns", len(since.turns))]
    if points:
        said.append(_("%(vp)s VP", vp=", ".join(points)))
    return ", ".join(said)


def opening(since: Since) -> str:
    """Why all tiles that lay outside at the end of the reader's turn are gone; "" when they are not."""
    return language.sentence(_(_BACK[since.back])) if since.back else ""


def sentence(turn: PlayedTurn, names: Sequence[str], reader: int | None) -> str:
    """A turn in one sentence, with its points in brackets, and why no tile lies outside any more."""
    own = turn.gained[turn.seat]
    others = [0 if seat == turn.seat else points for seat, points in enumerate(turn.gained)]
    said = [*([signed(own)] if own else []), *_points(others, names, reader)]
    short = f"{turn.short} ({', '.join(said)})" if said else turn.short
    return "; ".join([short, *([_(_BACK[turn.back])] if turn.back else [])])


def _points(gained: Sequence[int], names: Sequence[str], reader: int | None) -> list[str]:
    """Who got how many points, or lost some."""
    you = _("you")
    return [
        f"{you if seat == reader else names[seat]} {signed(points)}" for seat, points in enumerate(gained) if points
    ]


def _sum(story: Story, first: int, last: int) -> tuple[int, ...]:
    """The points by seat that came after ply `first`, up to ply `last`."""
    total: tuple[int, ...] = (0,) * len(story.names)
    for one in story.happened[first:last]:
        total = tuple(map(add, total, one.gained))
    return total


def boards(
    store: Store, shown: TurnPage, player: Player | None, layout: str, after: int | None = None
) -> Callable[[], bytes]:
    """A function that gives, as gzipped JSON, the boards of the span of a page (those after ply `after`), each as
    `player` saw it when its ply was the newest: see `replays.picture`. `marks` names by ply what it changed, `changed`
    what differs between the first and the last; that is all without a layout (""). To be called in the transaction in
    which `shown` was read, what it returns outside: that may raise `BusyError`. Raises `NotFound` for a layout that
    there is not, and for a game that has not begun."""
    if layout not in ("", *LAYOUTS) or shown.page["view"] is None:
        raise NotFound(_("there are no boards of that kind"))
    first, last, _own = span(shown)
    first = max(first, last - PLIES, min(after or 0, last))
    game = loading.for_reader(store, shown.game_id, player)
    seat = game.seat_of(player)
    # No entry beyond what the reader sees is looked at: neither answer nor time can tell of it.
    entries = move_log.told_log(store, game, seat)[:last]
    names, spoken = tuple(shown.names), language.current()
    # The moves of a game lead to one position: whoever gets what is kept would have been given the same.
    name = (store.number, game.id, seat, first, tuple([entry.move for entry in entries]), names, spoken, layout)
    begun = loading.first_state(store, game)
    draw = None
    if layout:
        options: Style = {"layout": layout, "theme": _THEME, "language": spoken, "prefix": PREFIXES[layout]}
        draw = partial(board_svg, seat=seat, names=names, **options)
    return lambda: line.made(name, lambda: _packed(_views(begun, entries, first, seat), first, draw))


def _views(begun: State, entries: list[Entry], first: int, seat: int | None) -> Iterator[View]:
    """What `seat` saw at ply `first` and those after it; `begun` is used up."""
    begun = begun.copy()
    if first == 0:
        yield begun.rules.view(begun, seat)
    for step in play_log(begun, entries, trusted=True):
        if step.ply >= first:
            yield step.seen_by(seat)


def _packed(views: Iterator[View], first: int, draw: Callable[..., str] | None) -> bytes:
    seen = list(views)
    marks = [frozenset[str](), *(changed(before, after) for before, after in pairwise(seen))]
    parts: list[str] = []
    plies = []
    pictures = (draw(view, highlight=marked) for view, marked in zip(seen, marks, strict=True)) if draw else ()
    for fresh, numbers in parts_of(pictures):
        parts += fresh
        plies.append(numbers)
    made = {
        "from": first,
        "parts": parts,
        "plies": plies,
        "marks": [sorted(marked) for marked in marks],
        "changed": sorted(changed(seen[0], seen[-1])),
    }
    return gzip.compress(orjson.dumps(made), 6, mtime=0)


line = RenderQueue(
    _IN_LINE, _WAIT_SECONDS, N_("other boards are being drawn: try again in a little while"), LRUCache(_KEPT)
)
"""Of those who want boards drawn."""
