"""What the viewer's tab says of luck and skill: the chances as a chart, sums, the moves that decided."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from flask import url_for
from markupsafe import Markup

from replays.analysis.results import RoundForm, SeatForm
from server.board.listing import signed
from server.language import gettext as _
from server.language import listing
from server.routes.pages.replay.viewer_values import drawn, points_said
from server.routes.pages.shared.game_wording import level_name
from server.service.archive.analyses import AnalysisUnderWay, KeptAnalysis
from server.service.archive.puzzles import PuzzleOfGame
from server.service.views.replay_viewer import ShownAnalysis, Watched

PERCENT = "\N{NO-BREAK SPACE}%"
SECONDS = {2: 15, 3: 35, 4: 45}
"""How long an analysis takes by the number of players, puzzles and all, on a machine that has nothing else to do
(docs/analysis.md)."""
_STEP = 5


def analysis(watched: Watched, shown: ShownAnalysis) -> dict[str, Any]:
    """All that the tab needs: `found` or `under_way`, or neither where nobody has asked yet."""
    if shown.found is None:
        return _to_come(len(watched.names), shown.under_way)
    found, names = shown.found, watched.names
    return {
        "under_way": None,
        "found": found,
        "names": names,
        "chart": lambda at: _chart(watched, found, at),
        "seats": [_seat(names, seat) for seat in found["seats"]],
        "rounds": _rounds(found),
        "moments": [
            {
                "ply": told.moment["ply"],
                "seat": told.moment["seat"],
                "title": _(
                    "Round %(round)s, move %(ply)s: %(name)s, from %(before)s to %(after)s",
                    round=told.moment["round"],
                    ply=told.moment["ply"] + 1,
                    name=names[told.moment["seat"]],
                    before=_percent(told.moment["before"]),
                    after=_percent(told.moment["before"] - told.moment["loss"]),
                ),
                "played": " ".join(told.played),
                "better": " ".join(told.better),
            }
            for told in shown.moments
        ],
        "strokes": [
            {
                "ply": stroke["ply"],
                "title": _("Round %(round)s, move %(ply)s", round=stroke["round"], ply=stroke["ply"]),
                "text": listing([
                    _("%(name)s %(points)s", name=name, points=_signed(luck))
                    for name, luck in zip(names, stroke["luck"], strict=True)
                ]),
            }
            for stroke in found["strokes"]
        ],
    }  # fmt: skip


def _to_come(seats: int, under_way: AnalysisUnderWay | None) -> dict[str, Any]:
    """How far an analysis is and how long it may take."""
    left, how_far = 1.0, ""
    if under_way is not None:
        done, plies = under_way["done"], under_way["plies"]
        left = 1 - done / max(1, plies)
        how_far = (
            _("This game is waiting to be analysed: others come first.")
            if under_way["status"] == "waiting"
            else _("This game is being analysed: %(done)s of %(plies)s moves are done.", done=done, plies=plies)
        )
    seconds = max(_STEP, _STEP * ceil(SECONDS[seats] * left / _STEP))
    how_long = _("That takes about %(seconds)s seconds, longer when the server is busy.", seconds=seconds)
    if under_way is not None:
        how_long = _("About %(seconds)s seconds more, longer when the server is busy.", seconds=seconds)
    return {"under_way": under_way, "found": None, "how_far": how_far, "how_long": how_long}


def puzzles_of(found: list[PuzzleOfGame]) -> list[dict[str, str]]:
    """The puzzles that come from the game: where each begins, and where it is solved."""
    return [
        {
            "address": url_for("puzzle-pages.puzzle", which=one["id"]),
            "title": _("Round %(round)s, move %(ply)s", round=one["round"], ply=one["ply"]),
            "level": level_name(one["level"]),
        }
        for one in found
    ]


def _chart(watched: Watched, found: KeptAnalysis, at: Callable[[int], str]) -> Markup:
    first = [_whole(seat["first"]) for seat in found["seats"]]
    chances = [first, *([_whole(chance) for chance in ply["chances"]] for ply in found["plies"])]
    said = _("At the beginning: %(points)s.", points=points_said(watched, first, PERCENT))
    title = _("Chance to win, in percent")
    return drawn(watched, at, chances, None, PERCENT, title=title, description=said, name="chances")


def _seat(names: list[str], seat: SeatForm) -> dict[str, Any]:
    """A row of the sums. Rounded, they still add up: what is offered takes the rest."""
    first, last = _whole(seat["first"]), _whole(seat["last"])
    luck, error, others = (_whole(part) for part in (seat["luck"], seat["error"], seat["others"]))
    parts = [luck, last - first - luck - error - others, error, others]
    return {"name": names[seat["seat"]], "seat": seat["seat"], "first": f"{first}{PERCENT}", "last": f"{last}{PERCENT}",
            "parts": [signed(part) for part in parts]}  # fmt: skip


def _rounds(found: KeptAnalysis) -> list[dict[str, Any]]:
    """For each round by seat what luck did, and what its own errors did."""
    by_seat: list[dict[int, RoundForm]] = [{one["round"]: one for one in seat["rounds"]} for seat in found["seats"]]
    return [
        {
            "number": number,
            "cells": [(_signed(rounds[number]["luck"]), _signed(rounds[number]["error"])) for rounds in by_seat],
        }
        for number in by_seat[0]
    ]


def _whole(chance: float) -> int:
    return round(100 * chance)


def _percent(chance: float) -> str:
    return f"{_whole(chance)}{PERCENT}"


def _signed(chance: float) -> str:
    return signed(_whole(chance))
