"""`ulm demo`: whole games over HTTP against a live server, what it believes of the record, and its refusals."""

from __future__ import annotations

import dataclasses
import json
import re
import urllib.request
from collections.abc import Iterator

import pytest

from server.cli import main
from server.commands.client import Client
from server.commands.demo import NAMES, Demo, begin
from server.engine import record as records
from server.engine.errors import RecordError
from tests.live import LiveServer
from tests.ports import Port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One live server for all games of this file."""
    server = LiveServer(tmp_path_factory.mktemp("demo"))
    yield server
    server.stop()


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as response:
        return str(response.read().decode())


@pytest.mark.parametrize(
    ("players", "flags"),
    [
        (2, []),
        (3, ["--rotate-start"]),
        (4, ["--advanced", "--rotate-start", "--seed", "Ulm"]),
    ],
)
def test_a_whole_game_is_played_and_its_replay_is_named(server, capsys, players, flags):
    assert main(["demo", "--url", server.url, "--players", str(players), *flags], {}) == 0
    out = capsys.readouterr().out
    replay = re.search(r"^Replay:  (\S+)$", out, re.MULTILINE)[1]
    assert replay.startswith(f"{server.url}/api/v1/replays/")
    record = records.loads(fetch(f"{replay}/record"))
    state = records.verify(record)
    assert state.scores is not None
    assert (state.round, len(record.players)) == (10, players)
    assert record.options == {"tower": "--advanced" in flags, "rotate_start": "--rotate-start" in flags}
    assert len(set(record.client_seeds)) == players  # each player gave one of their own
    assert sum(entry.text == "end" for entry in record.moves) == 10 * players
    assert f"Played {len(record.moves)} moves" in out
    for seat, name in enumerate(NAMES[:players]):
        assert f"{name} {state.scores[seat]['total']}" in out
    assert json.loads(fetch(replay))["plies"] == len(record.moves)
    client = Client(server.url)
    assert client.post("/api/v1/replays/verify", record.to_dict())["valid"] is True


# --- what it believes ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(server) -> tuple[Demo, records.Record]:
    """A finished demonstration and its record as the server showed it."""
    client = Client(server.url)
    demo = begin(client, 2, {"tower": True, "rotate_start": False}, "a game to doubt")
    while demo.active is not None:
        demo.decide()
    text = client.text(f"/api/v1/replays/{demo.id}/record")
    assert demo.check(text).id == demo.id
    # Batches, cards, seals and choices occur, not only `end`.
    assert {move.split()[0] for _, move in demo.played.values()} >= {"push", "money", "river", "clear", "end"}
    return demo, records.loads(text)


def test_a_record_with_another_shuffle_or_an_early_end_is_found(finished):
    demo, record = finished
    for seed, moves, words, ply in (
        (bytes(32), [], "commitment", 0),
        (record.server_seed, record.moves[:-1], "not over", len(record.moves) - 1),
    ):
        names = ["Red", "Green"]
        other = records.make(record.id, record.name, record.options, names, seed, record.client_seeds, moves)
        with pytest.raises(RecordError, match=words) as caught:
            demo.check(records.dumps(other))
        assert caught.value.ply == ply


@pytest.mark.parametrize("what", ["client seeds", "options", "another move", "a missing move", "a move nobody sent"])
def test_what_was_seen_otherwise_is_found(finished, what):
    demo, record = finished
    played, last = demo.played, max(demo.played)
    ply = next(ply for ply in sorted(played) if played[ply][1] != "draw")
    fewer = {other: move for other, move in played.items() if other != ply}
    changes, words = {
        "client seeds": ({"client_seeds": ["a", "b"]}, "client seeds"),
        "options": ({"options": {"tower": False, "rotate_start": False}}, "options"),
        "another move": ({"played": played | {ply: (played[ply][0], "resign")}}, "played `resign`"),
        "a missing move": ({"played": played | {last + 1: (0, "end")}}, "is missing"),
        "a move nobody sent": ({"played": fewer}, "played `draw`"),
    }[what]
    with pytest.raises(RecordError, match=words) as caught:
        dataclasses.replace(demo, **changes).check(records.dumps(record))
    if what in ("another move", "a move nobody sent"):
        assert caught.value.ply == ply


def test_a_false_record_ends_with_1(server, capsys, monkeypatch):
    honest = Client.text
    monkeypatch.setattr(Client, "text", lambda *args: re.sub(r'"winners":\[[^]]*]', '"winners":[7]', honest(*args)))
    assert main(["demo", "--url", server.url], {}) == 1
    captured = capsys.readouterr()
    assert re.search(r"fails at ply \d+: the result differs", captured.err)
    assert "Replay:" not in captured.out


# --- refusals -----------------------------------------------------------------------------------------------------


def one_line(capsys) -> str:
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("ulm: ")
    return captured.err


def test_without_a_server_it_says_what_to_do(capsys):
    with Port() as port:
        assert main(["demo"], {"ULM_PORT": str(port)}) == 2
    line = one_line(capsys)
    assert f"no answer from http://127.0.0.1:{port}: connection refused; start a server with `ulm serve`" in line


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://a:b", "http://127.0.0.1/?x"])
def test_an_address_that_is_none_is_one_line(capsys, url):
    assert main(["demo", "--url", url], {}) == 2
    assert "looks like http://127.0.0.1:8000" in one_line(capsys)
