"""A box every top of which differs from the house's, what is to be said of each card, and what it then does."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from server.engine import own_values, rulesets
from server.engine.rulesets import Rules
from tests.rulesets.test_own_values import withdraw

BOX = """
name = "other-cards/1"
base = "ulm/2"
default = true
[trade]
fustian = { effects = ["coins 2", "side"] }
works_of_art = { effects = ["steps_up_to 2", "cards 1", "vp 1"] }
commercial_goods = { pays = "none", effects = ["actions 2", "tiles 1", "cards 2"] }
[chronicle]
first_chronicle = { effects = ["bag", "coins 1"] }
patrician = { effects = ["seal 2"] }
city_wall = { effects = ["look 3"] }
reformation = { effects = ["side"] }
construction_freeze = { effects = ["vp 1", "sparrow_coins 3"] }
ulm_sparrow = { effects = ["coins 4"] }
fisherman_jousting = { pays = "gray", effects = ["tiles 2", "vp 1"] }
siege = { effects = ["sparrows 3", "steps_exact 2"] }
swabian_league = { pays = "white", effects = ["cards 2"] }
"""


class Told(NamedTuple):
    """What is said of a card's top, and what somebody then has more or less of; `asked` is asked of them."""

    en: str
    de: str
    it: str
    had: dict[str, int]
    asked: tuple[str, ...] = ()


# Of the cards of a kind but the tile that each costs.
TOLD = {
    "fustian": Told(
        "2 coins, then take all the tiles outside one side, for one",
        "2 Münzen, dann nimm alle Plättchen am Rand einer Seite, für ein",
        "2 monete, poi prendi tutte le tessere esterne di un lato, cedendo una tessera",
        {"coins": 2, "tiles": -1},
    ),
    "works_of_art": Told(
        "a card from the draw pile, 1 VP and up to 2 steps on the Danube, for one",
        "eine Karte vom Nachziehstapel, 1 SP und bis zu 2 Felder auf der Donau, für ein",
        "una carta dal mazzo, 1 PV e fino a 2 spazi sul Danubio, cedendo una tessera",
        {"hand": 1, "vp": 1, "tiles": -1},
        ("barge",),
    ),
    "commercial_goods": Told(
        "2 cards from the draw pile, a tile from the docks and 2 more Card actions",
        "2 Karten vom Nachziehstapel, ein Hafenplättchen und 2 weitere Kartenaktionen",
        "2 carte dal mazzo, una tessera dalle banchine e altre 2 azioni Carta",
        {"hand": 2, "card": 2},
        ("dock",),
    ),
    "first_chronicle": Told(
        "a coin, then instead of drawing, choose your tile from the bag",
        "eine Münze, dann wähle dein Plättchen aus dem Beutel, statt zu ziehen",
        "una moneta, poi invece di pescare, scegli la tua tessera dalla sacca",
        {"coins": 1, "bag": 1},
    ),
    "patrician": Told(
        "place a seal for exactly 2 coins and no tile",
        "setze ein Siegel für genau 2 Münzen und ohne Plättchen",
        "piazza un sigillo per 2 monete esatte e senza tessera",
        {"seal_at_1": 1},
    ),
    "city_wall": Told(
        "look at the top 3 cards and keep one",
        "sieh dir die obersten 3 Karten an und behalte eine",
        "guarda le prime 3 carte e tienine una",
        {},
        ("choose",),
    ),
    "reformation": Told(
        "take all the tiles outside one side",
        "nimm alle Plättchen am Rand einer Seite",
        "prendi tutte le tessere esterne di un lato",
        {},
    ),
    "construction_freeze": Told(
        "1 VP, then turn 1 to 3 sparrows into as many coins",
        "1 SP, dann mach 1 bis 3 Spatzen zu ebenso vielen Münzen",
        "1 PV, poi cambia da 1 a 3 passeri in altrettante monete",
        {"vp": 1},
    ),
    "ulm_sparrow": Told("4 coins", "4 Münzen", "4 monete", {"coins": 4}),
    "fisherman_jousting": Told(
        "1 VP and 2 tiles from the docks, for one Coin tile",
        "1 SP und 2 Hafenplättchen, für ein Münzplättchen",
        "1 PV e 2 tessere dalle banchine, cedendo una tessera Moneta",
        {"vp": 1, "tiles": -1},
        ("dock", "dock"),
    ),
    "siege": Told(
        "3 sparrows and 2 steps on the Danube",
        "3 Spatzen und 2 Felder auf der Donau",
        "3 passeri e 2 spazi sul Danubio",
        {"sparrows": 3, "barge": 2},
    ),
    "swabian_league": Told(
        "2 cards from the draw pile, for one Clear tile",
        "2 Karten vom Nachziehstapel, für ein Räumplättchen",
        "2 carte dal mazzo, cedendo una tessera Sgombra",
        {"hand": 2, "tiles": -1},
    ),
}


