"""What the viewer of a replay shows, in the language in force."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from server.language import gettext as _
from server.language import number, pgettext
from server.routes.pages.replay import score_values, script_texts
from server.routes.pages.replay.list_values import facts, seat_name
from server.routes.pages.shared import page_addresses
from server.routes.pages.shared.local_times import local_time
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
        "chart": None if embedded else score_values.chart(watched, at),
        "points": score_values.points(watched),
        "breakdown": None if result is None else score_values.breakdown(watched, result),
        "address": page_addresses.public_address(url_for("replay-pages.watch", game_id=game_id)),
        "embed_address": page_addresses.public_address(url_for("replay-pages.embed", game_id=game_id)),
        "texts": script_texts.of_viewer(),
        "check_texts": script_texts.of_check(),
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
                "name": watched.names[chapter.seat] or seat_name(chapter.seat),
                "lines": [(line.ply, " ".join(line.text)) for line in chapter.lines],
            }
        )
    return rounds
