"""What the viewer of a replay shows, in the language in force: places to step to, moves, points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from replays.score_chart import Round, legend, score_chart
from server.board.listing import minus
from server.engine.ulm1.shapes import Result
from server.language import gettext as _
from server.language import listing, ngettext, number, pgettext
from server.routes.pages.shared import page_addresses, score_parts
from server.routes.pages.shared.local_times import local_time
from server.service.archive.replay_lists import ReplaySummary
from server.service.common.naming import spoken
from server.service.explain import game_words
from server.service.views import replay_viewer
from server.service.views.replay_viewer import Watched

SPEEDS = (2000, 1000, 500, 250, 100)
"""Milliseconds a move."""
# The signs on the buttons that lead back; those that lead on are their mirror images.
_MOVE = "M15 5 8 12l7 7"
_TURN = "M12 5 5 12l7 7M19 5l-7 7 7 7"
_ROUND = "M9 6 3 12l6 6M15 6 9 12l6 6M21 6l-6 6 6 6"
_END = "M6 5v14M19 5l-9 7 9 7z"


def viewer(watched: Watched, game_id: str, embedded: bool) -> dict[str, Any]:
    """All that the viewer's templates need."""
    endpoint = "replay-pages.embed" if embedded else "replay-pages.watch"
    here = url_for(endpoint, game_id=game_id)
    eyes = "" if watched.seat is None else f"&seat={watched.seat}"

    def at(ply: int) -> str:
        return f"?ply={ply}{eyes}"

    result = watched.summary["result"]
    return {
        "game_id": game_id,
        "game": watched.summary,
        "facts": facts(watched.summary),
        "watched": watched,
        "here": here,
        "at": at,
        "analysis_at": lambda ply: f"{at(ply)}&tab=analysis",
        "boards": {layout: Markup(svg) for layout, svg in watched.boards.items()},  # noqa: S704 - our own picture
        "frames": _frames(watched, game_id),
        "chunk": replay_viewer.CHUNK,
        "places": _places(watched),
        "now": _now(watched),
        "speeds": SPEEDS,
        "chapters": _chapters(watched),
        "chart": None if embedded else chart(watched, at),
        "points": points_table(watched),
        "breakdown": None if result is None else breakdown(watched, result),
        "address": page_addresses.public_address(url_for("replay-pages.watch", game_id=game_id)),
        "embed_address": page_addresses.public_address(url_for("replay-pages.embed", game_id=game_id)),
        "ended": local_time(watched.summary["finished_at"]) if watched.summary["finished_at"] else None,
        "language_number": number,
    }


def _frames(watched: Watched, game_id: str) -> str:
    """The address of the boards, to which the script adds layout and chunk."""
    query: dict[str, Any] = {"v": watched.version, "language": game_words.board_language()}
    if watched.seat is not None:
        query["seat"] = watched.seat
    return f"{url_for('replay-pages.frames', game_id=game_id)}?{urlencode(query)}"


def _places(watched: Watched) -> list[dict[str, Any]]:
    """The links that step: name, ply, what they are called, in a word how far they lead, a sign for their button and
    the key that does the same."""
    found = replay_viewer.places(watched)
    named = (
        ("first", _("To the start"), pgettext("step", "Start"), _END, "Home"),
        ("round-back", _("One round back"), pgettext("step", "Round"), _ROUND, "Shift+PageUp"),
        ("turn-back", _("One turn back"), pgettext("step", "Turn"), _TURN, "PageUp"),
        ("back", _("One move back"), pgettext("step", "Move"), _MOVE, "ArrowLeft"),
        ("on", _("One move on"), pgettext("step", "Move"), _MOVE, "ArrowRight"),
        ("turn-on", _("One turn on"), pgettext("step", "Turn"), _TURN, "PageDown"),
        ("round-on", _("One round on"), pgettext("step", "Round"), _ROUND, "Shift+PageDown"),
        ("last", _("To the end"), pgettext("step", "End"), _END, "End"),
    )
    return [
        {"name": name, "ply": found[name], "label": label, "far": far, "sign": sign, "shortcut": keys}
        for name, label, far, sign, keys in named
    ]


