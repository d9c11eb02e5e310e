"""What belongs to a step of the turn and is not possible now, with the reason in words and the rule behind it."""

from __future__ import annotations

from typing import NamedTuple


class Impossible(NamedTuple):
    """Something that cannot be done now: what it is called, why not, and the id of the rule in docs/rules.md."""

    label: str
    why: str
    rule: str
