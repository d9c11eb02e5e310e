"""The rulesets that this engine knows, and what changed from one to the next.

A game stays with the ruleset that it was created under for ever (record.md §2). A new one gets a line here, in order,
and its name in `server.engine.record.RULESETS`; a test holds the two against each other.
"""

from __future__ import annotations

from typing import NamedTuple

from server.engine import record


class Ruleset(NamedTuple):
    """A ruleset: its name, the file format of its records, and what it changed, in words of docs/rules.md."""

    name: str
    format: str
    changes: str


TABLE = (Ruleset("ulm/1", "ulm-record/1", "The first: docs/rules.md and docs/record.md, house values marked [H]."),)


def playable(name: object) -> bool:
    """Whether records under this ruleset can be replayed and played on."""
    return name in record.RULESETS


def since(name: str) -> list[Ruleset]:
    """The rulesets after `name`. Raises `ValueError` for one that is not in the table."""
    names = [ruleset.name for ruleset in TABLE]
    if name not in names:
        raise ValueError(f"unknown ruleset {name!r}: there are {', '.join(names)}")
    return list(TABLE[names.index(name) + 1 :])
