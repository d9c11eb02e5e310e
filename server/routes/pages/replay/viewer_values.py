"""What the pages of replays show, in the language in force."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from replays.score_chart import Round, score_chart
from server.language import gettext as _
from server.language import listing, ngettext, number
from server.routes.pages.shared import frame
from server.service.common.naming import spoken
from server.service.views import replay_viewer, speech
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
        "boards": {layout: Markup(svg) for layout, svg in watched.boards.items()},  # noqa: S704 - our own picture
        "frames": _frames(watched, game_id),
        "chunk": replay_viewer.CHUNK,
        "places": _places(watched),
        "now": _now(watched),
        "speeds": SPEEDS,
        "chapters": _chapters(watched),
        "chart": None if embedded else _chart(watched, at),
        "points": _points(watched),
        "breakdown": None if result is None else _breakdown(watched, result),
        "address": frame.public_address(url_for("replay-pages.watch", game_id=game_id)),
        "embed_address": frame.public_address(url_for("replay-pages.embed", game_id=game_id)),
        "texts": _texts(watched),
        "check_texts": check_texts(),
        "ended": frame.local_time(watched.summary["finished_at"]) if watched.summary["finished_at"] else None,
        "language_number": number,
    }


def listed(game: dict[str, Any]) -> dict[str, Any]:
    """One line of the list."""
    return {
        **game,
        "facts": facts(game),
        "name": spoken(game["name"] or ""),
        "names": [spoken(player["name"] or "") or _seat(player["seat"]) for player in game["players"]],
        "ended": frame.local_time(game["finished_at"]) if game["finished_at"] else None,
        "totals": [] if game["result"] is None else [score["total"] for score in game["result"]["scores"]],
        "winners": [] if game["result"] is None else game["result"]["winners"],
    }


def facts(game: dict[str, Any]) -> list[str]:
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


def _seat(seat: int) -> str:
    return _("Player %(number)s", number=seat + 1)


def _frames(watched: Watched, game_id: str) -> str:
    """The address of the boards, to which the script adds layout and chunk."""
    query: dict[str, Any] = {"v": watched.version, "language": speech.board_language()}
    if watched.seat is not None:
        query["seat"] = watched.seat
    return f"{url_for('replay-pages.frames', game_id=game_id)}?{urlencode(query)}"


def _places(watched: Watched) -> list[dict[str, Any]]:
    """The links that step: name, ply, what they are called, a sign for their button and the key that does the same."""
    found = replay_viewer.places(watched)
    named = (
        ("first", _("To the set-up"), _END, "Home"),
        ("round-back", _("A round back"), _ROUND, "Shift+PageUp"),
        ("turn-back", _("A turn back"), _TURN, "PageUp"),
        ("back", _("A move back"), _MOVE, "ArrowLeft"),
        ("on", _("A move on"), _MOVE, "ArrowRight"),
        ("turn-on", _("A turn on"), _TURN, "PageDown"),
        ("round-on", _("A round on"), _ROUND, "Shift+PageDown"),
        ("last", _("To the end"), _END, "End"),
    )
    return [
        {"name": name, "ply": found[name], "label": label, "sign": sign, "shortcut": keys}
        for name, label, sign, keys in named
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
    words = speech.words()
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
                "name": watched.names[chapter.seat] or _seat(chapter.seat),
                "lines": [(line.ply, " ".join(line.text)) for line in chapter.lines],
            }
        )
    return rounds


def _chart(watched: Watched, at: Any) -> Markup:
    names = [name or _seat(seat) for seat, name in enumerate(watched.names)]
    rounds = [
        Round(last, _("Round %(number)s, move %(ply)s: %(points)s", number=number, ply=last,
                      points=_standing(names, watched.log.vp[last])), at(last))
        for number, last in enumerate(watched.log.rounds, 1)
    ]  # fmt: skip
    totals = _totals(watched)
    return Markup(  # noqa: S704 - escaped where it is made
        score_chart(
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


def _points(watched: Watched) -> dict[str, Any]:
    """The chart as a table."""
    rows = [
        {"label": _("Round %(number)s", number=number), "ply": last, "vp": watched.log.vp[last]}
        for number, last in enumerate(watched.log.rounds, 1)
    ]
    totals = _totals(watched)
    if totals is not None:
        rows.append({"label": _("After the final scoring"), "ply": watched.plies, "vp": totals})
    return {"names": [name or _seat(seat) for seat, name in enumerate(watched.names)], "rows": rows}


def _breakdown(watched: Watched, result: dict[str, Any]) -> dict[str, Any]:
    """Where the points came from."""
    labels = {
        "vp": _("In play"),
        "sparrows": _("Sparrows"),
        "barge": _("Barge"),
        "cathedral": _("Cathedral cards"),
        "trade": _("Trade cards"),
        "chronicle": _("Chronicle cards"),
        "total": _("Total"),
        "rank": _("Rank"),
    }
    shown = [{**score, "chronicle": sum(score["chronicle"].values())} for score in result["scores"]]
    winners = [watched.names[seat] or _seat(seat) for seat in result["winners"]]
    return {
        "names": [name or _seat(seat) for seat, name in enumerate(watched.names)],
        "rows": [(name, label, [_minus(score[name]) for score in shown]) for name, label in labels.items()],
        "winners": result["winners"],
        "sentence": ngettext("%(names)s wins.", "%(names)s share the victory.", len(winners), names=listing(winners)),
    }


def _minus(points: int) -> str:
    return str(points).replace("-", "\u2212")


def _texts(watched: Watched) -> dict[str, str]:
    """What the scripts say; `{…}` is filled in there."""
    return {
        "setup": _("The game is set up."),
        "where": _("Move {ply} of {plies}"),
        "at-setup": _("Set-up"),
        "play": _("Play"),
        "pause": _("Pause"),
        "late": _("The boards do not come. The moves can be read all the same."),
    }


def check_texts() -> dict[str, str]:
    """What the check in the browser says; `{…}` is filled in there."""
    return {
        "loading": _("The record is being fetched."),
        "no-record": _("The record cannot be read: {reason}"),
        "commitment": _("The server's secret is the one that it promised: its SHA-256 is the commitment {commitment}."),
        "commitment-bad": _(
            "The server's secret is NOT the one that it promised: its SHA-256 is {found}, the "
            "commitment is {commitment}."
        ),
        "shown-bad": _("The record names another commitment than the one that was shown when the game was made."),
        "imported": _(
            "The game was played elsewhere: whether its commitment was known before the players took their "
            "seats cannot be checked here."
        ),
        "clients": _("The seed of the game is made of the server's secret and of what {count} players added: {seed}"),
        "setup": _(
            "The set-up follows from the seed: start player, cards, coats of arms, Descendants, Tower tiles, "
            "the tiles of the Minster and of the players."
        ),
        "setup-bad": _("The set-up does NOT follow from the seed: {parts} differ."),
        "no-seed": _(
            "This game began from a position, not from a set-up: there is no promise and no shuffle to check."
        ),
        "states": _("Positions: {ply} of {plies}"),
        "states-good": _(
            "All {plies} positions after the set-up are there, in order; every move was made by the seat "
            "whose turn it was."
        ),
        "states-bad": _("Move {ply}: {what}"),
        "gap": _("the position is missing or stands in the wrong place"),
        "wrong-seat": _("the record says that another seat moved than the one whose turn it was"),
        "wrong-draw": _("the tile that was drawn is not the one that follows from the seed"),
        "wrong-digest": _("the position is not the one of the record: its digest is {found}, the record says {wanted}"),
        "chance-back": _("chance was turned back"),
        "draws": _("All {count} draws of tiles from the bag give what follows from the seed."),
        "digests": _("The digests of {count} positions are those of the record."),
        "digest-missing": _("The record lacks the digest of the set-up or of the last position."),
        "result": _("The result is that of the last position."),
        "result-bad": _("The result is NOT that of the last position."),
        "rules": _(
            "Whether each move keeps the rules was not checked here: take the record along for a program that "
            "knows them."
        ),
        "good": _("Everything that was checked is right."),
        "bad": _("This game is NOT right: see the lines in red above."),
        "broken": _("The check could not be finished: {reason}"),
    }
