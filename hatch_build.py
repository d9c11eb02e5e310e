"""Compile the engine and what bots think with by mypyc (docs/compiled-engine.md): the same sources, far faster.

    python hatch_build.py                    # beside the sources: `make compiled`
    python hatch_build.py FOLDER             # into a folder, as packages
    ULM_COMPILED=1 pip wheel --no-deps .     # into a wheel, which is then for this Python and this system alone

Needs what the extra `compiled` names, a C compiler and the headers of Python. Without `ULM_COMPILED` a wheel is pure.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
ENGINE, BOTS = Path("server", "engine"), Path("bots")
COMPILED = (
    "canonical", "chance", "events",
    "ulm1/bonuses", "ulm1/cards", "ulm1/cathedral", "ulm1/coats", "ulm1/danube", "ulm1/dealing", "ulm1/descendants",
    "ulm1/game", "ulm1/quarters", "ulm1/scoring", "ulm1/setup", "ulm1/state", "ulm1/supply", "ulm1/tables",
    "ulm1/tower", "ulm1/turn", "ulm1/view",
)  # fmt: skip
"""What plays. The rest tells of it, and would gain nothing; a `Ruleset` keeps what it found out beside its fields,
which a compiled class cannot."""
THINKING = ("features", "value", "search")
"""Where bots spend their time."""
GROUP = "ulm_engine"
"""The library that holds all of them; what lies beside a source is only the door to it."""


def sources() -> list[str]:
    """Return the files that are compiled, as paths from the root."""
    return [str(ENGINE / f"{name}.py") for name in COMPILED] + [str(BOTS / f"{name}.py") for name in THINKING]


def build(target: Path) -> list[Path]:
    """Compile the engine into the folder `target`; return the files that were made."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    os.chdir(ROOT)  # where mypy finds its settings and the names of modules
    scratch = ROOT / "build" / "engine"
    scratch.mkdir(parents=True, exist_ok=True)
    # A higher level gains one percent and takes a third longer: most of the time goes by in Python's own library.
    extensions = mypycify(sources(), opt_level="1", debug_level="0", group_name=GROUP, target_dir=str(scratch))
    command: Any = Distribution({"name": GROUP, "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(target), str(scratch)
    command.ensure_finalized()
    command.run()
    made = [Path(path) for path in command.get_outputs()]
    for path in made:
        path.touch()  # a door that is still the same is not made again, and is as new as its source for all that
    return made


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the compiled engine into a wheel, where it is asked for."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling."""
        return ["mypy>=2.4,<3", "setuptools>=80"] if _wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless nobody asked or the sources themselves are installed (`pip install --editable`)."""
        if version == "editable" or not _wanted():
            return
        target = ROOT / "build" / "wheel"
        made = build(target)
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["force_include"].update({str(path): str(path.relative_to(target)) for path in made})


def _wanted() -> bool:
    return bool(os.environ.get("ULM_COMPILED"))


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
