"""A box in which bonus steps and actions are used at once (A7; docs/own-values.md, `credits_at_once`)."""

from dataclasses import replace

import pytest

from server.engine.errors import IllegalMoveError
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES as ULM2
from tests.engine.positions import do, position

RULES = replace(ULM2, name="at-once/1", credits_at_once=True)


def legal(state: State) -> list[str]:
    return [format_move(move) for move in RULES.legal_moves(state)]


def credit(state: State) -> dict[str, int]:
    return state.to_dict()["turn"]["credits"]


@pytest.fixture
def sailing() -> State:
    """The barge driver may sail, and has a coin to take."""
    return position(rules=RULES, activated="turquoise gray", seats=[{"descendants": ["barge_driver"]}])


def test_nothing_goes_before_a_credit(sailing: State) -> None:
    after = do(sailing, "river")
    assert legal(after) == ["sail", "pass"]
    with pytest.raises(IllegalMoveError, match="First use your bonus, or pass: sail, pass"):
        do(after, "money")
    assert {one.kind: one.at_once for one in RULES.remaining(after, 0)} == {"tile": 1, "step": 1}
    sailed = do(after, "sail")
    assert (sailed.players[0].barge, legal(sailed)[0], sailed.pending) == (3, "money", ())


def test_pass_lets_all_of_them_lapse(sailing: State) -> None:
    after = do(sailing, "river", "pass")
    assert (sum(credit(after).values()), legal(after)[0]) == (0, "money")


def test_a_credit_that_cannot_be_used_lapses_and_is_told() -> None:
    state = position(rules=RULES, activated="turquoise gray", seats=[{"descendants": ["barge_driver"], "barge": 21}])
    applied = RULES.apply(state, 0, ("river",))
    assert applied.state.pending == ()
    assert sum(credit(applied.state).values()) == 0
    assert [(one.kind, one.seat) for one in applied.events if one.kind == "credits_lapse"] == [("credits_lapse", 0)]
    poor = position(rules=RULES, seats=[{"hand": ["first_chronicle"], "coins": 0}])
    assert sum(credit(do(poor, "play first_chronicle top")).values()) == 0


def test_what_was_raised_before_is_settled_before() -> None:
    """A step onto space 21, and the tiles of the shipyard before its card action."""
    state = position(rules=RULES, activated="turquoise", seats=[{"descendants": ["barge_driver"], "barge": 20}])
    after = do(state, "river")
    assert [choice[0] for choice in after.pending] == ["dock"]
    assert legal(do(after, "dock gray")) == ["sail", "pass"]
    seat = {"barge": 14, "coins": 2, "hand": ["siege"]}
    docked = do(position(rules=RULES, activated="orange brown", seats=[seat]), "seal shipyard", "dock gray")
    assert legal(docked) == ["play siege top", "play siege table", "pass"]


def test_a_card_action_goes_before_the_free_play_and_a_tile() -> None:
    seat = {"barge": 14, "coins": 2, "hand": ["siege"], "tiles": "gray"}
    state = position(rules=RULES, activated="orange brown", free_play=True, seats=[seat])
    for move in ("play siege table", "buy gray gray"):
        after = do(state, "seal shipyard", "dock gray", move)
        assert (after.turn.free_play, after.turn.activated[2], credit(after)["card"]) == (True, 1, 0), move


def test_the_seal_of_the_tower_tile_waits() -> None:
    """It is an action of the turn more, and nothing brings it."""
    state = position(rules=RULES, phase="push", drawn="gray", tower="free_seal", seats=[{"coins": 2}])
    pushed = do(state, "push N2")
    assert pushed.pending == ()
    assert "end" in legal(pushed)
    assert credit(pushed)["seal"] == 1
