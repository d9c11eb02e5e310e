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
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def document(server: LiveServer, tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(server.call("/openapi.json")), "utf-8")
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


def test_openapi_typescript_plays_a_game(server: LiveServer, document: Path, tmp_path: Path) -> None:
    generator, compiler, node = tool("openapi-typescript"), tool("tsc"), tool("node")
    run(generator, document, "-o", tmp_path / "ulm_client.d.ts")
    shutil.copy(HERE / "play_openapi_typescript.ts", tmp_path / "play.ts")
    strict = ("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    run(compiler, *strict, "--target", "es2022", "--lib", "es2022,dom", "--outDir", tmp_path,
        tmp_path / "play.ts")  # fmt: skip
    assert run(node, tmp_path / "play.js", server.url).startswith("over after ")
