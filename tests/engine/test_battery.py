"""Random games over players and options: what must hold at every ply. `ULM_TEST_GAMES=20` plays 20 times as many."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from server.engine.canonical import canonical_json
from server.engine.ulm1 import game
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS, COATS, COLORS, DESCENDANTS, QUARTERS, SIDES, SLOTS, TOWER
from server.engine.ulm1.turn import RESIGN
from tests.engine.battery import GAMES, Ply, counts_of, some_game

ALL = range(len(GAMES))
PHASES = {"draw": (0, 0), "keep": (2, 2), "push": (0, 1), "actions": (0, 0), "over": (0, 0)}  # tiles in hand
TOLD = {
    "coins": "+money +card_coins +hall_coin +tillage_coin +space_coin +sparrows_to_coins -seal -levy_coins",
    "vp": "+card_vp +coat +crest_vp +guard +hof_vp -levy_unpaid",
    "sparrows": "+seal_sparrow +space_sparrow +card_sparrow -sparrows_to_coins",
}
"""What a seat has more or less of by the numbers of which events; a card for a coin and a swap tell of one without."""

NAMES = {*COLORS, *SLOTS, *SIDES, *QUARTERS, *CARDS, *DESCENDANTS, *TOWER}


def check_told(ply: Ply) -> None:
    """What events say that a seat won and lost is what it won and lost; they name nothing that is not there."""
    assert {name for event in ply.events for name in event.what} <= NAMES
    for seat, (before, after) in enumerate(zip(ply.before.players, ply.after.players, strict=True)):
        own = [event for event in ply.events if event.seat == seat]
        kinds = [event.kind for event in own]
        told = {"coins": -kinds.count("buy_for_coin"), "vp": 0, "sparrows": -kinds.count("swap")}
        for what, signed in TOLD.items():
            told[what] += sum(event.number * (f"+{event.kind}" in signed.split()) for event in own)
            told[what] -= sum(event.number * (f"-{event.kind}" in signed.split()) for event in own)
        assert told == {what: getattr(after, what) - getattr(before, what) for what in TOLD}
        taken = [event.what[0] for event in own if event.kind in ("draw_card", "keep_card", "take_discard")]
        assert Counter(taken) == Counter(after.hand) - Counter(before.hand)


def check_conservation(data: dict[str, Any]) -> None:
    """C2 to C5: 50 tiles, 33 cards, 12 coats, each player's seals, crests and barge."""
    assert counts_of(data) == dict.fromkeys(COLORS, 10)
    cards = data["pile"] + data["discard"]
    coats = list(data["coats"])
    for player in data["players"]:
        cards += player["hand"] + player["table"]
        coats += player["coats"]
    for choice in data["pending"]:
        cards += choice.get("offer", []) if choice["kind"] == "choose" else []
        coats += choice.get("offer", []) if choice["kind"] == "coat" else []
    assert Counter(cards) == Counter(CARDS)
    assert Counter(coats) == Counter(list(COATS))
    names = data["descendants"] + [name for player in data["players"] for name in player["descendants"]]
    assert len(names) == 4 == len(set(names) & set(DESCENDANTS))
    for seat, player in enumerate(data["players"]):
        placed = sum(seals.count(seat) for seals in data["quarters"].values())
        beside = [slot for slot, owner in data["coat_seals"].items() if owner == seat]
        assert player["seals"] + placed + len(beside) == 12
        assert set(beside) <= set(player["coats"])
        assert player["crests"] + list(data["crests"].values()).count(seat) == 3
        assert min(player["coins"], player["sparrows"], player["seals"], player["crests"]) >= 0


