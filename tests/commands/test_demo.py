"""`ulm demo`: whole games over HTTP against a live server, what it believes of the record, and its refusals."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import socket
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli import main
from server.commands import CommandError
from server.commands.client import Client, NoAnswerError, RefusedError
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
        (4, []),
        (2, ["--advanced"]),
        (3, ["--advanced"]),
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


def test_the_seed_chooses_the_players_chance_but_not_the_shuffle(server):
    client = Client(server.url)
    games = [begin(client, 2, {"tower": False, "rotate_start": False}, "the same") for _ in range(2)]
    assert games[0].client_seeds == games[1].client_seeds
    assert games[0].commitment != games[1].commitment


# --- what it believes ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(server) -> tuple[Demo, str]:
    """A finished demonstration and its record as the server showed it."""
    client = Client(server.url)
    demo = begin(client, 2, {"tower": True, "rotate_start": False}, "a game to doubt")
    while demo.active is not None:
        demo.decide()
    return demo, client.text(f"/api/v1/replays/{demo.id}/record")


def test_a_true_record_is_believed(finished):
    demo, text = finished
    assert demo.check(text).id == demo.id
    assert len(demo.played) > 50


def test_a_shuffle_that_was_not_promised_is_found(finished):
    demo, text = finished
    record = records.loads(text)
    other = records.make(record.id, record.name, record.options, ["Red", "Green"], bytes(32), record.client_seeds, [])
    with pytest.raises(RecordError, match="commitment") as caught:
        demo.check(records.dumps(other))
    assert caught.value.ply == 0


@pytest.mark.parametrize("field", ["client_seeds", "options"])
def test_other_seeds_or_options_are_found(finished, field):
    demo, text = finished
    other = {"client_seeds": ["a", "b"], "options": {"tower": False, "rotate_start": False}}[field]
    with pytest.raises(RecordError, match=field.replace("_", " ")):
        dataclasses.replace(demo, **{field: other}).check(text)


def test_a_record_that_ends_early_is_found(finished):
    demo, text = finished
    record = records.loads(text)
    short = records.make(
        record.id,
        record.name,
        record.options,
        ["Red", "Green"],
        record.server_seed,
        record.client_seeds,
        record.moves[:-1],
    )
    with pytest.raises(RecordError, match="not over") as caught:
        demo.check(records.dumps(short))
    assert caught.value.ply == len(record.moves) - 1


def test_another_move_than_the_acknowledged_one_is_found(finished):
    demo, text = finished
    ply = sorted(demo.played)[len(demo.played) // 2]
    seat, _ = demo.played[ply]
    with pytest.raises(RecordError, match="played `resign`") as caught:
        dataclasses.replace(demo, played=demo.played | {ply: (seat, "resign")}).check(text)
    assert caught.value.ply == ply


def test_a_missing_last_move_is_found(finished):
    demo, text = finished
    ply = max(demo.played) + 1
    with pytest.raises(RecordError, match="is missing"):
        dataclasses.replace(demo, played=demo.played | {ply: (0, "end")}).check(text)


def test_a_move_that_nobody_sent_is_found(finished):
    demo, text = finished
    ply = next(ply for ply in sorted(demo.played) if demo.played[ply][1] != "draw")
    played = {other: move for other, move in demo.played.items() if other != ply}
    with pytest.raises(RecordError, match="played `draw`") as caught:
        dataclasses.replace(demo, played=played).check(text)
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


def test_the_address_comes_from_the_settings(server, capsys):
    assert main(["demo"], {"ULM_PORT": server.url.rpartition(":")[2]}) == 0
    assert server.url in capsys.readouterr().out
    assert main(["demo"], {"ULM_BASE_URL": server.url, "ULM_PORT": "1"}) == 0


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://a:b", "http://127.0.0.1/?x"])
def test_an_address_that_is_none_is_one_line(capsys, url):
    assert main(["demo", "--url", url], {}) == 2
    assert "looks like http://127.0.0.1:8000" in one_line(capsys)


@pytest.mark.parametrize("number", ["1", "5", "two"])
def test_players_are_two_to_four(capsys, number):
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--players", number], {})
    assert caught.value.code == 2
    assert "--players" in capsys.readouterr().err


class Canned:
    """A server that gives each connection one answer and closes it, whatever it said about keeping it."""

    def __init__(self, answers: list[bytes]) -> None:
        self.asked: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(10)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, args=(answers,))
        self._thread.start()

    def _serve(self, answers: list[bytes]) -> None:
        with self._listening:
            for answer in answers:
                connection, _ = self._listening.accept()
                with connection:
                    self.asked.append(connection.recv(65536))
                    if answer:
                        connection.sendall(answer)

    def close(self) -> None:
        self._thread.join(10)


def answer(body: bytes, status: str = "200 OK") -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status.encode(), len(body), body)


@pytest.mark.parametrize(
    ("status", "body"), [("200 OK", b"<h1>It works</h1>"), ("404 Not Found", b"<h1>No</h1>"), ("404 Not Found", b"[]")]
)
def test_something_else_that_answers_is_told_apart(capsys, status, body):
    other = Canned([answer(body, status)])
    assert main(["demo", "--url", other.url], {}) == 2
    assert "is not Ulm by mail" in one_line(capsys)
    other.close()


def test_a_refusal_is_shown_as_the_server_words_it(capsys):
    busy = Canned([answer(b'{"message": "Try again in a minute."}', "503 Service Unavailable")])
    assert main(["demo", "--url", busy.url], {}) == 2
    assert one_line(capsys) == f"ulm: {busy.url} refused: Try again in a minute.\n"
    busy.close()


def test_a_connection_that_was_closed_meanwhile_is_opened_again():
    server = Canned([answer(b"1"), answer(b"2"), b"", answer(b"4")])
    client = Client(server.url)
    assert client.get("/a") == 1
    assert client.get("/b") == 2
    client = Client(server.url)
    assert client.post("/c", {}, key="k") == 4  # closed without an answer, then asked once more
    server.close()
    assert [text.split()[1] for text in server.asked] == [b"/a", b"/b", b"/c", b"/c"]
    assert b"Idempotency-Key: k" in server.asked[2]
    assert b"Idempotency-Key: k" in server.asked[3]


def test_what_is_not_safe_to_repeat_is_not_repeated():
    server = Canned([b""])
    client = Client(server.url)
    with pytest.raises(NoAnswerError):
        client.post("/a", {})
    server.close()
    assert len(server.asked) == 1


def test_errors_carry_the_status(server):
    client = Client(f"{server.url}/")
    with pytest.raises(RefusedError) as caught:
        client.get("/api/v1/games/nothere")
    assert caught.value.status == 404
    with pytest.raises(CommandError):
        Client("file:///etc/passwd")


def test_random_players_use_most_of_the_game(server):
    """The point of a demonstration: batches, cards, seals and choices occur, not only `end`."""
    verbs: set[str] = set()
    client = Client(server.url)
    for seed in ("one", "two"):
        demo = begin(client, 2, {"tower": True, "rotate_start": False}, seed)
        demo.rng = random.Random(seed)
        while demo.active is not None:
            demo.decide()
        verbs |= {move.split()[0] for _, move in demo.played.values()}
    assert verbs >= {"push", "money", "river", "clear", "seal", "end"}


def test_the_command_imports_no_server_part():
    """It plays as a stranger would: over HTTP, with nothing of the service or the database in reach."""
    for name in ("demo", "client"):
        source = Path(f"server/commands/{name}.py")
        text = (Path(__file__).parent.parent.parent / source).read_text("utf-8")
        assert not re.search(r"(from|import) server\.(service|storage|routes|app)", text)
