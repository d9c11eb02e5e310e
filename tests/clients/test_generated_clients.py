"""Clients that generators make of the description as it is served play a whole game, where the generators are.

What they need of the document is held by `tests/routes/api/test_openapi.py` everywhere else, too.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import LiveServer

HERE = Path(__file__).parent
JS = HERE.parents[1] / "clients" / "js"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def document(server: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_text(json.dumps(server.call("/openapi.json")), "utf-8")
    return path


@pytest.fixture(scope="module")
def types(document: Path) -> Path:
    """What openapi-typescript makes of it."""
    path = document.with_name("types.d.ts")
    run(tool("openapi-typescript"), document, "-o", path)
    return path


def tool(name: str) -> Path:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here: docs/testing.md says how to have it")
    return Path(found)


def run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def python_of(tool: Path) -> Path:
    """The Python that a tool is installed for, which has what its clients import."""
    return tool.parent / "python"


def test_openapi_python_client_plays_a_game(server: LiveServer, document: Path, tmp_path: Path) -> None:
    generator = tool("openapi-python-client")
    run(generator, "generate", "--path", document, "--meta", "none", "--output-path", tmp_path / "made" / "ulm_client")
    script = HERE / "play_openapi_python_client.py"
    assert run(python_of(generator), script, tmp_path / "made", server.url).startswith("over after ")


def test_openapi_generator_plays_a_game(server: LiveServer, document: Path, tmp_path: Path) -> None:
    generator = tool("openapi-generator-cli")
    run(generator, "generate", "-i", document, "-g", "python", "-o", tmp_path / "made", "--package-name", "ulm_client")
    script = HERE / "play_openapi_generator.py"
    assert run(python_of(generator), script, tmp_path / "made", server.url).startswith("over after ")


def test_openapi_typescript_plays_a_game(server: LiveServer, types: Path, tmp_path: Path) -> None:
    compiler, node = tool("tsc"), tool("node")
    shutil.copy(types, tmp_path / "ulm_client.d.ts")
    shutil.copy(HERE / "play_openapi_typescript.ts", tmp_path / "play.ts")
    strict = ("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    run(compiler, *strict, "--target", "es2022", "--lib", "es2022,dom", "--outDir", tmp_path,
        tmp_path / "play.ts")  # fmt: skip
    assert run(node, tmp_path / "play.js", server.url).startswith("over after ")


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


def test_the_javascript_client_is_typed(types: Path, tmp_path: Path) -> None:
    """By what openapi-typescript makes of the description."""
    compiler = tool("tsc")
    shutil.copytree(JS, tmp_path / "js")
    shutil.copy(types, tmp_path / "js/types.d.ts")
    (tmp_path / "js/typed.ts").write_text(TYPED)
    how = json.loads((JS / "tsconfig.json").read_text())
    (tmp_path / "js/tsconfig.json").write_text(json.dumps({**how, "files": [*how["files"], "typed.ts"]}))
    run(compiler, "--project", tmp_path / "js")
