"""The arena: mirrored deals, going on where it stopped, intervals, ratings, and the command."""

import json
import re
from pathlib import Path

import pytest

from bots import arena, offers, tally
from replays.cli import main as replay_main
from server.cli import main
from server.engine import record as records
from tests.service.play import foreign_bots


def test_every_deal_is_played_from_every_seat():
    found = list(arena.games([("a", "b", "b")], [True], 2, "word"))
    assert [(game.deal, game.seats) for game in found] == [
        (deal, seats) for deal in (0, 1) for seats in [("a", "b", "b"), ("b", "b", "a"), ("b", "a", "b")]
    ]


def test_lineups():
    assert list(arena.lineups(("a", "b", "c"), 2)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(arena.lineups(("a", "b"), 4)) == [("a", "b", "b", "b"), ("b", "a", "a", "a")]


def test_results_are_told_by_place_in_the_lineup():
    """Of a rotated game, too."""
    one, other = (arena.run(game) for game in arena.games([("random", "random")], [False], 1, "w"))
    assert one["bots"] == other["bots"]
    assert one["rotation"] != other["rotation"]
    assert arena.game_of(one).seats == ("random", "random")
    first = next(arena.games([("apprentice", "random")], [False], 1, "w", first=3))
    results = [arena.run(first._replace(rotation=rotation)) for rotation in (0, 1)]
    assert [result["ranks"] for result in results] == [[1, 2], [1, 2]]


def test_an_arena_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """What the file has is not played again, a line that was cut off is, and the outcome is the same."""
    path = tmp_path / "results.jsonl"
    wanted = list(arena.games([("apprentice", "random")], [False, True], 2, "w"))
    whole = [json.dumps(result["totals"]) for result in arena.run_all(wanted, path, None)]
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5]) + "\n" + lines[5][:30])
    played = []
    real = arena.run
    monkeypatch.setattr(arena, "run", lambda game, folder: played.append(game) or real(game))
    again = {arena.game_of(result): json.dumps(result["totals"]) for result in arena.run_all(wanted, path, None)}
    assert played == wanted[5:]
    assert [again[game] for game in wanted] == whole
    assert len(arena.read(path)) == len(wanted)


def test_intervals():
    """As in the literature: 0 of 10, 10 of 10, 50 of 100 (Wilson)."""
    assert tally.wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)
    assert tally.wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-3)
    assert tally.wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)


def result(bots, ranks):
    return {
        "bots": bots, "advanced": False, "word": "w", "deal": 0, "rotation": 0, "totals": [10 - rank for rank in ranks],
        "ranks": ranks, "moves": [10] * len(bots), "seconds": [0.1] * len(bots), "slowest": [0.05] * len(bots),
    }  # fmt: skip


def test_rows_and_ratings():
    """Three of four won are 191 Elo, but for the game that all are taken to have drawn; a shared win is half of one."""
    results = [result(["a", "b"], [1, 2])] * 300 + [result(["a", "b"], [2, 1])] * 100
    row = tally.rows(results)[0]
    assert (row.games, row.won, row.points, row.others) == (400, 300, 8.75, 8.25)
    assert row.ms == pytest.approx(10)
    one, other = tally.ratings(results)
    assert (one.bot, other.bot, one.games) == ("a", "b", 400)
    assert one.elo - other.elo == pytest.approx(190.8, abs=3)
    assert 35 < one.give < 45
    assert tally.rows([result(["a", "b"], [1, 1])])[0].won == 0.5
    assert "| a | b | 2 | basic | 400 | 75.0% | 70.5% to 79.0% | 8.8 | 8.2 |" in tally.table([row])


def test_the_command(tmp_path, capsys):
    """Tables as text and as JSON; a bot that there is not is told with what there is."""
    path = str(tmp_path / "results.jsonl")
    args = ["arena", "apprentice", "random", "--deals", "1", "--jobs", "1", "--results", path]
    assert main(args, {}) == 0
    assert "| apprentice | random | 2 | basic | 2 | 100.0% |" in capsys.readouterr().out
    assert main([*args, "--players", "3", "--variant", "basic", "advanced", "--json"], {}) == 0
    form = json.loads(capsys.readouterr().out)
    assert [(row["bots"][0], row["advanced"], row["games"]) for row in form["rows"]] == [
        ("apprentice", False, 3),
        ("apprentice", True, 3),
        ("random", False, 3),
        ("random", True, 3),
    ]
    assert form["ratings"][0]["bot"] == "apprentice"
    assert main(["arena", "apprentice", "nobody"], {}) == 2
    assert "there is no bot 'nobody'" in capsys.readouterr().err
    assert main(["arena", "apprentice"], {}) == 2


def test_a_bot_of_a_package_plays_and_the_games_are_kept_as_records(tmp_path, monkeypatch, capsys):
    folder = foreign_bots.install(tmp_path / "installed")
    monkeypatch.syspath_prepend(str(folder))
    kept = tmp_path / "games"
    command = ["arena", "hasty", "apprentice", "--deals", "1", "--jobs", "2", "--records", str(kept)]
    assert main(command, {}) == 0
    assert "| hasty | apprentice | 2 | basic | 2 |" in capsys.readouterr().out
    found = sorted(map(str, kept.iterdir()))
    assert len(found) == 2
    assert replay_main(["check", *found]) == 0
    read = [records.loads(Path(path).read_text()) for path in found]
    assert [path.removesuffix(".ulm.json") for path in found] == [str(kept / record.id) for record in read]
    for record in read:
        assert {(player["name"], player["bot"]) for player in record.players} == {
            ("hasty", "hasty"), ("apprentice", "apprentice")
        }  # fmt: skip
    assert main(["bots"], {}) == 0
    assert re.search(r"^hasty +0 +1  Hasty +foreign-bots$", capsys.readouterr().out, re.MULTILINE)
    assert main(["bots", "--json"], {}) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == list(offers.known())
    offers.load([])


def test_in_parallel(capsys):
    """Two processes come to what one comes to."""
    args = ["arena", "apprentice", "random", "--deals", "2", "--json"]
    rows = []
    for jobs in ("1", "2"):
        assert main([*args, "--jobs", jobs], {}) == 0
        rows.append([row["points"] for row in json.loads(capsys.readouterr().out)["rows"]])
    assert rows[0] == rows[1]
