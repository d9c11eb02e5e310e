"""Statistics: one flat row for each seat of a game, and what many games add up to.

Sums are whole numbers by name: two of them are added, and one is taken from another, exactly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict, TypeVar, get_args

from replays.files import Item, ReadError
from replays.reading import parse
from server.engine.errors import RecordError
from server.engine.game import Game, GameStep
from server.engine.record import Record
from server.engine.ulm1.state import NOBODY
from server.engine.ulm1.tables import QUARTERS

#: Events that bring (or cost) points during the game, and the source that each is counted under.
IN_PLAY = {"crest_vp": "crests", "hof_vp": "reichenauer_hof", "coat": "coats", "card_vp": "card_tops",
           "guard": "city_guard", "levy_unpaid": "levies"}  # fmt: skip
_Scored = Literal["sparrows", "barge", "cathedral", "trade"]
_SCORED: tuple[_Scored, ...] = get_args(_Scored)
AT_THE_END = (*_SCORED, "chronicle")
SOURCES = ("start", *dict.fromkeys(IN_PLAY.values()), *AT_THE_END)

Row = Mapping[str, Any]
"""Of a seat, by column. Any: numbers, names, lists of names; a column for each source of points."""
Sums = Counter[str]
Found = TypeVar("Found")
_NAMED = ("player", "bot")
_PARTS = 12
"""Of a win that is shared among two, three or four, and of a fair share of it."""


class ShareForm(TypedDict):
    """How often something was there, and how often its owner won."""

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
    """What many games add up to."""

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
    by_opening: Annotated[dict[str, ShareForm], "By the quarter in which a player's first seal was placed."]
    by_quarter: Annotated[dict[str, ShareForm], "By the quarters in which a player has a seal in the end."]


class NamedForm(TypedDict):
    """What many games add up to for players and bots."""

    by_player: dict[str, ShareForm]
    by_bot: dict[str, ShareForm]


def rows(record: Record, seen: Callable[[GameStep], object] = lambda step: None) -> list[Row]:
    """One row for each seat of a finished game, flat but for lists of names; [] for a game without a result. `won` is 1
    for the winner, shared among several. `vp_SOURCE` add up to `total`. `seen` is told of each ply. Raises
    `RecordError`."""
    if record.result is None:
        return []
    replay = Game(record)
    gained: list[Counter[str]] = [Counter(start=record.rules.first_vp) for _ in record.players]
    turns: Counter[int] = Counter()
    plies: Counter[int] = Counter()
    opening: dict[int, str] = {}
    last = first = replay.state(0)
    for step in replay.steps():
        seen(step)
        turns[step.entry.seat] += step.move == ("end",)
        plies[step.entry.seat] += 1
        if step.move[0] == "seal":
            opening.setdefault(step.entry.seat, str(step.move[1]))
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
            "opening": opening.get(seat),
            "sealed": [name for name, seals in zip(QUARTERS, last.quarters, strict=True) if seat in seals],
            "coat_seals": sum(owner == seat != NOBODY for owner in last.coat_seals),
            **{f"vp_{source}": sources.get(source, 0) for source in SOURCES},
        })  # fmt: skip
    return table


def of_record(item: Item, work: Callable[[Record], Found]) -> tuple[Found | None, str | None]:
    """What `work` finds in the record of a text, or None and what is wrong with that."""
    try:
        return work(parse(item)), None
    except ReadError as error:
        return None, str(error)
    except RecordError as error:
        return None, f"{item.source}: {error}"


def whose(record: Record) -> list[Row]:
    """Who sat where, by the record and what `GET /replays/export` says beside it (`replay`). Anybody may have written
    that: what is of a wrong type counts as not said."""
    told = record.extra.get("replay")
    listed = told.get("players") if isinstance(told, dict) else None
    seated = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    by_seat = {one["seat"]: one for one in seated if isinstance(one.get("seat"), int)}
    found: list[Row] = []
    for seat, player in enumerate(record.players):
        known: dict[str, Any] = {**by_seat.get(seat, {}), **player}
        level = known.get("level")
        found.append({
            "player": text(player["name"]), "account": text(known.get("player")), "bot": text(known.get("bot")),
            "level": level if type(level) is int and 0 <= level <= 9 else None,
        })  # fmt: skip
    return found


def text(value: object) -> str | None:
    """A text as UTF-8 can have it (JSON has lone surrogates), None for what is none."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def _named_rows(record: Record) -> list[Row]:
    named = zip(rows(record), whose(record), strict=False)
    return [{**row, "player": one["player"], "bot": one["bot"]} for row, one in named]