def check_board(state: State, data: dict[str, Any]) -> None:
    """D2, L3, A5, and what a state of record.md §4 says about itself."""
    barges = [player["barge"] for player in data["players"] if player["barge"] > 1]
    assert len(barges) == len(set(barges))
    assert all(1 <= barge <= 22 for barge in barges)
    docks = sum(data["docks"].values())
    assert docks == 5 or (docks < 5 and not any(data["bag"].values()))
    least, most = PHASES[data["phase"]]
    assert least <= len(data["turn"]["tiles"]) <= most
    spaces = {"reichenauer_hof": 3, "goose_tower": 3, "shipyard": 7}
    assert all(len(seals) <= spaces.get(quarter, 4) for quarter, seals in data["quarters"].items())
    parts = [data["bag"], data["docks"], data["turn"]["activated"], data["turn"]["credits"]]
    assert all(count >= 0 for part in parts for count in part.values())
    over = data["phase"] == "over"
    assert (data["active"] is None) == over == (data["scores"] is not None)
    if over:
        assert data["pending"] == []
    else:
        assert not data["players"][data["active"]]["resigned"]
        assert sum(not player["resigned"] for player in data["players"]) > 1
        assert game.legal_moves(state), "a player to move has a move"


def check_copies(state: State, data: dict[str, Any]) -> None:
    """A copy and a dump loaded again are equal to the state and independent of it."""
    text = canonical_json(data)
    assert text.isascii()
    again, copy = state.rules.state_from_dict(json.loads(text), state.seed), state.copy()
    for twin in (again, copy):
        assert twin.to_dict() == data
        assert twin.seed == state.seed
        for part in (twin, twin.turn, *twin.players):  # no field is forgotten in `copy` or `from_dict`
            assert all(hasattr(part, name) for name in getattr(type(part), "__slots__", ()))
    copy.docks[0] += 1
    copy.bag[1] += 1
    copy.turn.activated[2] += 1
    copy.players[-1].tiles[3] += 1
    copy.players[0].vp += 1
    assert state.to_dict() == data


@pytest.mark.parametrize("number", ALL)
def test_invariants_at_every_ply(number: int) -> None:
    """Tiles, cards, coats, seals, barges, docks; copies; what is told; only who is active moves; chance goes on."""
    plies = some_game(number)
    for ply in plies:
        data = ply.after.to_dict()
        check_conservation(data)
        check_board(ply.after, data)
        check_copies(ply.after, data)
        check_told(ply)
        assert ply.after.chance >= ply.before.chance
        assert ply.after.ply == ply.before.ply + 1
        assert ply.reveals or ply.after.chance == ply.before.chance, "whatever uses chance shows something"
        for seat in range(-1, len(ply.after.players) + 1):
            if seat != ply.after.active:
                assert game.legal_moves(ply.after, seat) == []
            assert RESIGN not in game.legal_moves(ply.after, seat)
        moves = game.legal_moves(ply.after)
        assert len(moves) == len(set(moves))
    assert plies[-1].after.phase == "over"


@pytest.mark.parametrize("number", ALL)
def test_the_argument_of_apply_stays_as_it_was(number: int) -> None:
    """`apply` is pure: the state before each move is what the state after the last one was."""
    plies = some_game(number)
    for ply, following in pairwise(plies):
        assert ply.after is following.before
    # Recomputed from the seed alone, every state has the digest that it had when it was played.
    state = plies[0].before.copy()
    for ply in plies:
        assert state.digest() == ply.before.digest()
        if ply.move == RESIGN:
            game.resign(state, ply.seat, [])
        else:
            game.advance(state, ply.move, [])
    assert state.digest() == plies[-1].after.digest()


def test_the_battery_sees_what_it_should() -> None:
    """The games of the normal run hold each verb but the rarest, empty bags, reshuffles, sweeps and resignations."""
    plies = [ply for number in ALL for ply in some_game(number)]
    verbs = {ply.move[0] for ply in plies}
    assert verbs >= {
        "draw", "pick", "keep", "swap", "push", "money", "clear", "buy", "play", "river", "sail", "seal", "exchange",
        "salvage", "levy", "end", "resign", "coat", "descendant", "coin", "dock", "choose", "search", "take", "barge",
    }  # fmt: skip
    kinds = {event.kind for ply in plies for event in ply.events}
    assert kinds >= {
        "reshuffle", "sweep", "empty_bag", "refill", "guard", "seal_sparrow", "crest_vp", "levy_unpaid", "keep_drawn",
        "draw_nothing", "space_coin", "space_sparrow", "hof_vp", "take_discard",
    }  # fmt: skip
    assert any(not any(ply.after.bag) for ply in plies)
