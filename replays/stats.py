"""Statistics: one flat row for each seat of a game, and what a corpus of them adds up to, in constant memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict, get_args

from replays.errors import ReadError
from replays.files import Item
from replays.reading import parse
from server.engine.errors import RecordError
from server.engine.game import Game
from server.engine.record import Record
from server.engine.ulm1.state import NOBODY

#: Events that bring (or cost) points during the game, and the source that each is counted under.
IN_PLAY = {"crest_vp": "crests", "hof_vp": "reichenauer_hof", "coat": "coats", "card_vp": "card_tops",
           "guard": "city_guard", "levy_unpaid": "levies"}  # fmt: skip
_Scored = Literal["sparrows", "barge", "cathedral", "trade"]
_SCORED: tuple[_Scored, ...] = get_args(_Scored)
AT_THE_END = (*_SCORED, "chronicle")
SOURCES = ("start", *dict.fromkeys(IN_PLAY.values()), *AT_THE_END)

Row = Mapping[str, Any]
"""Of a seat, by column. Any: numbers, names, lists of names; a column for each source of points."""


class ShareForm(TypedDict):
    """A `Share` as JSON."""

    count: int
    win_rate: Annotated[float, "A shared victory counts its share."]
    fair: Annotated[float, "The win rate if it made no difference."]
    mean_total: float


class PliesForm(TypedDict):
    """How long games are, in plies."""

    mean: float
    least: int | None
    most: int | None


class CorpusForm(TypedDict):
    """A `Corpus` as JSON."""

    games: int
    kinds: dict[str, int]
    plies: PliesForm
    plies_per_turn: float
    resigned_seats: int
    vp_by_source: Annotated[dict[str, float], "The mean of a seat."]
    by_seat: Annotated[dict[str, ShareForm], "By seat and number of players."]
    by_turn_order: Annotated[dict[str, ShareForm], "By the place in the first round."]
    by_descendant: Annotated[dict[str, ShareForm], "By Descendant."]
    by_coat: Annotated[dict[str, ShareForm], "By city coat of arms."]


def rows(record: Record) -> list[Row]:
    """One row for each seat of a finished game, flat but for lists of names; [] for a game without a result.

    `won` is 1 for the winner, shared among several. `vp_SOURCE` add up to `total`. Raises `RecordError`.
    """
    if record.result is None:
        return []
    replay = Game(record)
    gained: list[Counter[str]] = [Counter(start=record.rules.first_vp) for _ in record.players]
    turns: Counter[int] = Counter()
    plies: Counter[int] = Counter()
    last = first = replay.state(0)
    for step in replay.steps():
        turns[step.entry.seat] += step.move == ("end",)
        plies[step.entry.seat] += 1
        for event in step.events:
            if event.kind in IN_PLAY:
                sign = -1 if event.kind == "levy_unpaid" else 1
                gained[event.seat][IN_PLAY[event.kind]] += sign * event.number
        last = step.state
    if last.scores is None:
        raise RecordError(last.ply, "the result is one of a game that has not ended")
    winners = [seat for seat, score in enumerate(last.scores) if score["rank"] == 1]
    seats = len(record.players)
    table: list[Row] = []
    for seat, (player, score) in enumerate(zip(last.players, last.scores, strict=True)):
        at_the_end: dict[str, int] = {name: score[name] for name in _SCORED}
        sources = {**gained[seat], **at_the_end, "chronicle": sum(score["chronicle"].values())}
        table.append({
            "id": record.id, "ruleset": record.ruleset, "players": seats, **record.options, "plies": len(record.moves),
            "round": last.round, "seat": seat, "turn_order": (seat - first.start) % seats, "turns": turns[seat],
            "own_plies": plies[seat], "resigned": player.resigned, "total": score["total"], "rank": score["rank"],
            "won": 1 / len(winners) if seat in winners else 0, "quarters": score["quarters"],
            "descendants": list(player.descendants), "coats": list(player.coats), "table": list(player.table),
            "seals_placed": sum(seals.count(seat) for seals in last.quarters),
            "coat_seals": sum(owner == seat != NOBODY for owner in last.coat_seals),
            **{f"vp_{source}": sources.get(source, 0) for source in SOURCES},
        })  # fmt: skip
    return table


def rows_of(item: Item) -> tuple[list[Row], str | None]:
    """The rows of one text, or none and what is wrong with it; for `checking.in_parallel`."""
    try:
        return rows(parse(item)), None
    except ReadError as error:
        return [], str(error)
    except RecordError as error:
        return [], f"{item.source}: {error}"


@dataclass
class Share:
    """How often something was there, and how often its owner won, against what chance would have given."""

    count: int = 0
    won: float = 0
    fair: float = 0
    total: int = 0

    def add(self, row: Row) -> None:
        """Count one owner."""
        self.count += 1
        self.won += row["won"]
        self.fair += 1 / row["players"]
        self.total += row["total"]

    def to_dict(self) -> ShareForm:
        """`fair` is the win rate that owners would have if it made no difference."""
        count = self.count or 1
        return {"count": self.count, "win_rate": round(self.won / count, 4), "fair": round(self.fair / count, 4),
                "mean_total": round(self.total / count, 2)}  # fmt: skip


@dataclass
class Corpus:
    """What many games add up to."""

    games: int = 0
    seats: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    by_seat: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    by_order: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    by_descendant: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    by_coat: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    vp: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    own_plies: int = 0
    turns: int = 0
    shortest: int | None = None
    longest: int | None = None
    resigned: int = 0

    def add(self, game: Iterable[Row]) -> None:
        """Count one game, by its `rows`."""
        table = list(game)
        if not table:
            return
        first = table[0]
        self.games += 1
        self.seats += len(table)
        options = " ".join(name for name in ("tower", "rotate_start") if first[name])
        self.kinds[f"{first['players']} players{' ' + options if options else ''}"] += 1
        self.plies += first["plies"]
        self.shortest = min(first["plies"], self.shortest if self.shortest is not None else first["plies"])
        self.longest = max(first["plies"], self.longest or 0)
        for row in table:
            self.by_seat[f"seat {row['seat']} of {row['players']}"].add(row)
            self.by_order[f"turn {row['turn_order'] + 1} of {row['players']}"].add(row)
            for name in row["descendants"]:
                self.by_descendant[name].add(row)
            for name in row["coats"]:
                self.by_coat[name].add(row)
            for source in SOURCES:
                self.vp[source] += row[f"vp_{source}"]
            self.own_plies += row["own_plies"]
            self.turns += row["turns"]
            self.resigned += row["resigned"]

    def to_dict(self) -> CorpusForm:
        """The statistics as JSON."""

        def shares(table: Mapping[str, Share]) -> dict[str, ShareForm]:
            return {name: table[name].to_dict() for name in sorted(table)}

        return {
            "games": self.games,
            "kinds": dict(sorted(self.kinds.items())),
            "plies": {"mean": round(self.plies / (self.games or 1), 1), "least": self.shortest, "most": self.longest},
            "plies_per_turn": round(self.own_plies / (self.turns or 1), 2),
            "resigned_seats": self.resigned,
            "vp_by_source": {source: round(self.vp[source] / (self.seats or 1), 2) for source in SOURCES},
            "by_seat": shares(self.by_seat),
            "by_turn_order": shares(self.by_order),
            "by_descendant": shares(self.by_descendant),
            "by_coat": shares(self.by_coat),
        }
