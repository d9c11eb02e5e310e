"""What the list of replays says of each, and of a filter that cannot be read."""

from __future__ import annotations

from typing import Any

from server.language import gettext as _
from server.language import ngettext
from server.routes.pages.shared.local_times import local_time
from server.service.archive.replay_lists import ReplaySummary
from server.service.common.naming import spoken


def listed(game: ReplaySummary) -> dict[str, Any]:
    """One line of the list."""
    return {
        **game,
        "facts": facts(game),
        "name": spoken(game["name"] or ""),
        "names": [spoken(player["name"] or "") or seat_name(player["seat"]) for player in game["players"]],
        "ended": local_time(game["finished_at"]) if game["finished_at"] else None,
        "totals": [] if game["result"] is None else [score["total"] for score in game["result"]["scores"]],
        "winners": [] if game["result"] is None else game["result"]["winners"],
    }


def facts(game: ReplaySummary) -> list[str]:
    """A few phrases on what kind of game it was."""
    said = [
        ngettext("%(num)s player", "%(num)s players", game["seats"]),
        _("advanced game") if game["options"]["tower"] else _("basic game"),
        ngettext("%(num)s move", "%(num)s moves", game["plies"]),
    ]
    if game["options"]["rotate_start"]:
        said.insert(2, _("rotating start player"))
    if game["origin"] == "imported":
        said.append(_("imported"))
    elif game["origin"] == "sandbox":
        said.append(_("sandbox"))
    elif game["origin"] == "example":
        said.append(_("example"))
    return said


def complaint(name: str) -> str:
    """What is wrong with a filter that cannot be read."""
    if name in ("from", "to"):
        return _("Write a day like 2026-11-21.")
    if name in ("score_min", "score_max"):
        return _("Write a whole number.")
    return _("This filter cannot be read.")


def seat_name(seat: int) -> str:
    """How a seat is called whose player has no name."""
    return _("Player %(number)s", number=seat + 1)
