"""Conditions, asked of positions."""

from __future__ import annotations

import pytest

from server.engine.rulesets import NEWEST
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLORS, SLOTS
from server.move_language.conditions import condition


@pytest.fixture
def state() -> State:
    """N2 holds a tile, the tile in hand is white, three coins, a sparrow, two cards in hand."""
    state = NEWEST.new_game(bytes(32), 2, {"tower": False, "rotate_start": False})
    seat = state.active
    assert seat is not None
    state.phase = "push"
    state.turn.tiles = (1,)
    state.outer = tuple(0 if slot == "N2" else -1 for slot in SLOTS)
    player = state.players[seat]
    player.coins, player.sparrows, player.hand = 3, 1, ("nave-1", "city_wall")
    state.descendants = ("abbot", "builder")
    state.docks = [int(color == "gray") for color in COLORS]
    return state


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("N1 is open", True),
        ("N2 is open", False),
        ("S2 is open", False),
        ("S2 is blocked", True),
        ("N2 is not open", True),
        ("N1 isn't open", False),
        ("N1 offen ist", True),
        ("N2 versperrt ist", True),
        ("N1 è libero", True),
        ("N2 non è libero", True),
        ("push N1 is possible", True),
        ("push N2 is possible", False),
        ("I can push N1", True),
        ("schiebe N2 möglich ist", False),
        ("inserisci N1 è possibile", True),
        ("posso inserire in N1", True),
        ("end is possible", False),
        ("clear E is possible", False),
        ("1 is possible", True),
        ("the tile is white", True),
        ("tile is gray", False),
        ("I draw white", True),
        ("das Plättchen weiß ist", True),
        ("grau gezogen", False),
        ("la tessera è bianca", True),
        ("gray in hand", False),
        ("coins >= 3", True),
        ("coins > 3", False),
        ("coins < 4", True),
        ("coins = 3", True),
        ("I have 2 coins", True),
        ("at least 4 coins", False),
        ("mehr als 2 Münzen", True),
        ("meno di 3 monete", False),
        ("almeno 1 passero", True),
        ("not at least 4 coins", True),
        ("coins ≥ 2", True),
        ("2 sparrows", False),
        ("weniger als 2 Spatzen", True),
        ("nave is in hand", True),
        ("nave-2 in hand", False),
        ("I have city wall", True),
        ("Langhaus auf der Hand", True),
        ("Mura Cittadine in mano", True),
        ("choir is not in hand", True),
        ("ho Navata", True),
        ("abbot is on offer", True),
        ("scholar available", False),
        ("gray in the docks", True),
        ("weiß im Hafen", False),
        ("nave is on offer", False),
        ("coat N1 is on offer", False),
    ],
)
def test_conditions(state: State, text: str, holds: bool) -> None:
    found = condition(NEWEST, text)
    assert found is not None
    assert state.active is not None
    assert found.holds(state, state.active, [("push", "N1")]) is holds


def test_what_is_on_offer_is_what_can_be_chosen(state: State) -> None:
    assert state.active is not None
    for pending, text, holds in (
        (("choose", ("nave-1", "city_wall")), "nave is on offer", True),
        (("choose", ("nave-1", "city_wall")), "nave gray/white is on offer", True),
        (("choose", ("nave-1", "city_wall")), "nave brown/turquoise is on offer", False),
        (("coat", ("N2", "S2")), "coat N2 is on offer", True),
        (("coat", ("N2", "S2")), "coat N1 is on offer", False),
    ):
        state.pending = (pending,)
        found = condition(NEWEST, text)
        assert found is not None
        assert found.holds(state, state.active) is holds, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "N2",
        "N2 is ajar",
        "N2 and N3 are open",
        "N2 or N3 is open",
        "N4 is open",
        "tile",
        "tile is pink",
        "coins",
        "coins >= ",
        "coins >= two",
        "coins 2 3",
        "2",
        "foo is possible",
        "not not N2 is open",
        "N2 is open?",
        "nave",
        "is open",
        "coins >= 2 and N2 is open",
        "o1 is open",
        "coins >= 99999",
        "O2 ist offen",
    ],
)
def test_what_is_no_condition(text: str) -> None:
    assert condition(NEWEST, text) is None
