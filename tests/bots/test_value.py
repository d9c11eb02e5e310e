"""What was learned: the features, what the weights say of them, and the files they are in."""

import json

import pytest

from bots import value
from bots.features import SIZE, features, standing, turns_left
from tests.bots.positions import RULES, positions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_weights_that_are_shipped_can_be_read(players):
    learned = value.shipped(players)
    assert len(learned.own) == len(learned.other) == RULES.rounds + 1


def test_parts_that_are_kept_say_what_the_whole_says():
    """The sum that is made of parts is the one over all features, whatever was asked before."""
    learned = value.shipped(3)
    for state, _ in positions(3, True, "parts"):
        for seat in range(3):
            for own in (True, False):
                turns = turns_left(state, seat)
                found = features(state, seat, own)
                assert len(found) == SIZE
                weights = (learned.own if own else learned.other)[turns]
                expected = sum(weight * number for weight, number in zip(weights, found, strict=True))
                assert learned.rows[own][turns].to_come(state, seat) == pytest.approx(expected)


def test_points_as_they_stand_are_those_of_the_final_scoring():
    for state, _ in positions(4, False, "standing"):
        scores = RULES.final_scores(state)
        assert [standing(state, seat) for seat in range(4)] == [score["total"] for score in scores]


def test_a_hand_of_others_is_not_looked_at():
    for state, _ in positions(2, False, "hand"):
        other = 1 - state.active
        twin = RULES.dealt(state, (state.active,), lambda cards: cards.reverse())
        assert features(state, other, False) == features(twin, other, False)


def test_files_of_weights():
    """They come back as they were written, and what does not fit these features is refused."""
    rows = [[float(turn * column % 7) for column in range(SIZE)] for turn in range(value.TURNS)]
    text = value.to_json(value.Value(rows, rows[::-1]), {"players": 2})
    again = value.from_json(text)
    assert (again.own, again.other) == (rows, rows[::-1])
    form = json.loads(text)
    for wrong, said in (
        ({"format": "other/1"}, "format 'other/1'"),
        ({"features": "0" * 16}, "learned again"),
        ({"own": rows[1:]}, "another size"),
        ({"own": [["x"] * SIZE] * value.TURNS}, "no file of weights"),
    ):
        with pytest.raises(value.WeightsError, match=said):
            value.from_json(json.dumps({**form, **wrong}))
    with pytest.raises(value.WeightsError, match="no file of weights"):
        value.from_json("[")
