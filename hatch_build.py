"""Compile the engine with mypyc (docs/compiled-engine.md): the same sources, run some three times as fast.

    python hatch_build.py FOLDER             # built modules into FOLDER, as packages; `make compiled`: beside the sources
    ULM_COMPILED=1 pip wheel --no-deps .     # a wheel that has them, for this Python and this system alone

Needs mypy, setuptools, a C compiler and the headers of Python. Without `ULM_COMPILED` a wheel is pure, as ever.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
ENGINE = Path("server", "engine")
COMPILED = (
    "canonical", "chance", "events",
    "ulm1/cards", "ulm1/cathedral", "ulm1/coats", "ulm1/danube", "ulm1/dealing", "ulm1/descendants", "ulm1/game",
    "ulm1/quarters", "ulm1/scoring", "ulm1/setup", "ulm1/state", "ulm1/supply", "ulm1/tables", "ulm1/tower", "ulm1/turn",
    "ulm1/view",
)  # fmt: skip
"""What plays. The rest talks about it, or would not gain: chance is SHA-256, a ruleset is a table of its own making."""
GROUP = "ulm_engine"
"""The library that holds all of it is called so; each module beside its source is only a door to it."""


def sources() -> list[str]:
    """Return the files that are compiled, as paths from the root."""
    return [str(ENGINE / f"{name}.py") for name in COMPILED]


def build(target: Path) -> list[Path]:
    """Compile the engine into the folder `target`; return the files, the paths of packages below it."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    os.chdir(ROOT)  # where mypy finds what it is told in pyproject.toml
    scratch = ROOT / "build" / "engine"
    scratch.mkdir(parents=True, exist_ok=True)
    extensions = mypycify(sources(), opt_level=os.environ.get("OPT", "2"), debug_level="0", group_name=GROUP, target_dir=str(scratch))
    command: Any = Distribution({"name": GROUP, "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(target), str(scratch)
    command.ensure_finalized()
    command.run()
    return [Path(path) for path in command.get_outputs()]


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
