"""`clients/js/ulm-client.js` in Node: whole games, a week of outages. What TypeScript's compiler says to it stands
where its types are made, in test_generated_clients.py."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from clients.python.tests.test_outages import MOVES, WEEK, CutRows, Table, send, serving
from tests.clients.test_generated_clients import run, tool
from tests.live import LiveServer

JS = Path(__file__).parents[2] / "clients" / "js"
PLAY = Path(__file__).with_name("play_js_client.mjs")


def test_it_plays_a_game(start_server: Callable[..., LiveServer]) -> None:
    server = start_server()
    assert run(tool("node"), PLAY, JS / "ulm-client.js", server.url).startswith("over after ")


def test_weeks_of_outages_cost_no_move_and_double_none() -> None:
    table = Table()

    def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
        if request.path.startswith("/sleep/"):
            table.sleep(float(request.path.rpartition("/")[2]))
            send(request, 200, b"")
        else:
            table.handle(request, body)

    with serving(handle) as url:
        run(tool("node"), PLAY, JS / "ulm-client.js", url, "away")
    assert table.moves == MOVES
    assert table.now > WEEK
    assert max(table.slept) == 3600
    assert table.known[-1] is not None


def test_rows_go_on_where_they_were_cut() -> None:
    rows = CutRows()
    with serving(rows.handle) as url:
        assert run(tool("node"), PLAY, JS / "ulm-client.js", url, "cut").split() == [*"012345678"]
    assert rows.asked == [*rows.asked_for]
