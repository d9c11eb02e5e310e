"""`ulm-replay table`: three tables of a corpus, as their readers get them."""

import io
import json
from pathlib import Path

import pytest
from pyarrow import parquet

from replays import stats, tables
from replays.cli import main
from replays.files import zstd
from server.engine.game import Game
from tests.replays.conftest import ROOT, VECTORS, game


def read(folder: Path, name: str = "") -> list[dict]:
    return parquet.read_table(folder / f"games{name}.parquet").to_pylist()


def test_the_tables_say_what_the_games_were(tmp_path, vectors, capsys):
    """Packed as an export comes; rows of seats are those of `stats`, plies those of the games."""
    corpus = tmp_path / "games.ndjson.zst"
    corpus.write_bytes(zstd.compress(b"\n".join(json.dumps(game(number)).encode() for number in range(1, 13))))
    assert main(["table", str(corpus), "-o", str(tmp_path / "games.parquet"), "--jobs", "1"]) == 0
    assert "12 games in" in capsys.readouterr().out
    games, seats, plies = (read(tmp_path, name) for name in ("", "-seats", "-plies"))
    assert [row["id"] for row in games] == [record.id for record in vectors]
    assert games[2]["source"] == f"{corpus}:3"
    expected = [row for record in vectors for row in stats.rows(record)]
    assert [{key: row[key] for key in row if key in own} for row, own in zip(seats, expected, strict=True)] == [
        {key: own[key] for key in own if key in tables.COLUMNS["seats"]} for own in expected
    ]
    assert len(plies) == sum(len(record.moves) for record in vectors)
    first = [row for row in plies if row["id"] == vectors[0].id]
    moves = vectors[0].moves
    assert [(row["ply"], row["move"], row["seat"], row["time"] and f"{row['time']:%FT%TZ}") for row in first] == [
        (ply, move.text, move.seat, move.time) for ply, move in enumerate(moves, 1)
    ]
    assert first[-1]["turn"] == 1 + sum(move.text == "end" for move in moves[:-1])
    player = Game(vectors[0]).state(127).players[first[126]["seat"]]
    assert (first[126]["vp"], first[126]["coins"], first[126]["hand"]) == (
        player.vp, player.coins, len(player.hand)
    )  # fmt: skip


def test_what_an_export_says_beside_a_record_is_taken_and_nothing_else(tmp_path):
    """Names, accounts and bots come from where anybody may have written: a wrong type is no value."""
    master = {"seat": 1, "bot": "master", "level": 3}
    beside = [{"seat": 2, "bot": 7, "level": "x"}, master, {"seat": 0, "player": "ID"}, {"seat": []}, "odd"]
    told = {**game(1), "replay": {"origin": "played", "players": beside}}
    told["players"][2]["name"] = "\ud800"
    path = tmp_path / "one.ulm.json"
    path.write_text(json.dumps(told))
    assert main(["table", "-q", str(path), "-o", str(tmp_path / "games.parquet")]) == 0
    assert read(tmp_path)[0]["origin"] == "played"
    assert [(row["player"], row["account"], row["bot"], row["level"]) for row in read(tmp_path, "-seats")] == [
        ("player 0", "ID", None, None), ("player 1", None, "master", 3), ("?", None, None, None)
    ]  # fmt: skip


def test_what_cannot_be_joined_is_named_and_left_out(tmp_path, monkeypatch, capsys):
    unfinished = {**game(2), "moves": game(2)["moves"][:5], "result": None}
    unfinished["digests"] = {"0": unfinished["digests"]["0"]}
    lines = [game(1), game(1), {**game(3), "id": ""}, unfinished, game(4)]
    text = "\n".join(map(json.dumps, lines)).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["table", "-", "-o", str(tmp_path / "games.parquet")]) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in said] == ["2", "3", "4"]
    assert "has the id 'vector-01' of the game in standard input:1" in said[0]
    assert "no `id`" in said[1]
    assert "not finished" in said[2]
    assert [row["id"] for row in read(tmp_path)] == ["vector-01", "vector-04"]


def test_every_column_is_on_the_page_and_in_the_file(tmp_path):
    page = (ROOT / "docs" / "replays.md").read_text("utf-8")
    assert main(["table", "-q", str(VECTORS[0]), "-o", str(tmp_path / "games.parquet")]) == 0
    for name, columns in tables.COLUMNS.items():
        schema = parquet.read_schema(tmp_path / f"games{'' if name == 'games' else f'-{name}'}.parquet")
        assert {field.name: field.metadata[b"about"].decode() for field in schema} == {
            column: about for column, (_kind, about) in columns.items()
        }
        lines = [f"| `{column}` | {kind} | {about} |" for column, (kind, about) in columns.items()]
        assert "\n".join(lines) in page


def test_without_the_extra_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert main(["table", str(VECTORS[0]), "-o", str(tmp_path / "games.parquet")]) == 2
    assert "pip install 'ulm-by-mail[data]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["-", "games.csv"])
def test_a_name_that_is_none_of_tables_is_refused(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["table", str(VECTORS[0]), "-o", name]) == 2
    assert "parquet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
