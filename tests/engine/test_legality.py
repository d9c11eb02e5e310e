"""Legality is exact: what is listed applies, nothing else does, and each refusal says a rule and the truth."""

import re
from pathlib import Path

import pytest

from server.engine import rulesets
from server.engine.errors import IllegalMoveError
from server.engine.ulm1 import game, illegal_moves
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.state import State
from tests.engine.battery import GAMES, Ply, some_game
from tests.engine.positions import SEED, position
from tests.engine.truths import TRUTHS, claimed

RULES = Path(__file__).parent.parent.parent / "docs" / "rules.md"
RULE_IDS = set(re.findall(r"^- ([A-Z]\d+)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE))
RESIGN = ("resign",)
EVERY = 9  # plies between two that are looked at; choices are always looked at


def reason(state: State, seat: int, move: tuple[str, ...]) -> IllegalMoveError:
    """The refusal of a move that must be illegal."""
    with pytest.raises(IllegalMoveError) as caught:
        game.apply(state, seat, move)
    return caught.value


def check_position(state: State) -> set[str]:
    """Try every move of the notation for every seat; return the patterns of the reasons met."""
    seen = set()
    data = state.to_dict()
    active = state.active
    listed = game.legal_moves(state)
    assert listed == game.legal_moves(state, active)
    for move in rulesets.NEWEST.notation.moves.values():
        if move == RESIGN:
            continue
        if active is not None and move in listed:
            check_legal(state, active, move)
            continue
        refusal = reason(state, 0 if active is None else active, move)
        assert refusal.rule in RULE_IDS
        assert refusal.message != illegal_moves.LEGAL[1]
        seen.add(claimed(data, 0 if active is None else active, move, refusal.rule, refusal.message))
        check_answers(refusal.message, [format_move(move) for move in listed])
    assert state.to_dict() == data, "nothing changed by trying"
    return seen | check_others(state)


def check_legal(state: State, seat: int, move: tuple[str, ...]) -> None:
    """A listed move applies, changes the ply, and is what `advance` does."""
    applied = game.apply(state, seat, move)
    copy, events = state.copy(), []  # type: ignore[var-annotated]
    game.advance(copy, move, events)
    assert copy.to_dict() == applied.state.to_dict()
    assert events == applied.events
    assert applied.state.ply == state.ply + 1


def check_answers(message: str, listed: list[str]) -> None:
    """A message that lists answers lists all of them and no other."""
    if message.startswith(("First ", "Coat ")) and ": " in message:
        assert message.partition(": ")[2] == ", ".join(listed)


def check_others(state: State) -> set[str]:
    """Nobody else may move, and is told nothing but that; whoever is still in may resign."""
    seen = set()
    data = state.to_dict()
    for seat in range(-1, len(state.players) + 1):
        if seat != state.active:
            assert game.legal_moves(state, seat) == []
            told = {
                (reason(state, seat, move).rule, reason(state, seat, move).message)
                for move in list(rulesets.NEWEST.notation.moves.values())[::40]
                if move != RESIGN
            }
            assert len(told) == 1
            seen.add(claimed(data, seat, ("draw",), *told.pop()))
        still_in = state.active is not None and 0 <= seat < len(state.players) and not state.players[seat].resigned
        assert game.may_resign(state, seat) is still_in
        if still_in:
            assert game.apply(state, seat, RESIGN).state.players[seat].resigned
        else:
            refusal = reason(state, seat, RESIGN)
            seen.add(claimed(data, seat, RESIGN, refusal.rule, refusal.message))
    return seen


def sampled(plies: tuple[Ply, ...]) -> list[State]:
    """Some positions of a game: every few plies, and the last."""
    return [
        ply.after
        for ply in plies
        if ply.after.ply % EVERY == 0 or (ply.after.pending and ply.after.ply % 3 == 0) or ply.after.active is None
    ]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_every_move_in_random_games(number: int) -> None:
    """Each listed move applies, no other does, and each refusal is true of the position."""
    for state in sampled(some_game(number)):
        check_position(state)


RARE = [
    {
        "phase": "push", "drawn": "gray", "docks": "", "bag": "",
        "seats": [{"sparrows": 0, "hand": ["ulm_sparrow", "siege"]}],
    },
    {"phase": "push", "seats": [{"tiles": "gray"}]},
    {"phase": "push", "drawn": "gray", "docks": "gray white", "bag": "", "outer": {"N1": "gray", "E2": "white"}},
    {"free_play": False, "activated": "gray white", "outer": {"N1": "gray"}, "seats": [{"hand": ["siege", "nave-1"]}]},
    {"seats": [{"hand": ["ulm_sparrow", "patrician", "nave-1", "city_wall"]}]},
    {"phase": "push", "drawn": "gray", "docks": "gray white", "bag": "", "swapped": True},
    {"phase": "keep", "drawn": "gray white", "seats": [{"descendants": ["builder"]}]},
    {"phase": "draw", "patrician": True, "bag": "gray"},
    {"phase": "draw", "bag": "", "seats": [{"hand": ["patrician", "reformation"]}], "pile": [], "discard": []},
    {
        "activated": "brown orange turquoise white",
        "pile": [],
        "discard": [],
        "credits_": {"step": 1},
        "seats": [{"barge": 22, "seals": 0, "hand": ["fisherman_jousting", "city_wall"]}],
    },
    {"activated": "orange", "quarters": {"tillage": [0, 1, 1, 1]}, "seats": [{"coins": 1}]},
    {"credits_": {"seal_at_1": 1}, "seats": [{"coins": 0}]},
    {"tower": "card_for_coin", "activated": "brown", "seats": [{"coins": 0}]},
    {"tower": "card_for_tile", "activated": "brown", "seats": [{"tiles": "gray"}]},
    {"tower": "keep_pushed", "slot": "N1"},
    {"tower": "keep_pushed", "phase": "push", "drawn": "gray"},
    {"tower": "coin_levy", "seats": [{"coins": 1, "sparrows": 1, "hand": ["ulm_sparrow"]}]},
    {"tower": "coin_levy", "levy_paid": True},
    {"tower": "tile_levy", "seats": [{"tiles": "gray white"}]},
    {"tower": "pick_tile", "phase": "draw", "bag": "gray"},
    {"exchanged": True, "seats": [{"tiles": "gray", "descendants": ["merchant", "scholar"]}]},
    {"phase": "push", "drawn": "gray", "seats": [{"tiles": "gray", "descendants": ["merchant", "scholar"]}]},
    {"pending": [{"kind": "coat", "offer": ["N1", "N2"]}], "seats": [{"coats": ["S1", "S3", "W1"]}]},
    *(
        {"pending": [choice]}
        for choice in (
            {"kind": "choose", "offer": ["siege"]}, {"kind": "barge", "max": 3}, {"kind": "descendant"},
            {"kind": "town_hall"}, {"kind": "goose_tower"}, {"kind": "tillage"}, {"kind": "shipyard"}, {"kind": "dock"},
            {"kind": "abbot"}, {"kind": "coat", "offer": ["N1"]},
        )
    ),
    {"players": 3, "seats": [{}, {"resigned": True}]},
]  # fmt: skip


def test_every_move_in_rare_positions() -> None:
    """The same in positions that random games seldom come to; together they bring forth every reason there is."""
    seen = check_position(some_game(0)[-1].after)
    for given in RARE:
        seen |= check_position(position(**given))  # type: ignore[arg-type]
    assert [pattern for pattern, _, _ in TRUTHS if pattern not in seen] == []


def test_without_the_seed_moves_of_chance_are_refused_and_others_are_not() -> None:
    """`seed` is needed only by moves that use chance; nothing is guessed without it."""
    state = rulesets.state_from_dict(position(phase="draw").to_dict())
    with pytest.raises(ValueError, match="without its seed"):
        game.apply(state, 0, ("draw",))
    assert state.to_dict() == position(phase="draw").to_dict()
    pushing = rulesets.state_from_dict(position(phase="push", drawn="gray").to_dict())
    assert game.apply(pushing, 0, ("push", "N1")).state.phase == "actions"
    assert rulesets.state_from_dict(position(phase="draw").to_dict(), SEED).seed == SEED


def test_can_auto_draw() -> None:
    """Nothing but the blind `draw` can be meant: no patrician, no pick, no builder's choice that could be lost."""
    assert game.can_auto_draw(position(phase="draw"))
    builder = [{"descendants": ["builder"]}]
    for given in (
        {"phase": "push", "drawn": "gray"},
        {"phase": "draw", "tower": "pick_tile"},
        {"phase": "draw", "bag": ""},
        {"phase": "draw", "seats": [{"hand": ["patrician"]}]},
        {"phase": "draw", "patrician": True},
        {"phase": "draw", "pending": [{"kind": "dock"}]},
        {"phase": "draw", "bag": "gray", "seats": builder},
    ):
        assert not game.can_auto_draw(position(**given))  # type: ignore[arg-type]
    assert game.can_auto_draw(position(phase="draw", bag="gray gray", seats=builder))
    assert game.can_auto_draw(position(phase="draw", bag="gray"))
    # A seal before the draw may bring the builder, or patrician out of the discard pile (V5, B9, Q2, Q5).
    seal = {"phase": "draw", "tower": "free_seal", "credits_": {"seal": 1}}
    assert not game.can_auto_draw(position(**seal))  # type: ignore[arg-type]
    assert not game.can_auto_draw(position(**seal, seats=[{"coins": 0}]))  # type: ignore[arg-type]  # a card may bring coins
    assert not game.can_auto_draw(position(phase="draw", seats=[{"hand": ["first_chronicle"]}]))
    assert game.can_auto_draw(position(phase="draw", seats=[{"hand": ["siege", "nave-1"]}]))
    assert game.can_auto_draw(position(phase="draw", seats=[{}, {"hand": ["patrician"]}]))
    assert not game.can_auto_draw(some_game(0)[-1].after)
