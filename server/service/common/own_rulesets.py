"""The rulesets of an operator who owns the box: read from files when a process starts (docs/own-values.md)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from server.engine import own_values, rulesets
from server.engine.own_values import Own, OwnValuesError
from server.settings import SettingsError

_MOST_BYTES = 100_000


def load(rulesets_at: str) -> list[Own]:
    """Add the rulesets of a file or folder (`ULM_RULESETS`), once, and return them. Raises `SettingsError`."""
    if not rulesets_at:
        return []
    path = Path(rulesets_at)
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    problems = [] if files else [f"{path}: no file in it ends with .toml"]
    found: dict[str, Own] = {}
    for file in files:
        try:
            own = read(file)
            found[own.rules.name] = own
        except OwnValuesError as error:
            problems += [f"{file}: {problem}" for problem in error.problems]
    defaults = [own.rules.name for own in found.values() if own.for_new_games]
    if len(defaults) > 1:
        problems.append(f"{path}: new games are played by one ruleset, not by {' and '.join(defaults)}")
    if problems:
        raise SettingsError([f"ULM_RULESETS: {problem}" for problem in problems])
    for own in found.values():
        rulesets.register(own.rules, own.for_new_games)
    return list(found.values())


def read(file: Path) -> Own:
    """The ruleset of one file. Raises `OwnValuesError`, also for what cannot be read or is no TOML."""
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise OwnValuesError([f"it has more than {_MOST_BYTES} bytes"])
        return own_values.ruleset_of(tomllib.loads(text.decode("utf-8")))
    except OSError as error:
        raise OwnValuesError([str(error.strerror)]) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OwnValuesError([f"it is not TOML: {error}"]) from error
