"""Puzzles of finished games: one turn beats all others, by what the seat knew, and the same record gives the same."""

import json
import random

import pytest

from bots.chances import odds
from bots.value import shipped
from replays import cli
from replays.analysis import puzzles
from replays.analysis.plans import Planner
from replays.analysis.puzzles import Effort, Finder
from server.engine.events import any_reveals
from server.engine.game import Game
from tests.replays.conftest import SHORT, replay_of

SMALL = Effort(ends=4, reveals=3, looked_in=2, chosen_in=3, left=3, measured_in=6)


@pytest.fixture(scope="module")
def found() -> tuple[Game, list[puzzles.PuzzleForm]]:
    """A game with puzzles, and these, with little effort."""
    for number in range(1, 13):
        replay = replay_of(number)
        there = list(puzzles.puzzles(replay, SMALL, SHORT))
        if there:
            return replay, there
    raise AssertionError("no game has a puzzle")


def test_a_solution_is_a_whole_turn_that_beats_all_others(found):
    replay, there = found
    for puzzle in there:
        state, seat = replay.state(puzzle["ply"]), puzzle["seat"]
        assert state.active == seat
        assert state.phase in ("keep", "push")
        assert puzzle["turns"] >= puzzles.FEWEST
        assert puzzles.OPEN[0] <= puzzle["chance"] <= puzzles.OPEN[1]
        turns = [puzzle["moves"], *(other["moves"] for other in puzzle["others"])]
        comes = [puzzles.comes_to(state, seat, tuple(map(state.rules.parse_move, moves))) for moves in turns]
        assert comes[0] is not None
        assert len(set(comes)) == len(turns) >= 2
        chances = [other["chance"] for other in puzzle["others"]]
        assert chances == sorted(chances, reverse=True)
        assert puzzle["chance"] - chances[0] >= puzzles.LEAST - 10**-puzzles.DIGITS


def test_the_same_record_gives_the_same_puzzles(found):
    replay, there = found
    assert list(puzzles.puzzles(Game(replay.record), SMALL, SHORT)) == there


def test_a_puzzle_is_found_by_what_its_seat_could_know(found):
    """In a position that differs from the true one in hidden things alone there is the same puzzle."""
    replay, there = found
    seats = len(replay.names)
    finder = Finder(Planner(odds.shipped(seats), SHORT), SMALL, replay.record.commitment)
    plies = {puzzle["ply"]: puzzle for puzzle in there}
    seen = 0
    for decision in puzzles.decisions(replay):
        if decision.ply in plies:
            state = decision.state
            twin = state.rules.dealt(state, (decision.seat,), random.Random(7).shuffle)
            assert twin.players != state.players or twin.pile != state.pile
            assert finder.puzzle(decision._replace(state=twin)) == plies[decision.ply]
            seen += 1
    assert seen == len(there)


def test_decisions_are_what_was_played_from_the_push_to_a_reveal_or_the_end():
    replay = replay_of(1)
    for decision in puzzles.decisions(replay):
        moves = [replay.record.moves[decision.ply + index] for index in range(len(decision.played))]
        assert {entry.seat for entry in moves} == {decision.seat}
        assert puzzles.comes_to(decision.state, decision.seat, decision.played) is not None


def test_every_turn_that_is_found_is_one_and_comes_to_something_else():
    replay = replay_of(3)
    decision = next(one for one in puzzles.decisions(replay) if one.ply > 60)
    value = shipped(len(replay.names))
    every = puzzles.turns(decision.state, decision.seat, value, 100_000)
    assert len(every) > 5
    comes = [puzzles.comes_to(decision.state, decision.seat, turn.moves) for turn in every]
    assert None not in comes
    assert len(set(comes)) == len(every)
    for turn in every[:20]:
        state, events = decision.state.copy(), []
        for move in turn.moves:
            events = []
            state.rules.advance(state, move, events)
        assert turn.reveals == (state.active == decision.seat and any_reveals(events))
    assert puzzles.turns(decision.state, decision.seat, value, 3) is None


def test_what_is_no_whole_turn_comes_to_nothing():
    replay = replay_of(3)
    decision = next(one for one in puzzles.decisions(replay) if len(one.played) > 2)
    state, seat, played = decision.state, decision.seat, decision.played
    assert puzzles.comes_to(state, seat, ()) is None
    assert puzzles.comes_to(state, seat, played[:-1]) is None
    assert puzzles.comes_to(state, seat, (*played, ("end",))) is None
    assert puzzles.comes_to(state, seat, (("push", "X9"),)) is None


def test_the_command_tells_puzzles_in_json_and_in_words(found, monkeypatch, capsys, tmp_path):
    """In this process, so that it can be done with little effort."""
    replay, there = found
    whole = puzzles.puzzles
    monkeypatch.setattr(puzzles, "puzzles", lambda replay, passed: whole(replay, SMALL, SHORT, passed))
    path = tmp_path / "game.ulm.json"
    path.write_text(json.dumps(replay.record.to_dict()))
    assert cli.main(["puzzles", "--json", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ply"] for line in lines] == [puzzle["ply"] for puzzle in there]
    assert {line["id"] for line in lines} == {replay.record.id}
    assert cli.main(["puzzles", str(path)]) == 0
    text = capsys.readouterr().out
    assert "to move" in text
    assert "played:" in text
