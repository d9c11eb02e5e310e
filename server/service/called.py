"""What the server itself calls seats and games. It is stored in English, as the API and records show it.

Pages and mails say it in the language of their reader.
"""

from __future__ import annotations

import re

from server.language import N_, catalogue, current

FORMER = N_("Former player")
"""What a seat is called whose player has gone; with a number behind it when there are several at a table."""
EXAMPLE = N_("An example: three bots, advanced game")
"""What the example game is called."""
BOTS = {"random": N_("random bot"), "steady": N_("steady bot")}
"""What seats of bots are called, by kind; numbered alike."""

_OURS = frozenset((FORMER, EXAMPLE, *BOTS.values()))
_NUMBERED = re.compile(r"(.*?)( \([0-9]+\))?", re.DOTALL)


def spoken(name: str, code: str | None = None) -> str:
    """The name of a seat or a game for people: one that the server gave in the language in force (or in `code`), any
    other as it is.

    It goes by the name alone: records, sandboxes and imported games tell no more of who sat there.
    """
    found = _NUMBERED.fullmatch(name)
    if found is None or found[1] not in _OURS:
        return name
    return f"{catalogue.of(code or current()).gettext(found[1])}{found[2] or ''}"
