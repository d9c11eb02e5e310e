"""What the viewer says of the points of a replay: the chart, the chart as a table, where they came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from replays.score_chart import Round, legend, score_chart
from server.board.listing import minus
from server.engine.ulm1.shapes import Result
from server.language import gettext as _
from server.language import listing, ngettext
from server.routes.pages.replay.list_values import seat_name
from server.routes.pages.shared import score_parts
from server.service.views.replay_viewer import Watched


def chart(watched: Watched, at: Callable[[int], str]) -> Markup:
    """The points of all over the game; `at` gives the address of a ply."""
    names = [name or seat_name(seat) for seat, name in enumerate(watched.names)]
    rounds = [
        Round(last, _("Round %(number)s, move %(ply)s: %(points)s", number=number, ply=last,
                      points=_standing(names, watched.log.vp[last])), at(last))
        for number, last in enumerate(watched.log.rounds, 1)
    ]  # fmt: skip
    totals = _totals(watched)
    return Markup(  # noqa: S704 - escaped where it is made
        legend(names)
        + score_chart(
            names,
            watched.log.vp,
            totals,
            rounds,
            ply=watched.ply,
            title=_("Victory points over the game"),
            description=_("At the end: %(points)s.", points=_standing(names, totals or watched.log.vp[-1])),
        )
    )


def _standing(names: list[str], points: list[int]) -> str:
    return listing([
        _("%(name)s %(points)s", name=name, points=value) for name, value in zip(names, points, strict=True)
    ])  # fmt: skip


def _totals(watched: Watched) -> list[int] | None:
    result = watched.summary["result"]
    return None if result is None else [score["total"] for score in result["scores"]]


def points(watched: Watched) -> dict[str, Any]:
    """The chart as a table."""
    rows = [
        {"label": _("Round %(number)s", number=number), "ply": last, "vp": watched.log.vp[last]}
        for number, last in enumerate(watched.log.rounds, 1)
    ]
    totals = _totals(watched)
    if totals is not None:
        rows.append({"label": _("After the final scoring"), "ply": watched.plies, "vp": totals})
    return {"names": [name or seat_name(seat) for seat, name in enumerate(watched.names)], "rows": rows}


def breakdown(watched: Watched, result: Result) -> dict[str, Any]:
    """Where the points came from."""
    labels = {**score_parts.labels(), "total": _("Total"), "rank": _("Rank")}
    shown: list[dict[str, Any]] = [
        {**score, "chronicle": sum(score["chronicle"].values())} for score in result["scores"]
    ]
    winners = [watched.names[seat] or seat_name(seat) for seat in result["winners"]]
    return {
        "names": [name or seat_name(seat) for seat, name in enumerate(watched.names)],
        "rows": [(name, label, [minus(score[name]) for score in shown]) for name, label in labels.items()],
        "winners": result["winners"],
        "sentence": ngettext("%(names)s wins.", "%(names)s share the victory.", len(winners), names=listing(winners)),
    }
