"""What a turn still has to use (A6): what is listed can be done, and why the rest cannot is true."""

import random

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.illegal_moves import LEGAL
from server.engine.ulm1.remaining import lost_by_ending, remaining
from server.engine.ulm1.ruleset import Loss
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES
from tests.engine.positions import position


def lost(**given: object) -> list[tuple[object, ...]]:
    seat = {"coins": 0, "tiles": {}, "hand": [], **given.pop("seat", {})}  # type: ignore[dict-item]
    return [tuple(loss) for loss in lost_by_ending(position(seats=[seat], **given), 0)]  # type: ignore[arg-type]


def test_A6_a_seal_that_cannot_be_paid_is_no_loss() -> None:
    """A6: a seal costs coins; so many as can be paid are to be lost."""
    assert lost(activated="orange") == []
    assert lost(activated="orange", seat={"coins": 1}) == []
    assert lost(activated="orange", seat={"coins": 2}) == [("tile", 1, "orange")]
    assert lost(activated="orange orange", seat={"coins": 3, "barge": 16}) == [("tile", 1, "orange")]
    why = remaining(position(activated="orange", seats=[{"coins": 1}]), 0)[0].why
    assert (why.rule, why.message) == ("A5", "The seal costs 2 coins, and you have 1")


def test_A6_a_seal_that_other_actions_make_possible_is_a_loss() -> None:
    """A6: a coin of a gray tile pays for it; the barge reaches a free space by a step; a Trade card brings coins."""
    found = lost(activated="orange gray", seat={"coins": 1})
    assert found == [("tile", 1, "gray"), ("tile", 1, "orange")]
    full = {"leaning_house": [1] * 4, "tillage": [1] * 4}
    assert lost(activated="orange", seat={"coins": 2}, quarters=full) == []
    sailing = {"coins": 2, "barge": 5}
    assert ("tile", 1, "orange") in lost(activated="orange turquoise", seat=sailing, quarters=full)
    trade = {"hand": ["fustian-gray"], "tiles": {"gray": 1}}
    assert ("tile", 1, "orange") in lost(activated="orange", seat=trade)


def test_A3_the_only_card_in_hand_is_free_to_play_and_needs_no_action() -> None:
    """A3: it is not said that there is none, as it once was."""
    for seat in ({}, {"tiles": {"gray": 1}}):
        why = remaining(position(activated="brown", seats=[{"hand": ["patrician"], **seat}]), 0)[0].why
        assert why.rule == "A3"
        assert why.message.endswith("in your hand is free to play")


def test_A6_cards_steps_and_tiles_outside_that_are_not_to_be_had_are_no_loss() -> None:
    """A6: an action without effect is none."""
    assert lost(activated="brown", seat={"tiles": {"gray": 1}}) == []
    assert lost(activated="brown brown", seat={"tiles": {"gray": 2}}) == [("tile", 1, "brown")]
    assert lost(activated="brown", seat={"hand": ["patrician"]}, free_play=False) == [("tile", 1, "brown")]
    assert lost(activated="brown", seat={"hand": ["patrician"]}) == [("free_play", 1, "")]
    # Two tiles from the docks pay for a card.
    assert ("tile", 1, "brown") in lost(activated="brown", seat={"hand": ["siege"]})
    assert lost(activated="brown white", outer={"N1": "gray", "N2": "gray"}) == [
        ("tile", 1, "white"),
        ("tile", 1, "brown"),
    ]
    assert lost(activated="white") == []
    assert lost(activated="turquoise", seat={"barge": 22}) == []
    assert lost(credits_={"step": 2}, seat={"barge": 21}) == [("step", 1, "")]


def test_T4_a_free_play_without_a_card_in_hand_is_no_loss() -> None:
    """T4: the free play is that of a hand card."""
    assert lost() == []
    assert lost(seat={"hand": ["siege"]}) == [("free_play", 1, "")]


@pytest.mark.parametrize("number", range(4))
def test_A6_at_once_is_what_the_legal_moves_say_and_a_reason_stands_for_the_rest(number: int) -> None:
    """A6: what can be used at once is what the legal moves use; the rest has its reason."""
    rng = random.Random(number)
    state = RULES.new_game(bytes([number]) * 32, 2 + number % 3, {"tower": bool(number % 2)})
    reasons = 0
    while state.active is not None:
        legal = game.legal_moves(state)
        seat = state.active
        if state.phase == "actions" and not state.pending:
            reasons += _check(state, seat, legal)
        busy = [move for move in legal if move != ("end",)]
        move = rng.choice(busy if busy and rng.random() < 0.7 else legal)
        state = game.apply(state, seat, move).state
    assert reasons > 20


def _check(state: State, seat: int, legal: list[tuple[str, ...]]) -> int:
    found, reasons = remaining(state, seat), 0
    lost_now = {(loss.kind, loss.color): loss.number for loss in lost_by_ending(state, seat)}
    mask = state.rules.masked(state, seat)
    assert (remaining(mask, seat), lost_by_ending(mask, seat)) == (found, lost_by_ending(state, seat))
    for one in found:
        usable = lost_now.get((one.kind, one.color), 0)
        assert one.at_once <= usable <= one.number, "what can be done at once can be done"
        if one.kind in ("tile", "seal_at_1") or not any(two.color for two in found):
            after = [game.apply(state, seat, move).state for move in legal if move[0] not in ("end", "levy")]
            uses = any(_left(then, one) < _left(state, one) for then in after)
            assert uses or not one.at_once or one.color == "brown", one
            assert one.at_once or not uses, one
        if one.why is not None:
            assert one.at_once == 0
            assert one.why != LEGAL
            alone = len(state.players[seat].hand) == 1 and state.turn.free_play
            assert alone == ("free to play" in one.why.message) or (one.color != "brown" and one.kind != "card"), one
            reasons += 1
    assert all(isinstance(loss, Loss) for loss in lost_by_ending(state, seat))
    return reasons


def _left(state: State, one: object) -> int:
    turn = state.turn
    if one.color:  # type: ignore[attr-defined]
        return turn.activated[("gray", "white", "brown", "turquoise", "orange").index(one.color)]  # type: ignore[attr-defined]
    return int(getattr(turn, f"{one.kind}_credits"))  # type: ignore[attr-defined]
