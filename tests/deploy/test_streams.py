"""`ulm serve --only streams` as a process of its own, beside a server and behind nginx; needs PostgreSQL and nginx."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask import Flask

from server.cli import main
from server.routes import STREAMS_ALONE
from tests.deploy.programs import DEPLOY, program
from tests.deploy.test_rolling_restart import API, ON_POSTGRES, Caller, Front, Site, Watcher, until
from tests.live import LiveServer

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def site(tmp_path: Path, database_url: str) -> Iterator[Site]:
    with ExitStack() as stack:
        site = Site(tmp_path, database_url, stack)
        site.ports, site.arguments = site.ports[:1], [()]
        yield site


def count(server: LiveServer, path: str, status: int) -> int:
    """How many requests for `path` its log has with that status."""
    return len(re.findall(rf"path={re.escape(path)} status={status}", server.log()))


def waiting(server: LiveServer) -> int:
    """How many wait there."""
    return int(float(server.counters().split("\nulm_waiting_requests ")[1].split()[0]))


def poll(front: Front, game: str, tag: str) -> http.client.HTTPConnection:
    """A long poll that has been asked."""
    connection = front.connection()
    headers = {"Host": "ulm.example.org", "If-None-Match": tag, "Prefer": "respond-async, Wait=60"}
    connection.request("GET", f"{API}/games/{game}", headers=headers)
    return connection


@ON_POSTGRES
def test_a_move_at_a_server_is_told_by_the_process_for_streams(site: Site) -> None:
    program("nginx")
    site.start()
    [web] = site.servers
    streams = site.streams()
    front = site.nginx()
    caller = Caller(front)
    ann, ben = (caller.ask("POST", f"{API}/players", {"name": name})["token"] for name in ("Ann", "Ben"))
    game = caller.ask("POST", f"{API}/games", {"seats": 2}, ann)["id"]
    page = caller.ask("POST", f"{API}/games/{game}/players", {}, ben)
    mover, waits = (ann, ben) if page["to_move"] == 0 else (ben, ann)
    caller.ask("GET", f"{API}/games/{game}")
    assert caller.headers is not None
    watcher = Watcher(front, game, waits)
    watcher.start()
    try:
        until(lambda: bool(watcher.plies), "no stream begins")
        asked = poll(front, game, caller.headers["ETag"])
        until(lambda: waiting(streams) == 2, "the stream and the long poll wait elsewhere")
        assert waiting(web) == 0
        legal = caller.ask("GET", f"{API}/games/{game}/legal-moves", None, mover)
        move = next(text for text in legal["moves"] if text not in ("draw", "resign"))
        caller.ask("POST", f"{API}/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, mover)
        until(lambda: legal["ply"] + 1 in watcher.plies, "the move is not told")
        with closing(asked), asked.getresponse() as answer:
            assert (answer.status, json.load(answer)["ply"]) == (200, legal["ply"] + 1)
        assert "listening to the database" in streams.log()
        assert count(streams, f"{API}/games/<id:game_id>/events", 200) == 1
        assert count(web, f"{API}/games/<id:game_id>/events", 200) == 0
        assert count(streams, f"{API}/games/<id:game_id>", 200) == 1
        with closing(http.client.HTTPConnection("127.0.0.1", site.stream_port, timeout=30)) as other:
            for method, path in (("GET", "/"), ("POST", f"{API}/games"), ("GET", f"{API}/games"), ("GET", "/pulse")):
                other.request(method, path, headers={"Content-Type": "application/json"})
                with other.getresponse() as answer:
                    assert (answer.status, bool(answer.read())) == (404, True)
            other.request("GET", "/readyz")
            assert other.getresponse().status == 200
        assert streams.stop() == 0  # until it is back, the server answers
        until(lambda: waiting(web) == 1, "the page does not come back")
    finally:
        watcher.enough.set()
        web.stop()
        watcher.join(30)
    assert not watcher.is_alive()


def test_on_sqlite_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], log_settings_are_put_back: None
) -> None:
    monkeypatch.setenv("ULM_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("ULM_DATABASE_URL", raising=False)
    assert main(["serve", "--only", "streams"]) != 0
    assert "on SQLite the servers answer streams themselves" in capsys.readouterr().err


@ONLY_SQLITE
def test_proxies_send_it_what_it_answers(app: Flask) -> None:
    """The addresses in deploy/ are those of its endpoints, and no endpoint is misspelt."""
    rules = {rule.endpoint: rule.rule for rule in app.url_map.iter_rules()}
    assert rules.keys() >= STREAMS_ALONE
    nginx, caddy = ((DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile"))
    chosen = [re.compile(text) for text in re.findall(r'"~\*?(\S.*)" ulm_streams;', nginx)]
    live, poll = (re.compile(text) for text in re.findall(r"path_regexp (\S+)", caddy))
    prefers = re.compile(re.findall(r"header_regexp Prefer (\S+)", caddy)[0])
    assert len(chosen) == 3
    for endpoint, rule in rules.items():
        path = re.sub(r"<[^>]+>", "abc", rule)
        ours = endpoint in STREAMS_ALONE and not endpoint.startswith("operations.")
        by_path = ours and endpoint != "games.getGame"
        assert any(one.search(f"{path} ") for one in chosen) == by_path, rule
        assert bool(live.search(path)) == by_path, rule
        for prefer in ("wait=5", "respond-async, wait = 5", "respond-async;wait=5"):
            assert any(one.search(f"{path} {prefer}") for one in chosen) == ours, rule
            assert prefers.search(prefer)
        assert bool(poll.search(path)) == (endpoint == "games.getGame"), rule
    assert not prefers.search("await=5")
