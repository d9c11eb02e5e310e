"""Places in a tournament, from its games alone, by one rule (docs/contests.md).

Points come from one's own table, duplicate points from those who held the same seat of the same deal at others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from replays.files import Item, ReadError
from replays.reading import parse, verified
from server.engine.canonical import Json
from server.engine.errors import RecordError
from server.engine.ulm1.state import State

TOURNAMENT = "tournament"
"""The key of a record that says of which tournament it is: `{"id", "kind", "round", "entrants": [numbers by seat]}`;
null is a bot that filled a table."""
WON, SHARED = 2, 1


class Sat(NamedTuple):
    """What came of a seat."""

    entrant: int | str | None
    total: int
    rank: int
    resigned: bool


class Played(NamedTuple):
    """A game that is over: the round, which deal it was of, and what came of each seat."""

    round: int
    deal: str
    seats: Sequence[Sat]

    @property
    def cut_short(self) -> bool:
        """Whether it ended because nobody was left to play against."""
        return sum(not seat.resigned for seat in self.seats) < 2


class Measure(NamedTuple):
    """By what places are given: each where all before are equal."""

    points: int = 0
    duplicate: int = 0
    margin: int = 0


class Line(NamedTuple):
    """A line of the table. Of a knock-out `measure` is that of the last round that the entrant was in."""

    place: int
    entrant: int | str
    measure: Measure
    rounds: int  # the last one that the entrant was in


def seats_of(state: State, entrants: Sequence[int | str | None]) -> list[Sat]:
    """What came of each seat of a game that is over."""
    if state.scores is None:
        raise ValueError("the game is not over")
    return [
        Sat(entrant, score["total"], score["rank"], player.resigned)
        for entrant, score, player in zip(entrants, state.scores, state.players, strict=True)
    ]


def standings(games: Iterable[Played], knock_out: bool = False, entrants: Iterable[int | str] = ()) -> list[Line]:
    """The table, the best first; who is equal in all shares a place, by number. `entrants`: who is in it in any case.
    In a knock-out whoever came further is before all others."""
    games = list(games)
    rounds: defaultdict[int | str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    held: defaultdict[tuple[str, int], list[tuple[Sat, bool]]] = defaultdict(list)
    for game in games:
        for number, sat in enumerate(game.seats):
            held[game.deal, number].append((sat, game.cut_short))
    for game in games:
        for number, sat in enumerate(game.seats):
            if sat.entrant is None:
                continue
            others = [*game.seats[:number], *game.seats[number + 1 :]]
            sums = rounds[sat.entrant][game.round]
            sums[0] += sum(_ahead(other.rank - sat.rank) for other in others)
            # One's own game is among those of the deal, and as good as itself.
            sums[1] += sum(_compared(sat, game.cut_short, *other) for other in held[game.deal, number]) - SHARED
            if not sat.resigned and not game.cut_short:
                sums[2] += sum(sat.total - other.total for other in others if not other.resigned)
    found = []
    for entrant in sorted({*rounds, *entrants}, key=lambda one: (isinstance(one, str), one)):
        own = rounds[entrant]
        last = max(own, default=0)
        counted = [own[last]] if knock_out and own else list(own.values())
        measure = Measure(*map(sum, zip(*counted, strict=True)))
        found.append(((last if knock_out else 0, measure), Line(0, entrant, measure, last)))
    found.sort(key=lambda one: one[0], reverse=True)  # stable: by number where all is equal
    keys = [key for key, _line in found]
    return [line._replace(place=keys.index(key) + 1) for key, line in found]


def going_on(lines: Sequence[Line], tables: Sequence[Sequence[int | None]], seats: int) -> list[int]:
    """Who plays in the next round of a knock-out: the best of each table, and, where these do not fill tables, the next
    of all by the round that is over; none behind the last one. `lines`: the table of that round alone."""
    if len(tables) < 2:
        return []
    order = [line.entrant for line in lines if isinstance(line.entrant, int)]
    first = [min((one for one in table if one in order), key=order.index, default=None) for table in tables]
    room = -(-len(tables) // seats) * seats
    rest = [one for one in order if one not in first]
    on = {one for one in first if one is not None} | set(rest[: max(0, room - len(first))])
    return [one for one in order if one in on]


def next_season(divisions: Sequence[Sequence[int]], size: int) -> list[list[int]]:
    """The divisions of a league's next season from those of the last, the highest first, each the best first. A quarter
    of a division (one at least, half at most) change places with as many of the next; then all are cut in order into
    divisions of `size`, the last of which has half of that at least."""
    moved = [min(max(1, len(one) // 4), len(one) // 2, len(other) // 2) for one, other in pairwise(divisions)]
    down, up = [0, *moved], [*moved, 0]  # from the division before, from the next
    order: list[int] = []
    for number, one in enumerate(divisions):
        above = divisions[number - 1][len(divisions[number - 1]) - down[number] :] if down[number] else []
        below = divisions[number + 1][: up[number]] if up[number] else []
        order += [*above, *one[down[number] : len(one) - up[number]], *below]
    number = max(1, (len(order) + size // 2) // size)
    return [order[size * at : None if at == number - 1 else size * (at + 1)] for at in range(number)]


def _ahead(by: int) -> int:
    return WON if by > 0 else SHARED if by == 0 else 0


def _compared(sat: Sat, cut_short: bool, other: Sat, other_short: bool) -> int:
    """What it brings to have held the same seat of the same deal as another."""
    if sat.resigned or other.resigned:
        return _ahead(other.resigned - sat.resigned)
    return SHARED if cut_short or other_short else _ahead(sat.total - other.total)


class Told(NamedTuple):
    """What a record tells: of which tournament it is, the game where it was played to an end, and the entrants' names.
    A record of none counts as of a single round of those who are named in it."""

    id: str
    tournament: tuple[str, str]  # id and kind
    played: Played | None
    names: dict[int | str, str]


def told_by(item: Item) -> Told | str:
    """What one text tells, or what is wrong with it; for `checking.in_parallel`."""
    try:
        record = parse(item)
        last = verified(item.source, record)
        tag = record.extra.get(TOURNAMENT)
        named = [player["name"] for player in record.players]
        found = _checked({"id": "", "kind": "", "round": 1, "entrants": named} if tag is None else tag, len(named))
    except ReadError as error:
        return str(error)
    except RecordError as error:
        return f"{item.source}: {error}"
    entrants, deal = found["entrants"], (record.first_state().seed or b"").hex()
    played = None if last.scores is None else Played(found["round"], deal, seats_of(last, entrants))
    names = {one: name for one, name in zip(entrants, named, strict=True) if one is not None}
    return Told(record.id, (found["id"], found["kind"]), played, names)


def _checked(tag: Json, seats: int) -> dict[str, Json]:
    """What a tournament says of its game. Raises `RecordError`."""
    fits = (
        isinstance(tag, dict)
        and isinstance(tag.get("id"), str)
        and isinstance(tag.get("kind"), str)
        and type(tag.get("round")) is int
        and isinstance(tag.get("entrants"), list)
        and len(tag["entrants"]) == seats
        and all(one is None or isinstance(one, (int, str)) for one in tag["entrants"])
    )
    if not fits:
        raise RecordError(0, f"`{TOURNAMENT}` is not what a tournament says of its games")
    return dict(tag)
