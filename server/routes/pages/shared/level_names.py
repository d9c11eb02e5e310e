"""How hard puzzles are, in words."""

from __future__ import annotations

from server.language import N_
from server.language import gettext as _

_LEVELS = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


def level_name(level: str) -> str:
    """The word for a level (`replays.analysis.puzzles.Level`)."""
    word = _LEVELS[level]
    return _(word)
