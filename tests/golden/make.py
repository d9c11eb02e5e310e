"""Make a batch of golden games: `python -m tests.golden.make NUMBER PLACES` writes batch-NUMBER.jsonl.gz.

`python -m tests.golden.make NUMBER TRIES STYLE STYLE …` instead goes after what is rarest: it plays up to TRIES
advanced games of seats that play in these styles, and writes those that show something new.

Random play, steered: a player prefers moves that show what no game shows yet. Each place in the batch goes to the
candidate that adds most. All chance comes from the batch's number, so that a run of the same source can be repeated; a
batch that exists is never overwritten (see README.md).
"""

import random
import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from server.engine import record, seeds
from server.engine.record import MoveEntry, Record
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import SEAT_COLORS
from tests.golden import features, store

# How a player chooses among moves that show nothing new: weights of a verb with its first argument, cut at a hyphen
# (`play`: with the way of playing), or of a verb; the rest weigh 1.
STYLES: dict[str, Mapping[str, float]] = {
    "even": {"end": 0.3, "levy": 0.6},
    "founder": {"seal": 20, "money": 20, "seal garden": 60, "seal leaning_house": 60, "coin": 9, "clear": 3,
                "end": 0.02, "buy": 0.1, "play": 0.3},
    "card player": {"buy": 20, "clear": 9, "seal shipyard": 6, "seal town_hall": 6, "seal goose_tower": 6, "dock": 3,
                    "play": 0.4, "end": 0.02, "river": 2},
    "collector": {"buy": 30, "clear": 9, "seal shipyard": 9, "seal town_hall": 6, "seal goose_tower": 9, "take": 5,
                  "dock": 4, "play table": 10, "play top": 0.01, "end": 0.02, "river": 2, "money": 3,
                  "choose fustian": 9, "choose works_of_art": 9, "choose commercial_goods": 3,
                  "descendant councilman": 9},
    "hoarder": {"buy": 0.001, "levy": 0.01, "play table": 0.001, "seal": 0.5, "seal shipyard": 9, "seal tillage": 9,
                "end": 0.03, "money": 3, "river": 3, "descendant abbot": 50, "swap": 0.1},
    "hoarder at home": {"buy": 0.001, "levy": 0.01, "play table": 0.001, "seal": 0.02, "end": 0.03, "choose siege": 9,
                        "money": 3, "river": 0.01, "sail": 0.01, "barge 0": 9, "descendant abbot": 50, "swap": 0.1},
    "sailor": {"river": 20, "sail": 20, "barge": 0.1, "barge 3": 9, "barge 2": 6, "money": 8, "seal": 0.5,
               "seal goose_tower": 50, "clear": 2, "buy": 0.5, "play": 3, "end": 0.02},
    "friend of sparrows": {"swap": 0.01, "seal garden": 60, "seal leaning_house": 60, "seal": 2, "money": 8, "buy": 4,
                           "clear": 4, "play": 0.01, "end": 0.02},
    "idler": {"end": 20, "seal": 0.2, "buy": 0.2, "play": 0.2},
}  # fmt: skip
# By style, what a colour that a push activates adds to the weight of that push, which begins at 1.
COLORS: dict[str, tuple[float, float, float, float, float]] = {
    "founder": (4, 0, 0, 0, 9),
    "card player": (0, 4, 9, 1, 0),
    "collector": (0, 5, 9, 1, 1),
    "hoarder": (1, 9, 0, 2, 3),
    "hoarder at home": (1, 9, 0, 0, 3),
    "sailor": (1, 0, 0, 9, 3),
    "friend of sparrows": (3, 2, 2, 0, 6),
}
CURIOSITY = 0.95  # how often a move that shows something new is taken when there is one
WHOLE_GAMES, HUNTS = 24, 34  # places up to the first have no resignations, those up to the second do, later ones not
CANDIDATES, HUNTERS = 24, 150  # games played for each place in the batch, before HUNTS and after
RESIGN_CHANCE = 0.03  # at a ply of a game with resignations that shows nothing new


class Plan(NamedTuple):
    """What a candidate is to be: seats, options, each seat's style, and whether seats may resign."""

    players: int
    options: dict[str, bool]
    styles: tuple[str, ...]
    resign: bool


class Candidate(NamedTuple):
    """A played game: how to write it down, and what it shows."""

    name: str
    plan: Plan
    server_seed: bytes
    client_seeds: list[str]
    moves: list[MoveEntry]
    shown: set[str]


