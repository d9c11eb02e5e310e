"""`timeline` and `stats`."""

from __future__ import annotations

import csv
import io
import itertools
import json
import xml.etree.ElementTree as ET

import pytest

from replays import stats
from replays.charts import line_chart
from replays.replay import Replay
from replays.timeline import resources, timeline
from server.engine import record
from tests.replays.conftest import GAMES, VECTORS, game, good

GAME = GAMES / "vector-11.ulm.json"  # two seats resign in it


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
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


def test_a_corpus_on_several_processes_is_the_same(tmp_path, vectors):
    path = tmp_path / "many.jsonl"
    path.write_text("".join(record.dumps(one) + "\n" for one in vectors * 5), "utf-8")
    alone, two = (json.loads(good("stats", path, "--format", "json", "-j", jobs)) for jobs in (1, 2))
    assert alone == two
    assert alone["games"] == 60


def test_rows_as_lines_and_csv():
    lines = [json.loads(line) for line in good("stats", GAMES, "--format", "jsonl").splitlines()]
    rows = list(csv.DictReader(io.StringIO(good("stats", GAMES, "--format", "csv"))))
    assert len(lines) == len(rows) == sum(len(game(number)["players"]) for number in range(1, 13))
    assert [row["total"] for row in rows] == [str(line["total"]) for line in lines]
    assert list(rows[0]) == list(lines[0])


def test_a_bad_record_is_named_and_left_out(save):
    data = game(1)
    data["moves"][3][0] = "money"
    found = good("stats", save(data), GAMES, code=1)
    assert found.startswith("12 finished games: ")


def test_charts(tmp_path):
    good("stats", GAMES, "-o", tmp_path / "corpus.svg")
    good("timeline", GAME, "-o", tmp_path / "game.svg")
    for name in ("corpus.svg", "game.svg"):
        root = ET.parse(tmp_path / name).getroot()  # noqa: S314 - our own
        assert root.tag.endswith("svg")
    lines = ET.parse(tmp_path / "game.svg").getroot().iter("{http://www.w3.org/2000/svg}polyline")  # noqa: S314
    plies = len(game(11)["moves"]) + 1
    assert [len(line.get("points").split()) for line in lines] == [plies] * len(game(11)["players"])


@pytest.mark.parametrize("values", [[0], [0, 0], [-3, -9], [5, 1000]])
def test_charts_of_odd_values(values):
    ET.fromstring(line_chart("<&>", {"a<b>\x1b": values}))  # noqa: S314 - our own


def test_timeline_rows(vectors):
    replay = Replay(vectors[4])
    rows = list(resources(replay))
    assert [row["ply"] for row in rows] == list(range(replay.plies + 1))
    for row in rows[:: len(rows) // 7]:
        state = replay.state(row["ply"])
        assert [row[f"vp_{seat}"] for seat in range(len(state.players))] == [player.vp for player in state.players]
        assert row["coins_0"] == state.players[0].coins
    assert [entry["vp"][0] for entry in timeline(replay)] == [row["vp_0"] for row in rows[1:]]
    after_end = [row for before, row in itertools.pairwise(rows) if before["move"] == "end"]
    assert all(row["turn_ply"] == 1 for row in after_end)
    ends = [row for row in rows if row["move"] == "end"]
    assert all(row["turn_ply"] > 1 for row in ends)


def test_times_and_tempo(save):
    data = game(1)
    data["moves"] = [[text, seat, None] for text, seat, _ in data["moves"]]
    data["moves"][3][2], data["moves"][4][2] = "2026-11-21T09:30:00Z", "2026-11-21T10:31:30.500Z"
    data["moves"][5][2] = "2026-99-99T09:30:00Z"  # passes for a time in a record, and is none
    rows = [json.loads(line) for line in good("timeline", save(data), "--format", "jsonl").splitlines()]
    assert [row["seconds"] for row in rows[4:8]] == [None, 3690.5, None, None]


def test_timeline_as_table_and_csv():
    table = good("timeline", GAME).splitlines()
    assert len(table) == len(game(11)["moves"]) + 3
    rows = list(csv.DictReader(io.StringIO(good("timeline", GAME, "--format", "csv"))))
    assert rows[-1]["vp_0"] == str(game(11)["result"]["scores"][0]["vp"])
