"""What the tests of the replay tools share: the vector games, and `ulm-replay` as people run it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from replays import cli
from replays.analysis.plans import Beam, Look
from server.engine import record
from server.engine.game import Game
from tests import processes

ROOT = Path(__file__).parent.parent.parent
GAMES = ROOT / "tests" / "vectors" / "games"
VECTORS = sorted(GAMES.glob("*.ulm.json"))
OF_EACH_RULESET = sorted(GAMES.parent.rglob("*.ulm.json"))


def ulm_replay(
    *args: object, stdin: bytes | None = None, timeout: float = 60, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    return processes.run(
        cli.main, [*map(str, args)], stdin or b"", {**os.environ, **(environment or {})}, ROOT, timeout
    )


def good(*args: object, code: int = 0, **more: Any) -> str:
    """What the command prints, which must end with `code`, and never with a traceback."""
    result = ulm_replay(*args, **more)
    errors = result.stderr.decode()
    assert "Traceback" not in errors, errors
    assert result.returncode == code, (result.stdout[-2000:], errors)
    return result.stdout.decode()


def game(number: int) -> dict[str, Any]:
    """The JSON of a vector game, to be changed."""
    return json.loads((GAMES / f"vector-{number:02}.ulm.json").read_text("utf-8"))


SHORT = Look(Beam(3, 40, 2, 0), Beam(2, 20, 1, 1), Beam(1, 10, 1, 1), 0.5)
"""How far an analysis looks in tests."""


def replay_of(number: int) -> Game:
    """A vector game to step through."""
    return Game(record.from_dict(game(number)))


@pytest.fixture(scope="session")
def vectors() -> list[record.Record]:
    """The vector games."""
    return [record.loads(path.read_text("utf-8")) for path in VECTORS]


@pytest.fixture
def save(tmp_path: Path):
    """Write a record's JSON to a file of its own and return its path."""

    def write(data: Any, name: str = "game.ulm.json") -> Path:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return path

    return write
