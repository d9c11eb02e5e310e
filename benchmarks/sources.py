"""The engine of the sources, measured where the compiled one would be found (docs/compiled-engine.md)."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def prefer() -> None:
    """Let this process find the sources of the engine and nothing that was built of them. Before it is imported."""

    def finder(folder: str) -> FileFinder:
        path = Path(folder).resolve()
        if not path.is_relative_to(ROOT / "server" / "engine") and path != ROOT / "bots":
            raise ImportError("nothing that is compiled")
        return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


def playouts() -> tuple[float, ...]:
    """Return what `engine.playouts` measures of the sources: seconds of a decision in each round."""
    command = [sys.executable, "-m", __name__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603 - ourselves
    return tuple(json.loads(done.stdout))


if __name__ == "__main__":
    prefer()
    from benchmarks import engine

    print(json.dumps(next(engine.playouts()).seconds))