def told(card: str) -> Told:
    """What is to be said of a card."""
    return TOLD[card.partition("-")[0]]


def is_top(move: str) -> bool:
    """Whether a move plays a card of the box for its top."""
    verb, *rest = move.split()
    return verb == "play" and rest[1] == "top" and rest[0].partition("-")[0] in TOLD


@pytest.fixture
def other_cards() -> Iterator[Rules]:
    """The box, by which new games are played."""
    rules = rulesets.register(own_values.ruleset_of(tomllib.loads(BOX)).rules, new_games=True)
    yield rules
    withdraw(rules.name)


def had(before: dict[str, Any], after: dict[str, Any], seat: int) -> dict[str, int]:
    """What `seat` has more or less of after it has played a card for its top, the card itself apart."""
    was, has = before["players"][seat], after["players"][seat]
    turn, now = before["turn"], after["turn"]
    found = {name: has[name] - was[name] for name in ("coins", "vp", "sparrows", "barge")}
    found["tiles"] = sum(has["tiles"].values()) - sum(was["tiles"].values())
    found["hand"] = has["hand_size"] - was["hand_size"] + 1
    found |= {name: now["credits"][name] - turn["credits"][name] for name in ("seal_at_1", "card")}
    by_credit = not turn["free_play"] and now["activated"] == turn["activated"]
    found["card"] += by_credit
    found["bag"] = now["patrician"] - turn["patrician"]
    return {name: number for name, number in found.items() if number}


def check(before: dict[str, Any], move: str, after: dict[str, Any], seat: int) -> None:
    """Assert that a card played for its top did what is said of it, no more and no less."""
    _play, card, _top, *chosen = move.split()
    is_told, expected = told(card), dict(told(card).had)
    if chosen and chosen[0].isdigit():
        expected |= {"coins": int(chosen[0]), "sparrows": -int(chosen[0])}
    elif chosen:
        taken = sum(slot[0] == chosen[0] for slot in before["outer"])
        assert taken
        assert not any(slot[0] == chosen[0] for slot in after["outer"])
        expected["tiles"] = expected.get("tiles", 0) + taken
    if before["phase"] != "draw":
        expected.pop("bag", None)
    here, barges = before["players"][seat]["barge"], [player["barge"] for player in before["players"]]
    for _ in range(expected.pop("barge", 0)):  # spaces of others are no steps (D2)
        here = next(space for space in range(here + 1, 22) if space not in barges)
        expected["barge"] = here - before["players"][seat]["barge"]
    expected = {name: number for name, number in expected.items() if number}
    assert had(before, after, seat) == expected, (move, had(before, after, seat), expected)
    assert tuple(choice["kind"] for choice in reversed(after["pending"])) == is_told.asked, move


class Player:
    """Plays cards for their tops, those of which it has played least, and whatever brings cards."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.played = rng, Counter[str]()

    def choose(self, legal: Sequence[str], actions: dict[str, tuple[str, ...]]) -> str:
        """One of these moves; `actions`: what pushes activate."""
        if tops := [move for move in legal if is_top(move)]:
            move = min(tops, key=lambda one: (self.played[one.split()[1].partition("-")[0]], self.rng.random()))
            self.played[move.split()[1].partition("-")[0]] += 1
            return move
        for verb in ("clear", "buy", "money", "seal town_hall", "seal goose_tower", "seal shipyard", "river", "sail"):
            if moves := [move for move in legal if move.startswith(verb)]:
                return self.rng.choice(moves)
        if actions:
            wanted = {"brown": 5, "white": 4, "orange": 2, "gray": 1, "turquoise": 1}
            return max(actions, key=lambda move: (sum(wanted[color] for color in actions[move]), self.rng.random()))
        if searching := [move for move in legal if move in ("search", "barge 2")]:
            return searching[0]
        return "end" if "end" in legal else self.rng.choice([move for move in legal if move != "end"])
