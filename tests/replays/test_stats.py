"""`stats`."""

import json

import pytest

from replays import stats
from server.engine import record
from tests.replays.conftest import GAMES, OF_EACH_RULESET, VECTORS, game, good

GAME = GAMES / "vector-11.ulm.json"  # two seats resign in it


@pytest.mark.parametrize("path", OF_EACH_RULESET, ids=str)
def test_the_sources_add_up_to_the_total(path):
    for row in stats.rows(record.loads(path.read_text("utf-8"))):
        assert sum(row[f"vp_{source}"] for source in stats.SOURCES) == row["total"]


def test_rows_of_a_game_with_resignations():
    rows = stats.rows(record.loads(GAME.read_text("utf-8")))
    assert sum(row["resigned"] for row in rows) == 2
    assert sum(row["won"] for row in rows) == 1
    assert sorted(row["turn_order"] for row in rows) == list(range(len(rows)))
    assert sum(row["own_plies"] for row in rows) == rows[0]["plies"]


def test_a_corpus_as_json():
    found = json.loads(good("stats", GAMES, "--format", "json"))
    assert found["games"] == 12
    assert sum(found["kinds"].values()) == 12
    assert found["resigned_seats"] == 2
    assert found["plies"] == {"mean": 193.2, "least": 122, "most": 276}
    wins = sum(share["count"] * share["win_rate"] for share in found["by_turn_order"].values())
    assert wins == pytest.approx(12, abs=0.01)
    games = [json.loads(path.read_text("utf-8")) for path in VECTORS]
    totals = [score["total"] for one in games for score in one["result"]["scores"]]
    assert sum(found["vp_by_source"].values()) == pytest.approx(sum(totals) / len(totals), abs=0.1)


def test_rows_as_lines():
    lines = [json.loads(line) for line in good("stats", GAMES, "--format", "jsonl").splitlines()]
    rows = [row for path in VECTORS for row in stats.rows(record.loads(path.read_text("utf-8")))]
    assert [{name: line[name] for name in rows[0]} for line in lines] == rows
    assert {line["player"] for line in lines} == {f"player {seat}" for seat in range(4)}


def test_players_and_bots_are_named(save):
    """By what the records call them: `bot` is what arenas add to a player."""
    data = game(1)
    data["players"] = [{"name": "An\x1b[2Jn"}, {"name": "Robot", "bot": "house"}, {"name": "Robot", "bot": "house"}][
        : len(data["players"])
    ]
    path = save(data)
    found = json.loads(good("stats", path, "--format", "json"))
    assert set(found["by_player"]) == {"An\x1b[2Jn", "Robot"}
    assert set(found["by_bot"]) == {"house"}
    assert found["by_bot"]["house"]["count"] == len(data["players"]) - 1
    table = good("stats", path)
    assert "Win rate by bot" in table
    assert "\x1b" not in table


def test_a_bad_record_is_named_and_left_out(save):
    data = game(1)
    data["moves"][3][0] = "money"
    found = good("stats", save(data), GAMES, code=1)
    assert found.startswith("12 finished games: ")
