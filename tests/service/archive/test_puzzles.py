"""Puzzles of finished games: which games they may come from, how a day gets and keeps its own, when they go."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from replays.analysis import results
from replays.analysis.puzzles import PuzzleForm, comes_to
from server.bot_workers import serving
from server.engine import record as records
from server.engine.game import Game
from server.service.archive import analyses, puzzles, replay_lists, replays, verification
from server.service.common.errors import NotFound
from server.service.seating.example_game import ensure_example
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Start

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
DAY = timedelta(days=1)


def form(ply: int) -> PuzzleForm:
    return {"ply": ply, "round": 1, "seat": 0, "level": "easy", "moves": ["end"], "chance": 0.5, "others": [],
            "played": ["end"], "turns": 9}  # fmt: skip


def found(store: Store, which: str, now=NOW) -> puzzles.Puzzle:
    with store.read():
        return puzzles.find(store, which, now)


def kept(store: Store, game_id: str, *plies: int) -> None:
    with store.write():
        puzzles.keep(store, game_id, [form(ply) for ply in plies], NOW)


def test_a_day_gets_the_puzzle_that_was_shown_least_and_keeps_it(match: Start) -> None:
    game = match()
    game.end_early()
    store = game.store
    with pytest.raises(NotFound, match="no puzzles yet"):
        found(store, "today")
    assert puzzles.choose_days(store, NOW) == 0
    kept(store, game.id, 3, 9, 27)
    first = found(store, "today").id  # before the job has run
    assert puzzles.choose_days(store, NOW) == 2
    assert puzzles.choose_days(store, NOW) == 0
    assert found(store, "today").id == first
    assert found(store, puzzles.day_of(NOW)).id == first
    kept(store, game.id, 41, 42, 43, 44)
    shown = []
    for number in range(9):
        puzzles.choose_days(store, NOW + number * DAY)
        shown.append(found(store, "today", NOW + number * DAY).id)
    assert shown[0] == first
    assert len(set(shown[:7])) == 7
    assert shown[7:] == shown[:2]  # all were shown: from the beginning
    days = puzzles.days(store, None, 100, NOW + 8 * DAY)
    assert [day["id"] for day in reversed(days)] == shown
    assert puzzles.days(store, days[3]["day"], 2, NOW + 8 * DAY) == days[4:6]


def test_there_is_no_puzzle_of_a_day_to_come_nor_of_what_is_no_day(match: Start) -> None:
    game = match()
    game.end_early()
    kept(game.store, game.id, 3, 9)
    puzzles.choose_days(game.store, NOW)
    for which in (puzzles.day_of(NOW + DAY), puzzles.day_of(NOW - DAY), "2026-02-30", "-", "nosuch"):
        with pytest.raises(NotFound, match="no such puzzle"):
            found(game.store, which)
    assert [day["day"] for day in puzzles.days(game.store, None, 9, NOW)] == [puzzles.day_of(NOW)]


def test_a_game_that_not_everybody_sees_shows_no_puzzle_and_one_that_goes_takes_its_own_along(match) -> None:
    game = match()
    game.end_early()
    store = game.store
    kept(store, game.id, 3, 9)
    puzzles.choose_days(store, NOW)
    name = found(store, "today").id
    for column in ("private", "unplayed"):
        with store.write():
            sql.execute(store, f"UPDATE game SET {column} = ?", True)
        for which in ("today", name, puzzles.day_of(NOW)):
            with pytest.raises(NotFound):
                found(store, which)
        assert puzzles.days(store, None, 9, NOW) == []
        with store.write():
            sql.execute(store, f"UPDATE game SET {column} = ?", False)
    with store.write():
        sql.execute(store, "DELETE FROM game WHERE id = ?", game.id)
    with store.read():
        assert sql.rows(store, "SELECT id FROM puzzle") == sql.rows(store, "SELECT day FROM puzzle_day") == []


def test_what_is_found_again_stays_as_it_was(match: Start) -> None:
    game = match()
    game.end_early()
    kept(game.store, game.id, 3)
    with game.store.write():
        puzzles.keep(game.store, game.id, [{**form(3), "chance": 0.9}, form(5)], NOW)
    assert [one["ply"] for one in puzzles.of_game(game.store, game.id)] == [3, 5]
    name = puzzles.of_game(game.store, game.id)[0]["id"]
    assert found(game.store, name).form["chance"] == 0.5


@SQLITE
def test_puzzles_are_looked_for_where_anybody_may_see_the_game(match) -> None:
    for private in (False, True):
        game = match(private=private)
        game.end_early()
        claimed = analyses.claim(game.store, "one", NOW, NOW + DAY)
        assert claimed.game_id == game.id
        assert claimed.for_puzzles is not private


def ended_at(record: records.Record, ply: int) -> records.Record:
    """The game as far as there, where all but one resign: the whole of it takes as long as a hundred other tests."""
    moves = record.moves[:ply]
    state = Game(replace(record, moves=moves, digests={}, result=None)).state(ply)
    assert state.active is not None
    return records.completed(
        replace(record, moves=[*moves, records.MoveEntry("resign", state.active)], digests={}, result=None)
    )


@SQLITE
def test_the_process_that_analyses_says_the_puzzles(store: Store) -> None:
    """Of a game that has some, told as the command tells them; while it looks for them it says how far it is."""
    ensure_example(store, NOW)
    puzzles.ensure_puzzles(store, NOW)
    told: list[Any] = []
    made = ended_at(records.from_dict(replays.record(store, "masters5")), 42).to_dict()
    serving.analyse({"record": made, "for_puzzles": True}, told.append)
    *counts, last = json.loads(json.dumps(told))
    assert counts == sorted(counts)
    assert len(counts) > counts[-1]
    expected = [puzzle for puzzle in puzzles.packed()[4]["puzzles"] if puzzle["ply"] < 42]
    assert last["puzzles"] == expected != []
    assert last["analysis"]["version"] == results.version(2)


@SQLITE
def test_a_new_server_has_puzzles_for_a_week(store: Store) -> None:
    """Beside the example; their games are legal, and each solution is a whole turn of the seat that is asked."""
    assert puzzles.ensure_puzzles(store, NOW) == 0  # there is no example: somebody does not want such games
    ensure_example(store, NOW)
    assert puzzles.ensure_puzzles(store, NOW) == 7
    assert puzzles.ensure_puzzles(store, NOW) == 0
    assert found(store, "today").day == puzzles.day_of(NOW)
    assert list(verification.verify_all(store)) == []
    for game in replay_lists.listing(store, None)[0]:
        made = replays.record(store, game["id"])
        records.verify(records.from_dict(made))
        positions = Game(records.from_dict(made))
        for one in puzzles.of_game(store, game["id"]):
            puzzle = found(store, one["id"]).form
            state, seat = positions.state(puzzle["ply"]), puzzle["seat"]
            turns = [puzzle["moves"], *(other["moves"] for other in puzzle["others"])]
            comes = {comes_to(state, seat, tuple(map(state.rules.parse_move, moves))) for moves in turns}
            assert None not in comes
            assert len(comes) == len(turns)