def plan(place: int, rng: random.Random) -> Plan:
    """Return a plan for a place: first players and options in turn, then resignations, then whatever turns out best."""
    names = list(STYLES)
    combination = place if place < WHOLE_GAMES else rng.randrange(12)
    players = 2 + combination % 3
    options = {"tower": combination // 3 % 2 == 1, "rotate_start": combination // 6 % 2 == 1}
    together = rng.choice(names)  # the bag runs empty only when all hoard
    alike = rng.random() < 0.5
    styles = tuple(together if alike else rng.choice(names) for _ in range(players))
    return Plan(players, options, styles, WHOLE_GAMES <= place < HUNTS)


def play(name: str, plan: Plan, missing: frozenset[str]) -> Candidate:
    """Play one game that goes after what is `missing`; all chance follows from `name`."""
    rng = random.Random(name)
    server_seed = sha256(name.encode()).digest()
    client_seeds = [rng.choice(("", f"{name}/{seat}", "Donau", "Ulmer Münster")) for seat in range(plan.players)]
    state = RULES.new_game(seeds.game_seed(server_seed, client_seeds), plan.players, plan.options)
    moves: list[MoveEntry] = []
    shown: set[str] = set()
    while state.active is not None:
        seat, move = _choose(state, plan, missing - shown, rng)
        applied = game.apply(state, seat, move)
        shown |= features.of_step(state, seat, move, applied.events, applied.state)
        state = applied.state
        moves.append(MoveEntry(format_move(move), seat))
    return Candidate(name, plan, server_seed, client_seeds, moves, shown | features.of_game(state))


def _choose(state: State, plan: Plan, missing: frozenset[str], rng: random.Random) -> tuple[int, Move]:
    seat = state.active
    assert seat is not None
    curious = rng.random() < CURIOSITY
    if plan.resign:
        quitters = [each for each in range(plan.players) if game.may_resign(state, each)]
        for quitter in quitters:
            if curious and _shows(state, quitter, ("resign",)) & missing:
                return quitter, ("resign",)
        if rng.random() < RESIGN_CHANCE / plan.players:
            return rng.choice(quitters), ("resign",)
    legal = game.legal_moves(state)
    if curious:
        gains = [len(_shows(state, seat, move) & missing) for move in legal]
        if best := max(gains):
            return seat, rng.choice([move for move, gain in zip(legal, gains, strict=True) if gain == best])
    return seat, rng.choices(legal, _weights(state, seat, legal, plan.styles[seat]))[0]


def _weights(state: State, seat: int, legal: list[Move], name: str) -> list[float]:
    style, colors = STYLES[name], COLORS.get(name)
    verbs = [move[0] for move in legal]
    weights = []
    for move, verb in zip(legal, verbs, strict=True):
        # Weights are those of a verb, however many moves it has.
        key = f"play {move[2]}" if verb == "play" else " ".join(move[:2]).split("-")[0]
        weight = style.get(key, style.get(verb, 1) / verbs.count(verb))
        if colors and verb == "push":
            activated = game.apply(state, seat, move).state.turn.activated
            weight *= 1 + sum(value * count**2 for value, count in zip(colors, activated, strict=True))
        if "hoarder" in name:
            after = game.apply(state, seat, move).state
            weight *= 6.0 ** (sum(after.players[seat].tiles) - sum(state.players[seat].tiles))
        weights.append(weight)
    return weights


def _shows(state: State, seat: int, move: Move) -> set[str]:
    """Look one move ahead, chance included: the maker of a batch knows the seed."""
    applied = game.apply(state, seat, move)
    shown = features.of_step(state, seat, move, applied.events, applied.state)
    return shown | features.of_game(applied.state) if applied.state.active is None else shown


def make(batch: int, places: int, covered: frozenset[str] = frozenset()) -> tuple[list[Record], frozenset[str]]:
    """Return the records of a batch and what is still missing after it; `covered` is what other batches show.

    From place `HUNTS` on a game that shows nothing new is left out, and the batch is done when nothing is missing.
    """
    missing = features.ALL - covered
    chosen: list[Candidate] = []
    for place in range(places):
        hunt = place >= HUNTS
        if hunt and not missing:
            break
        candidates = []
        for attempt in range(HUNTERS if hunt else CANDIDATES):
            name = f"golden-{batch}-{place:03}-{attempt}"
            candidates.append(play(name, plan(place, random.Random(f"plan {name}")), missing))
        best = max(candidates, key=lambda candidate: len(candidate.shown & missing))
        if hunt and not best.shown & missing:
            continue
        missing -= best.shown
        chosen.append(best)
        print(f"{best.name}: {len(best.moves)} plies, {len(missing)} features missing", file=sys.stderr)
    return [_write_down(candidate) for candidate in chosen], missing


def hunt(
    batch: int, tries: int, styles: tuple[str, ...], covered: frozenset[str]
) -> tuple[list[Record], frozenset[str]]:
    """Return the records of games in these styles that show something new, and what is still missing after them."""
    missing = features.ALL - covered
    chosen: list[Candidate] = []
    for attempt in range(tries):
        if not missing:
            break
        options = {"tower": True, "rotate_start": attempt % 2 == 1}
        played = play(f"golden-{batch}-hunt-{attempt}", Plan(len(styles), options, styles, False), missing)
        if played.shown & missing:
            print(f"{played.name}: {', '.join(sorted(played.shown & missing))}", file=sys.stderr)
            missing -= played.shown
            chosen.append(played)
    return [_write_down(candidate) for candidate in chosen], missing


def _write_down(candidate: Candidate) -> Record:
    plan = candidate.plan
    written = record.make(
        candidate.name,
        f"Golden game, {plan.players} players",
        plan.options,
        SEAT_COLORS[: plan.players],
        candidate.server_seed,
        candidate.client_seeds,
        candidate.moves,
    )
    written.extra[store.TRACE] = store.replay(written).trace
    return written


def main(arguments: list[str]) -> int:
    """Make a batch, and say what no game shows yet."""
    batch, number, styles = int(arguments[0]), int(arguments[1]), tuple(arguments[2:])
    path = store.FOLDER / f"batch-{batch}.jsonl.gz"
    if path.exists():
        print(f"{path.name} exists. Golden games are never made anew: give the next number.", file=sys.stderr)
        return 1
    begun = time.perf_counter()
    known = [store.replay(each).features for path in store.batches() for each in store.read(path)]
    covered = frozenset[str]().union(*known)
    records, missing = hunt(batch, number, styles, covered) if styles else make(batch, number, covered)
    if records:
        store.write(path, records)
    print(f"{path.name}: {len(records)} games, {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    for feature in sorted(missing):
        print(f"missing: {feature}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
