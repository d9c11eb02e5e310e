"""What the viewer of a replay shows beside its templates: addresses, boards, charts, and the sums of an analysis."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from replays.analysis.results import RoundForm, SeatForm
from replays.report import PERCENT, chances_chart, whole
from replays.score_chart import Round, legend, score_chart
from server.board.listing import column, minus, signed
from server.board.png import can_draw
from server.engine import rulesets
from server.language import current, listing, ngettext, sentence
from server.language import gettext as _
from server.routes.pages.shared import page_addresses, score_parts
from server.service.accounts.players import Player
from server.service.archive.analyses import AnalysisUnderWay, KeptAnalysis, Moment
from server.service.archive.comments import Comments, may_remove
from server.service.chat.messages import TEXT_MAX
from server.service.explain import game_words
from server.service.views import replay_viewer
from server.service.views.replay_viewer import ShownAnalysis, Watched

SPEEDS = (2000, 1000, 500, 250, 100)
"""Milliseconds a move."""
SECONDS = {2: 15, 3: 35, 4: 45}
"""How long an analysis takes by the number of players, on an idle machine (docs/analysis.md)."""
_STEP = 5


def viewer(watched: Watched, game_id: str, embedded: bool) -> dict[str, Any]:
    """All that the viewer's templates need."""
    eyes = "" if watched.seat is None else f"&seat={watched.seat}"

    def at(ply: int) -> str:
        return f"?ply={ply}{eyes}"

    public = page_addresses.public_address
    result = watched.summary["result"]
    totals = None if result is None else [score["total"] for score in result["scores"]]
    return {
        "game_id": game_id,
        "here": url_for("replay-pages.embed" if embedded else "replay-pages.watch", game_id=game_id),
        "game": watched.summary,
        "watched": watched,
        "at": at,
        "analysis_at": lambda ply: f"{at(ply)}&tab=analysis",
        "boards": {layout: Markup(svg) for layout, svg in watched.boards.items()},  # noqa: S704 - our own picture
        "frames": _frames(watched, game_id),
        "chunk": replay_viewer.CHUNK,
        "places": replay_viewer.places(watched),
        "line": _line(watched, watched.ply),
        "tiles": game_words.words().tower,
        "speeds": SPEEDS,
        "chart": None if embedded else _points(watched, at, totals),
        "totals": totals,
        "victory": None if result is None else _victory(watched, result["winners"]),
        "parts": {**score_parts.labels(), "total": _("Total"), "rank": _("Rank")},
        "points": lambda score, part: minus(column(score, part)),
        "address": public(url_for("replay-pages.watch", game_id=game_id)),
        "embed_address": public(url_for("replay-pages.embed", game_id=game_id)),
    }  # fmt: skip


def _line(watched: Watched, ply: int) -> list[str]:
    lines = (line for chapter in watched.log.chapters for line in chapter.lines)
    return [text for line in lines if line.ply == ply for text in line.text]


def picture(watched: Watched, game_id: str, ply: int | None, decided: Moment | None) -> dict[str, Any]:
    """The picture for the card of a link: of the ply that was asked for, of the one that decided, or of the last."""
    last = watched.plies if decided is None else decided["ply"]
    address = url_for("replay-pages.preview", game_id=game_id, ply=last if ply is None else ply)
    return {
        "picture": page_addresses.public_address(address) if can_draw() else None,
        "decided": decided,
        "decided_line": " ".join(_line(watched, decided["ply"])) if decided else "",
    }


def comments(watched: Watched, told: Comments, player: Player | None) -> dict[str, Any]:
    """What the comments below the board need."""
    seat = next((one["seat"] for one in watched.summary["players"] if player and one["player"] == player.id), None)
    shown = told["comments"]
    return {
        "comments": shown,
        "removable": [one["id"] for one in shown if player is not None and may_remove(seat, one, player)],
        "may_allow": seat is not None and not watched.private,
        "others_comment": told["others"],
        "no_comment": told["refusal"] and sentence(told["refusal"]),
        "longest": TEXT_MAX,
    }