def rows_of(item: Item) -> tuple[list[Row], str | None]:
    """The rows of one text with whose they are, or none and what is wrong with it; for `checking.in_parallel`."""
    table, problem = of_record(item, _named_rows)
    return table or [], problem


def sums_of(table: Sequence[Row]) -> Sums:
    """The sums of one game, by its `rows`."""
    found = Sums()
    if not table:
        return found
    first = table[0]
    options = "".join(f" {name}" for name in ("tower", "rotate_start") if first[name])
    found["games"], found["seats"], found[f"plies\t{first['plies']}"] = 1, len(table), 1
    found[f"kind\t{first['players']} players{options}"] = 1
    for row in table:
        for name in ("own_plies", "turns", "resigned"):
            found[name] += row[name]
        for source in SOURCES:
            found[f"vp\t{source}"] += row[f"vp_{source}"]
        shares = [
            f"seat\tseat {row['seat']} of {row['players']}",
            f"order\tturn {row['turn_order'] + 1} of {row['players']}",
        ]
        shares += [f"{group}\t{name}" for group in ("descendant", "coat") for name in row[f"{group}s"]]
        shares += [f"quarter\t{name}" for name in row["sealed"]]
        shares += [f"opening\t{row['opening']}"] * (row["opening"] is not None)
        # In tabs the parts of a name of a sum are told apart.
        shares += [f"{group}\t{' '.join(row[group].split())}" for group in _NAMED if isinstance(row.get(group), str)]
        for share in shares:
            found[f"{share}\tcount"] += 1
            found[f"{share}\ttotal"] += row["total"]
            found[f"{share}\twon"] += round(row["won"] * _PARTS)
            found[f"{share}\tfair"] += _PARTS // row["players"]
    return Sums({name: number for name, number in found.items() if number})


def add(total: Sums, more: Mapping[str, int], sign: int = 1) -> None:
    """Add the one to the other, or with -1 take it away; what comes to nothing is not kept."""
    for name, number in more.items():
        after = total.get(name, 0) + sign * number
        if after:
            total[name] = after
        else:
            total.pop(name, None)


def corpus(total: Mapping[str, int]) -> CorpusForm:
    """What sums tell, as JSON."""
    parts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for name, number in total.items():
        group, _, rest = name.partition("\t")
        parts[group][rest] = number
    games, seats, turns = (total.get(name, 0) or 1 for name in ("games", "seats", "turns"))
    lengths = {int(plies): number for plies, number in parts["plies"].items()}
    mean = sum(plies * number for plies, number in lengths.items()) / games
    return {
        "games": total.get("games", 0),
        "kinds": dict(sorted(parts["kind"].items())),
        "plies": {"mean": round(mean, 1), "least": min(lengths, default=None), "most": max(lengths, default=None)},
        "plies_per_turn": round(total.get("own_plies", 0) / turns, 2),
        "resigned_seats": total.get("resigned", 0),
        "vp_by_source": {source: round(parts["vp"].get(source, 0) / seats, 2) for source in SOURCES},
        "by_seat": _shares(parts["seat"]),
        "by_turn_order": _shares(parts["order"]),
        "by_descendant": _shares(parts["descendant"]),
        "by_coat": _shares(parts["coat"]),
        "by_opening": _shares(parts["opening"]),
        "by_quarter": _shares(parts["quarter"]),
    }


def named(total: Mapping[str, int]) -> NamedForm:
    """What sums tell of players and bots, where their rows name them: as `rows_of` does, and the server never."""
    players, bots = (
        {name.partition("\t")[2]: number for name, number in total.items() if name.startswith(f"{group}\t")}
        for group in _NAMED
    )
    return {"by_player": _shares(players), "by_bot": _shares(bots)}


def _shares(group: Mapping[str, int]) -> dict[str, ShareForm]:
    shares: dict[str, ShareForm] = {}
    for owner in sorted({name.partition("\t")[0] for name in group}):
        count, won, fair, total = (group.get(f"{owner}\t{what}", 0) for what in ("count", "won", "fair", "total"))
        shares[owner] = {"count": count, "win_rate": round(won / _PARTS / count, 4),
                         "fair": round(fair / _PARTS / count, 4), "mean_total": round(total / count, 2)}  # fmt: skip
    return shares
