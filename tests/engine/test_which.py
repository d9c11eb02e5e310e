"""The compiled engine, where there is one (docs/compiled-engine.md)."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import hatch_build
from server.engine.which import ENGINE

NAMES = [source.removesuffix(".py").replace("/", ".") for source in hatch_build.sources()]


@pytest.mark.parametrize("name", NAMES)
def test_all_that_plays_is_compiled_or_nothing(name: str) -> None:
    file = importlib.import_module(name).__file__ or ""
    assert file.endswith(".py") == (ENGINE == "interpreted"), "make compiled, or make pure"


@pytest.mark.skipif(ENGINE == "interpreted", reason="the engine is not compiled here")
@pytest.mark.parametrize("name", NAMES)
def test_a_compiled_engine_is_as_new_as_its_sources(name: str) -> None:
    """What was built is found before the source, whatever was written there since."""
    built = Path(importlib.import_module(name).__file__ or "")
    source = built.parent / f"{name.rpartition('.')[2]}.py"
    assert source.stat().st_mtime <= built.stat().st_mtime, "make compiled again, or make pure"


def test_the_sources_play_where_they_are_asked_for() -> None:
    """`benchmarks.sources` is how one run measures both engines."""
    code = "from benchmarks import sources; sources.prefer(); from server.engine import which; print(which.ENGINE)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "interpreted\n"
