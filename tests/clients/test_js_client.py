"""`clients/js/ulm-client.js` in Node: whole games, a week of outages, and what TypeScript's compiler says to it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from flask.testing import FlaskClient

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


TYPED = """
import { Client } from "./ulm-client.js";
const client = new Client("http://127.0.0.1");
const ply: number | null = (await client.ask("GET /games/{game_id}", { game_id: "k7m2" })).ply;
const moves: number = (await client.ask("GET /replays/{game_id}/record", { game_id: "k7m2" })).moves.length;
const nothing: null = await client.ask("DELETE /games/{game_id}/players/me", { game_id: "k7m2" });
const version: string = (await client.ask("GET /")).version;
for await (const turn of client.turns()) await turn.play(turn.legal[turn.view.round]);
for await (const { id, replay } of client.each("GET /replays/export", { player: "me" })) id === replay.id;
for await (const { seats } of client.each("GET /games", { status: "open" })) seats + 1;
// @ts-expect-error
client.ask("GET /games/{game_id}", { game: "k7m2" });
// @ts-expect-error
client.each("GET /games", { status: "closed" });
// @ts-expect-error
client.ask("DELETE /games");
// @ts-expect-error
client.ask("POST /games", { seats: "two" });
"""


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_it_is_typed(client: FlaskClient, tmp_path: Path) -> None:
    """By what openapi-typescript makes of the description."""
    generator, compiler = tool("openapi-typescript"), tool("tsc")
    shutil.copytree(JS, tmp_path / "js")
    (tmp_path / "openapi.json").write_bytes(client.get("/api/v1/openapi.json").data)
    run(generator, tmp_path / "openapi.json", "-o", tmp_path / "js/types.d.ts")
    (tmp_path / "js/typed.ts").write_text(TYPED)
    how = json.loads((JS / "tsconfig.json").read_text())
    (tmp_path / "js/tsconfig.json").write_text(json.dumps({**how, "files": [*how["files"], "typed.ts"]}))
    run(compiler, "--project", tmp_path / "js")
