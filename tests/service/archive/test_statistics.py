"""Statistics from kept sums: the same as counting every game anew, whatever is asked for, ends at once or goes."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest

from benchmarks import grown_store
from replays import stats
from server.cli import main
from server.service.archive import kept_records, replays, statistics, verification
from server.service.archive.replays import make_record
from server.service.games import loading
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player

GAMES = 40


def everything(store: Store) -> list[tuple[dict[str, Any], list[stats.Row]]]:
    """Every public finished game, replayed: its columns and what it counts."""
    with store.read():
        games = sql.dicts(
            store,
            "SELECT * FROM game WHERE status = 'finished' AND private = ? AND unplayed = ? AND origin <> 'sandbox'",
            *statistics.COUNTABLE_VALUES,
        )
        seats = sql.rows(store, "SELECT game_id, player_id, won FROM seat")
        found = [(game, stats.rows(make_record(store, loading.for_reader(store, game["id"], None)))) for game in games]
    for game, _rows in found:
        game["members"] = {player for name, player, _won in seats if name == game["id"]}
        game["winners"] = {player for name, player, won in seats if name == game["id"] and won}
    return found


def chosen(game: dict[str, Any], wanted: dict[str, Any]) -> bool:
    day = date.fromisoformat(game["finished_at"][:10])
    tests = {
        "member": lambda value: value in game["members"],
        "winner": lambda value: value in game["winners"],
        "tower": lambda value: bool(game["tower"]) == value,
        "rotate_start": lambda value: bool(game["rotate_start"]) == value,
        "seats": lambda value: game["seats"] == value,
        "origin": lambda value: game["origin"] == value,
        "since": lambda value: day >= value,
        "until": lambda value: day <= value,
        "score_min": lambda value: game["winner_total"] >= value,
        "score_max": lambda value: game["winner_total"] <= value,
    }
    here = "origin" in wanted or game["origin"] != "imported"
    return here and all(tests[name](value) for name, value in wanted.items())


def test_any_question_is_answered_as_if_all_were_counted_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "AT_ONCE", 7)
    monkeypatch.setattr(statistics, "PER_QUERY", 9)
    grown_store.grow(store, GAMES)
    waiting = statistics.recount(store)
    assert statistics.count(store, 1000) == waiting
    games, rng = everything(store), random.Random(4)
    assert len(games) == waiting
    people = sorted(games[0][0]["members"] | games[7][0]["members"])
    choices: dict[str, list[Any]] = {
        "member": people, "winner": people, "tower": [True, False], "rotate_start": [True, False],
        "seats": [2, 3, 4], "origin": ["played", "imported"], "score_min": [40, 60, 80], "score_max": [50, 70, 90],
        "since": [date(2021, 1, 1), date(2021, 6, 30), date(2023, 2, 28), date(2025, 12, 31)],
        "until": [date(2021, 12, 31), date(2022, 2, 1), date(2024, 2, 29), date(2026, 1, 31), date.max],
    }  # fmt: skip
    answers = set()
    for _ in range(40):
        wanted = {name: rng.choice(choices[name]) for name in rng.sample(sorted(choices), rng.randrange(4))}
        sums = stats.Sums()
        for game, counted in games:
            if chosen(game, wanted):
                stats.add(sums, stats.sums_of(counted))
        found = statistics.totals(store, **wanted)
        assert found == {**stats.corpus(sums), "uncounted": 0, "older_left_out": False}, wanted
        answers.add(found["games"])
    assert len(answers) > 10
    assert list(statistics.differences(store)) == []
    monkeypatch.setattr(statistics, "ONE_BY_ONE", 0)
    heavy = statistics.totals(store, member="p000000000")
    assert (heavy["games"], heavy["older_left_out"]) == (0, True)


def test_games_are_noted_when_they_end_and_taken_out_when_they_go(match: Start) -> None:
    game = match(2)
    store = game.store
    game.end_early()
    private = match(2, seed=2, private=True)
    private.end_early()
    assert statistics.totals(store)["games"] == 1
    record = replays.record(store, game.id) | {"id": "elsewhere"}
    kept = kept_records.keep(store, make_player(store, "Ann"), record, NOW)
    assert statistics.totals(store)["games"] == 1, "anybody can bring as many as they like"
    other = statistics.totals(store, origin="imported")
    assert (other["games"], other["uncounted"]) == (1, 0)
    kept_records.remove_import(store, kept["id"], NOW)
    one = statistics.totals(store)
    assert (one["games"], one["plies"]["most"]) == (1, game.ply(None))
    assert list(verification.verify_all(store)) == []


def test_counting_at_once_counts_each_game_once(match: Start) -> None:
    for seed in range(4):
        match(2, seed=seed + 1).end_early()
    store = match(2, seed=9).store
    with ThreadPoolExecutor(4) as pool:
        counted = list(pool.map(lambda _: statistics.count(store, 100), range(4)))
    assert sum(counted) >= 4
    assert statistics.totals(store)["games"] == 4
    assert list(statistics.differences(store)) == []


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE statistic SET sums = '{\"games\":7}' WHERE span = 'month'",
        "DELETE FROM statistic WHERE span = 'score'",
        "DELETE FROM tally",
        "UPDATE tally SET rows = '[]'",
    ],
)
def test_verify_finds_what_is_not_added_up_right(match: Start, settings: Settings, damage: str) -> None:
    game = match(2)
    game.end_early()
    before = statistics.totals(game.store)
    with game.store.write():
        sql.execute(game.store, damage)
    assert {one.what for one in verification.verify_all(game.store)} == {"statistics"}
    assert main(["verify", "--recount"], {"ULM_DATABASE_URL": settings.database}) == 0
    assert list(verification.verify_all(game.store)) == []
    assert statistics.totals(game.store) == before
