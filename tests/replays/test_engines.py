"""`.ci/compare_engines.py`: one corpus under two checkouts of the engine."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.replays.conftest import GAMES, ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Another checkout, whose engine a test may change: the sources alone."""
    ignored = shutil.ignore_patterns("*.so")
    shutil.copytree(ROOT / "server" / "engine", tmp_path / "other" / "server" / "engine", ignore=ignored)
    (tmp_path / "other" / "server" / "__init__.py").touch()
    (tmp_path / "games").mkdir()
    with gzip.open(tmp_path / "games" / "all.jsonl.gz", "wt") as file:
        file.writelines(path.read_text("utf-8").strip().replace("\n", "") + "\n" for path in sorted(GAMES.iterdir()))
    return tmp_path / "other"


def compare(checkout: Path) -> tuple[int, str]:
    command = [sys.executable, ".ci/compare_engines.py", str(ROOT), str(checkout), str(checkout.parent / "games")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(("module", "old", "new", "says"), [
    ("ruleset.py", "first_coins: int = 2", "first_coins: int = 2", "12 games, 2319 plies, 0 differ"),
    ("ruleset.py", "first_coins: int = 2", "first_coins: int = 3", ":2: ply 0: the states differ"),
    ("ruleset.py", "guard_vp: int = 2", "guard_vp: int = 3", "vp"),  # some games alone meet it
    ("danube.py", "player.barge = space\n", "raise ZeroDivisionError('broken')\n", 'error: null | "broken"'),
], ids=["agree", "every game", "some games", "raises"])  # fmt: skip
def test_what_changed_is_found(checkout: Path, module: str, old: str, new: str, says: str) -> None:
    path = checkout / "server" / "engine" / "ulm1" / module
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    code, said = compare(checkout)
    assert says in said
    assert code == (old != new)
    if "guard" in old:
        assert " 12 differ" not in said