def _victory(watched: Watched, winners: list[int]) -> str:
    names = [watched.names[seat] for seat in winners]
    return ngettext("%(names)s wins.", "%(names)s share the victory.", len(names), names=listing(names))


def _frames(watched: Watched, game_id: str) -> str:
    """The address of the boards, to which the script adds layout and chunk."""
    query: dict[str, Any] = {"v": watched.version, "language": current()}
    if watched.seat is not None:
        query["seat"] = watched.seat
    return f"{url_for('replay-pages.frames', game_id=game_id)}?{urlencode(query)}"


def _points(watched: Watched, at: Callable[[int], str], totals: list[int] | None) -> Markup:
    """The victory points over the game; each round leads to its last ply (`at` has the address)."""
    vp = watched.log.vp
    rounds = [
        Round(last, _("Round %(number)s, move %(ply)s: %(points)s", number=number, ply=last,
                      points=_points_said(watched, vp[last])), at(last))
        for number, last in enumerate(watched.log.rounds, 1)
    ]  # fmt: skip
    said = _("At the end: %(points)s.", points=_points_said(watched, totals or vp[-1]))
    title = _("Victory points over the game")
    picture = score_chart(watched.names, vp, totals, rounds, ply=watched.ply, title=title, description=said)
    return Markup(legend(watched.names) + picture)  # noqa: S704 - escaped where it is made


def _points_said(watched: Watched, points: list[int]) -> str:
    """How many points each has, in words."""
    pairs = zip(watched.names, points, strict=True)
    return listing([_("%(name)s %(points)s", name=name, points=value) for name, value in pairs])


def analysis(watched: Watched, shown: ShownAnalysis) -> dict[str, Any]:
    """All that the tab of luck and skill needs: `found` or `under_way`, or neither where nobody has asked yet."""
    found, names = shown.found, watched.names
    if found is None:
        return {"found": None, "under_way": shown.under_way, "seconds": _seconds(len(names), shown.under_way)}
    return {
        "found": found,
        "under_way": None,
        "chart": lambda at: _chances(watched, found, at),
        "sums": [_sum(seat) for seat in found["seats"]],
        "rounds": _rounds(found),
        "moments": shown.moments,
        "percent": lambda chance: f"{whole(chance)}{PERCENT}",
        "unit": PERCENT,
        "lucks": lambda stroke: listing([
            _("%(name)s %(points)s", name=name, points=_signed(luck))
            for name, luck in zip(names, stroke["luck"], strict=True)
        ]),
    }  # fmt: skip


def _seconds(seats: int, under_way: AnalysisUnderWay | None) -> int:
    """How long an analysis may still take."""
    left = 1.0 if under_way is None else 1 - under_way["done"] / max(1, under_way["plies"])
    return max(_STEP, _STEP * ceil(SECONDS[seats] * left / _STEP))


def _chances(watched: Watched, found: KeptAnalysis, at: Callable[[int], str]) -> Markup:
    speaker = game_words.speaker(rulesets.NEWEST)  # no word of the game is said
    return Markup(chances_chart(watched.names, found, speaker, at, watched.ply))  # noqa: S704 - escaped there


def _sum(seat: SeatForm) -> dict[str, Any]:
    """What a seat's chance consists of. Rounded, the parts still add up: what is offered takes the rest."""
    first, last = whole(seat["first"]), whole(seat["last"])
    luck, error, others = (whole(part) for part in (seat["luck"], seat["error"], seat["others"]))
    parts = [luck, last - first - luck - error - others, error, others]
    return {"seat": seat["seat"], "first": first, "last": last, "parts": [signed(part) for part in parts]}


def _rounds(found: KeptAnalysis) -> list[tuple[int, list[tuple[str, str]]]]:
    """For each round by seat what luck did, and what its own errors did."""
    by_seat: list[dict[int, RoundForm]] = [{one["round"]: one for one in seat["rounds"]} for seat in found["seats"]]
    return [
        (number, [(_signed(rounds[number]["luck"]), _signed(rounds[number]["error"])) for rounds in by_seat])
        for number in by_seat[0]
    ]


def _signed(chance: float) -> str:
    return signed(whole(chance))
