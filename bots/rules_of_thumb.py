"""The plain bots: any move at random, and rules of thumb. Each is a function of a view, legal moves and its own chance.

`view` is the seat's view (record.md §4) and `legal` its legal moves, never empty; `rng` is not the game's chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bots.sight import Sight
from server.engine import rulesets
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import PlayerView, View

Rule = Callable[[View, list[Move], random.Random], Move]

SIDES = {"N": ("N1", "N2", "N3"), "E": ("E1", "E2", "E3"), "S": ("S1", "S2", "S3"), "W": ("W1", "W2", "W3")}


def play_random(view: View, legal: list[Move], rng: random.Random) -> Move:
    """Any verb that can be used, then any of its moves: so that the many ways to push do not crowd out the rest."""
    verbs = sorted({move[0] for move in legal})
    if len(verbs) > 1 and "exchange" in verbs:
        verbs.remove("exchange")  # a swap of tiles for its own sake
    verb = rng.choice(verbs)
    return rng.choice([move for move in legal if move[0] == verb])


def play_steady(view: View, legal: list[Move], rng: random.Random) -> Move:
    """The move with the highest worth by simple rules of thumb; equal ones by chance."""
    worths = [(_worth(view, move), rng.random(), move) for move in legal]
    return max(worths)[2]


def _worth(view: View, move: Move) -> float:
    verb = move[0]
    rate = _RATES.get(verb)
    return _FIXED.get(verb, 0.0) if rate is None else rate(view, move)


def _me(view: View) -> PlayerView:
    if view["active"] is None:
        raise ValueError("nobody is to move")
    return view["players"][view["active"]]


def _rounds_left(view: View) -> int:
    """How many rounds come after this one."""
    return rulesets.rules_for(view["ruleset"]).rounds - view["round"]


def _push(view: View, move: Move) -> float:
    """Counts what the three tiles of the line would do for this seat."""
    me, grid, slot = _me(view), view["grid"], move[1]
    color = move[2] if len(move) > 2 else (view["turn"]["tiles"] or ["gray"])[0]
    index = int(slot[1]) - 1
    line = [row[index] for row in grid] if slot[0] in "NS" else list(grid[index])
    line = [color, *line[:2]] if slot[0] in "NW" else [*line[1:], color]
    seals = line.count("orange")
    coins = me["coins"] + line.count("gray")
    worth = 1.5 * line.count("turquoise") + 1.2 * line.count("gray") + 1.0 * line.count("brown")
    worth += 4.0 * min(seals, coins // 2, me["seals"])
    worth += 1.0 * line.count("white") * bool(view["outer"])
    return worth - (2.0 if len(move) > 2 else 0.0)


def _seal(view: View, move: Move) -> float:
    me, quarter = _me(view), move[1]
    worth = {"leaning_house": 5, "garden": 5, "oath_house": 5, "town_hall": 4, "goose_tower": 4}.get(quarter, 4.5)
    if quarter == "reichenauer_hof":
        seat = view["active"]
        worth = 1.5 + sum(seat in owners for owners in view["quarters"].values())
    return 20.0 + worth - (3.0 if me["crests"] == 0 and quarter in ("leaning_house", "garden") else 0.0)


def _play(view: View, move: Move) -> float:
    """Cards go onto the table near the end, or at once when they are worth a set; the quick ones are used up."""
    card, way, last = move[1], move[2], _rounds_left(view) < 3
    if way == "table":
        return 13.0 if last or card.startswith(("nave", "choir", "steeple")) else 6.0
    if card.startswith(("nave", "choir", "steeple")):
        return 9.0
    return 8.0 if last else 11.0


def _buy(view: View, move: Move) -> float:
    turn = view["turn"]
    actions = turn["activated"]["brown"] + turn["credits"]["card"]
    if not _rounds_left(view) and not turn["free_play"] and actions < 2:
        return -0.5  # in the last turn a card is worth something only if it can still be played
    return 12.0 + (1.0 if len(move) > 2 and move[1] == move[2] else 0.0)


def _clear(view: View, move: Move) -> float:
    side = move[2] if len(move) > 2 else move[1]
    return 14.0 + sum(slot in view["outer"] for slot in SIDES.get(side, ()))


#: Verbs whose worth depends on the position.
_RATES: dict[str, Callable[[View, Move], float]] = {
    "push": _push, "seal": _seal, "play": _play, "buy": _buy, "clear": _clear,
    "coat": lambda view, move: 4.0 if move[1] in ("N2", "E2", "S2", "W2") else 5.0,
    "barge": lambda view, move: float(move[1]),
}  # fmt: skip

#: The others. What costs nothing comes first, `end` last, and before it the levy, after all that might still need the
#: coins or tiles; what only moves tiles about is worse than that.
_FIXED: dict[str, float] = {
    "draw": 10.0, "pick": 11.0, "keep": 1.0, "money": 30.0, "river": 25.0, "sail": 24.0, "salvage": 15.0,
    "descendant": 1.0, "coin": 1.0, "dock": 1.5, "pass": 0.0, "choose": 1.0, "search": 1.0, "take": 0.9,
    "levy": 2.0, "end": 0.0, "swap": -1.0, "exchange": -1.0, "resign": -100.0,
}  # fmt: skip


class Plain:
    """A bot that decides by the position alone."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """See `sight.Bot`."""
        return self.rule(sight.view, sight.legal, rng)