def _now(watched: Watched) -> dict[str, Any]:
    """The ply that is shown, in words."""
    if not watched.ply:
        return {"where": _("Set-up"), "text": _("The game is set up.")}
    return {
        "where": _("Move %(ply)s of %(plies)s", ply=watched.ply, plies=watched.plies),
        "text": " ".join(
            " ".join(line.text) for chapter in watched.log.chapters for line in chapter.lines if line.ply == watched.ply
        ),
    }


def _chapters(watched: Watched) -> list[dict[str, Any]]:
    """The move list: rounds, in them turns, in them moves."""
    words = game_words.words()
    rounds: list[dict[str, Any]] = []
    for chapter in watched.log.chapters:
        if not rounds or rounds[-1]["number"] != chapter.round:
            tile = words.tower.get(chapter.tower, chapter.tower) if chapter.tower else None
            title = (
                _("Round %(number)s: %(tile)s", number=chapter.round, tile=tile)
                if tile
                else _("Round %(number)s", number=chapter.round)
            )
            rounds.append({"number": chapter.round, "title": title, "turns": []})
        rounds[-1]["turns"].append(
            {
                "seat": chapter.seat,
                "name": watched.names[chapter.seat],
                "lines": [(line.ply, " ".join(line.text)) for line in chapter.lines],
            }
        )
    return rounds


def chart(watched: Watched, at: Callable[[int], str]) -> Markup:
    """The points of all over the game; `at` gives the address of a ply."""
    vp, totals = watched.log.vp, _totals(watched)
    said = _("At the end: %(points)s.", points=points_said(watched, totals or vp[-1]))
    return drawn(watched, at, vp, totals, title=_("Victory points over the game"), description=said)


def drawn(
    watched: Watched, at: Callable[[int], str], values: list[list[int]], totals: list[int] | None, unit: str = "",
    **words: str,
) -> Markup:  # fmt: skip
    """A chart of `values` by ply and seat, with its legend; each round leads to its last ply."""
    rounds = [
        Round(last, _("Round %(number)s, move %(ply)s: %(points)s", number=number, ply=last,
                      points=points_said(watched, values[last], unit)), at(last))
        for number, last in enumerate(watched.log.rounds, 1)
    ]  # fmt: skip
    picture = score_chart(
        watched.names, values, totals, rounds, ply=watched.ply, **words, **({"unit": unit} if unit else {})
    )
    return Markup(legend(watched.names) + picture)  # noqa: S704 - escaped where it is made


def points_said(watched: Watched, points: list[int], unit: str = "") -> str:
    """How many points each has, in words."""
    pairs = zip(watched.names, points, strict=True)
    return listing([_("%(name)s %(points)s", name=name, points=f"{value}{unit}") for name, value in pairs])


def _totals(watched: Watched) -> list[int] | None:
    result = watched.summary["result"]
    return None if result is None else [score["total"] for score in result["scores"]]


def points_table(watched: Watched) -> dict[str, Any]:
    """The chart as a table."""
    rows = [
        {"label": _("Round %(number)s", number=number), "ply": last, "vp": watched.log.vp[last]}
        for number, last in enumerate(watched.log.rounds, 1)
    ]
    totals = _totals(watched)
    if totals is not None:
        rows.append({"label": _("After the final scoring"), "ply": watched.plies, "vp": totals})
    return {"names": watched.names, "rows": rows}


def breakdown(watched: Watched, result: Result) -> dict[str, Any]:
    """Where the points came from."""
    labels = {**score_parts.labels(), "total": _("Total"), "rank": _("Rank")}
    shown: list[dict[str, Any]] = [
        {**score, "chronicle": sum(score["chronicle"].values())} for score in result["scores"]
    ]
    winners = [watched.names[seat] for seat in result["winners"]]
    return {
        "names": watched.names,
        "rows": [(name, label, [minus(score[name]) for score in shown]) for name, label in labels.items()],
        "winners": result["winners"],
        "sentence": ngettext("%(names)s wins.", "%(names)s share the victory.", len(winners), names=listing(winners)),
    }


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
