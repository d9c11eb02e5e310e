"""Chances to win: they add up, and the fit finds what games were made by."""

import json
import random

import pytest

from benchmarks import calibrate
from benchmarks.calibrate import Sample, Task
from bots.chances import odds
from bots.chances.odds import Spread
from server.engine import rulesets
from tests.bots.positions import positions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_add_up_and_follow_the_points(players):
    judged = odds.shipped(players)
    for state, _ in positions(players, True, "chances", every=60):
        chances = judged.of(state)
        assert sum(chances) == pytest.approx(1)
        points, _ = odds.outlook(state, judged.value)
        assert chances.index(max(chances)) == points.index(max(points))


def test_a_game_that_is_over_is_certain_and_one_thought_of_is_not():
    state = rulesets.NEWEST.new_game(bytes(32), 2, {"tower": False})
    while state.active is not None:
        rules = state.rules
        rules.advance(state, rules.legal_moves(state)[0], [])
    judged = odds.shipped(2)
    assert sorted(judged.of(state)) in ([0.0, 1.0], [0.5, 0.5])
    assert all(0 < chance < 1 for chance in judged.blurred(state))


def test_who_has_resigned_has_no_chance():
    state = rulesets.NEWEST.new_game(bytes(32), 3, {"tower": False})
    state = state.rules.apply(state, 1, ("resign",)).state
    chances = odds.shipped(3).of(state)
    assert chances[1] == 0
    assert sum(chances) == pytest.approx(1)


def made_up(number: int, spread: Spread) -> list[Sample]:
    """Games that are won as often as a spread says."""
    rng = random.Random("made up")
    found: list[Sample] = []
    for game in range(number):
        rounds = rng.randrange(10)
        points = [rng.gauss(30, 4), rng.gauss(30, 4)]
        first = rng.random() < spread.chances(points, rounds)[0]
        found.append(
            {"players": 2, "number": game, "seen": [(rounds, points)], "won": [float(first), float(not first)]}
        )
    return found


def test_the_fit_finds_the_spread_and_the_table_says_that_chances_come_true():
    true = Spread(6.0, 4.0, 0.0)
    games = made_up(4000, true)
    fitted = calibrate.fitted(games)
    for rounds in (1, 5, 9):
        assert fitted.points(rounds) == pytest.approx(true.points(rounds), rel=0.2)
    table = calibrate.reliability(games, fitted)
    assert sum(one.number for one in table) == 8000
    assert calibrate.off_by(table) < 0.03
    assert calibrate.off_by(calibrate.reliability(games, Spread(200.0, 0, 0))) > 0.08


def test_a_game_to_calibrate_by_is_repeated_by_its_word(tmp_path):
    path = tmp_path / "games.jsonl"
    found = list(calibrate.samples(2, 1, "word", path, None))
    assert len(found[0]["seen"]) == 20
    assert sum(found[0]["won"]) == 1
    again = list(calibrate.samples(2, 1, "word", path, None))
    assert json.dumps(again) == json.dumps(found)
    assert json.dumps(calibrate.sample(Task(2, 0, "word"))) == json.dumps(found[0])
