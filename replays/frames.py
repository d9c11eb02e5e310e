"""Boards of many plies as one small thing: taken apart at their groups, each part stored once."""

from __future__ import annotations

import re
from typing import Any

from replays.replay import Replay
from replays.sight import sight, sights
from server.board.changes import changed
from server.board.svg import board_svg

_PART = re.compile(r"(?=<g[ >])|(?<=</g>)")


def frames(replay: Replay, first: int, last: int, seat: int | None = None, **options: Any) -> dict[str, Any]:
    """The pictures of the plies `first` to `last`, what each ply changed marked: `{from, parts, plies}`.

    The picture of ply `from + i` is `parts` in the order that `plies[i]` names, joined. `seat` and `options` as of
    `picture.picture`. Raises `IndexError` when there is no such ply, `ValueError` for options that do not fit.
    """
    parts: dict[str, int] = {}
    plies = []
    before = sight(replay, first - 1, seat) if first else None
    for seen in sights(replay, first, last, seat):
        marked = changed(before, seen) if before is not None else None
        svg = board_svg(seen, seat=seat, names=replay.names, highlight=marked, **options)
        plies.append([parts.setdefault(part, len(parts)) for part in _PART.split(svg)])
        before = seen
    return {"from": first, "parts": list(parts), "plies": plies}
