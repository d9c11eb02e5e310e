"""docs/replays.md: every command on the page runs and prints what the page says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from replays.commands import COMMANDS
from tests.replays.conftest import GAMES, ROOT

PAGE = (ROOT / "docs" / "replays.md").read_text("utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def steps() -> list[tuple[str, str]]:
    """Commands in the order of the page, each with what it is said to print."""
    found = []
    for block in BLOCKS:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    """Where the page's commands are typed: vector games, the audit file."""
    path = tmp_path_factory.mktemp("docs")
    (path / "games").symlink_to(GAMES)
    shutil.copy(ROOT / "replays" / "audit.py", path)
    return path


def same(said: str, printed: str) -> bool:
    """Whether `printed` is `said`, where a line `…` stands for any lines, and times and rates may differ."""
    said, printed = (re.sub(r"in \d+\.\d s", "TIME", text) for text in (said, printed))
    pattern = "(?s:.*)".join(map(re.escape, said.split("…\n")))
    return re.fullmatch(pattern, printed) is not None


def test_the_page_as_it_stands(directory):
    """One after the other: later commands read what earlier ones wrote."""
    python = shlex.quote(sys.executable)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    assert len(steps()) > 15
    for command, said in steps():
        typed = re.sub(r"^ulm-replay\b", f"{python} -m replays.cli", command)
        typed = re.sub(r"^python3\b", python, typed)
        done = subprocess.run(
            ["bash", "-c", typed],
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        printed = done.stdout + done.stderr
        if command.startswith("ulm-replay show") and said.startswith("Ulm,"):
            # The board's wording is its own business; its size and head line are told here.
            assert len(printed.splitlines()) == len(said.splitlines())
            assert printed.splitlines()[0] == said.splitlines()[0]
        else:
            assert same(said, printed), f"$ {command}\n{printed}"
    for name in ("board.svg", "board.png", "game.html"):
        assert (directory / name).stat().st_size > 500


def test_every_command_is_on_the_page():
    for command in COMMANDS:
        assert f"ulm-replay {command.name}" in PAGE


def test_the_library_example_runs(tmp_path):
    code = re.search(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "games").symlink_to(GAMES)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
