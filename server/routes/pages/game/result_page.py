"""The end of a game as its page tells it: places, where the points came from, the turns that mattered, what next."""

from __future__ import annotations

from typing import Any

from flask import url_for

from server import language
from server.board.listing import minus
from server.engine.ulm1.shapes import Score
from server.language import gettext as _
from server.language import ngettext
from server.routes.http.context import store
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import score_parts
from server.routes.pages.shared.icons import piece, seat_mark
from server.service.explain import game_words, turning_points
from server.service.explain.card_facts import kind_of
from server.service.explain.turning_points import Course
from server.service.games.model import SANDBOX
from server.service.lists.game_lists import SeatedPlayer
from server.service.views.turn_page import TurnPage

_SPREAD = range(18)
"""The scraps of paper that fly for a winner."""


def values(door: Door, shown: TurnPage) -> dict[str, Any] | None:
    """The values for `pages/game/parts/result.html`; None while the game is not over, and of one that never began."""
    page = shown.page
    if page["status"] not in ("finished", "abandoned") or page["view"] is None:
        return None
    result = page["result"]
    scores = result["scores"] if result is not None else shown.standing
    winners = result["winners"] if result is not None else []
    # In a sandbox one plays against oneself.
    you = None if page["origin"] == SANDBOX else shown.seat
    watch = _watch(door, shown)
    course = turning_points.of_game(store(), shown.game_id) if page["status"] == "finished" else None
    rows = _rows(shown, scores, winners, you)
    return {
        "headline": _headline(shown, winners, you),
        "lead": _lead(shown, scores, winners),
        "won": you in winners,
        "victory": [piece(shown.story.rules, "victory", str(seat), 116) for seat in winners],
        "spread": _SPREAD if you in winners else (),
        "rows": rows,
        "below": any(value < 0 for row in rows for *_said, value in row["parts"]),
        "tie": _tie(shown, scores),
        "moments": [] if course is None else _moments(shown, course, winners, you, watch),
        "watch": watch,
        # Seats of bots that the server plays wait for nobody.
        "alone": all(place["bot"] is not None and place["bot_of"] is None for place in _others(shown)),
    }


def _others(shown: TurnPage) -> list[SeatedPlayer]:
    """Who sat at the table besides the reader."""
    return [place for place in shown.page["players"] if place is not None and place["seat"] != shown.seat]


def _headline(shown: TurnPage, winners: list[int], you: int | None) -> str:
    if shown.page["status"] == "abandoned":
        return _("The game was given up")
    if you in winners:
        return _("You won!") if len(winners) == 1 else _("You share the victory!")
    names = [shown.names[seat] for seat in winners]  # a bot's begins small
    if len(names) == 1:
        return language.sentence(_("%(name)s wins.", name=names[0]))
    return language.sentence(_("%(names)s share the victory.", names=language.listing(names)))


def _lead(shown: TurnPage, scores: list[Score], winners: list[int]) -> str:
    """The first sentence below the headline."""
    if shown.page["status"] == "abandoned":
        return _("Nobody was left to play it. This is how it stood:")
    best = scores[winners[0]]["total"]
    if len(winners) > 1:
        return ngettext("Each has %(num)s point.", "Each has %(num)s points.", best)
    players = shown.page["view"]["players"] if shown.page["view"] is not None else []
    others = {
        seat: score["total"]
        for seat, score in enumerate(scores)
        if seat not in winners and not players[seat]["resigned"]
    }
    if not others:
        return _("All others have resigned.")
    second = max(others.values())
    ahead, behind = best - second, [shown.names[seat] for seat, total in others.items() if total == second]
    if ahead <= 0:
        return ngettext("With %(num)s point.", "With %(num)s points.", best)
    return ngettext(
        "%(num)s point ahead of %(names)s.",
        "%(num)s points ahead of %(names)s.",
        ahead,
        names=language.listing(behind),
    )


def _rows(shown: TurnPage, scores: list[Score], winners: list[int], you: int | None) -> list[dict[str, Any]]:
    """The seats by their places."""
    places = {1: _("1st place"), 2: _("2nd place"), 3: _("3rd place"), 4: _("4th place")}
    view = shown.page["view"]
    rows = [
        {
            "seat": seat,
            "mark": seat_mark(seat),
            "name": shown.names[seat],
            "rank": score["rank"],
            "place": places[score["rank"]],
            "total": minus(score["total"]),
            "unit": ngettext("point", "points", score["total"]),
            "winner": seat in winners,
            "you": seat == you,
            "resigned": view is not None and bool(view["players"][seat]["resigned"]),
            "bar": bar,
            "parts": [
                (part, _label(shown, seat, part), minus(value), value)
                for part, value in score_parts.points(score).items()
            ],
        }
        for seat, (score, bar) in enumerate(zip(scores, score_parts.bars(scores), strict=True))
    ]
    return sorted(rows, key=lambda row: (row["rank"], row["seat"]))


def _label(shown: TurnPage, seat: int, part: str) -> str:
    """What a part of a score is called: points of cards by the cards, whose kinds no player of a first game has met."""
    view = shown.page["view"]
    cards = [] if view is None else [card for card in view["players"][seat]["table"] if kind_of(card) == part]
    if not cards:
        return score_parts.labels()[part]
    words = game_words.words(shown.story.rules)
    return ", ".join(dict.fromkeys(words.card(card) for card in cards))


def _tie(shown: TurnPage, scores: list[Score]) -> str | None:
    """What decided between players with the same points (E5); None where nothing had to."""
    view = shown.page["view"]
    for seat, score in enumerate(scores):
        level = [
            other
            for other, found in enumerate(scores)
            if found["total"] == score["total"] and view is not None and not view["players"][other]["resigned"]
        ]
        if seat in level and len({scores[other]["rank"] for other in level}) > 1:
            said = [_("%(name)s in %(number)s", name=shown.names[one], number=scores[one]["quarters"]) for one in level]
            return _("Level on points, so seals in more quarters decide: %(who)s.", who=language.listing(said))
    return None


def _watch(door: Door, shown: TurnPage) -> str | None:
    """Where the replay is; None where there is none that the reader may see. A mail's link does not open that of a
    private game."""
    page = shown.page
    if page["status"] != "finished" or (page["private"] and door.by_link):
        return None
    return url_for("replay-pages.watch", game_id=page["id"])


def _moments(
    shown: TurnPage, course: Course, winners: list[int], you: int | None, watch: str | None
) -> list[dict[str, Any]]:
    """The turns that mattered, in their order: round, sentences (said to `you`), and where to watch each."""
    found: dict[int, tuple[int, list[str]]] = {}

    def say(ply: int, number: int, sentence: str) -> None:
        found.setdefault(ply, (number, []))[1].append(sentence)

    for swing in course.swings:
        name = shown.names[swing.seat]
        if swing.seat == you:
            said = _("A turn worth %(points)s points for you.", points=swing.gain)
        else:
            said = _("A turn worth %(points)s points for %(name)s.", points=swing.gain, name=name)
        say(swing.ply, swing.round, said)
    for leaving in course.leavings:
        say(leaving.ply, leaving.round, _("%(name)s resigns.", name=shown.names[leaving.seat]))
    if course.lead is not None and winners:
        names = [shown.names[seat] for seat in winners]
        said = ngettext(
            "The lead goes to %(names)s, for good.",
            "From here on %(names)s lead together.",
            len(names),
            names=language.listing(names),
        )
        say(course.lead.ply, course.lead.round, _("You take the lead, for good.") if winners == [you] else said)
    return [
        {
            "round": _("Round %(number)s", number=number),
            "sentence": " ".join(map(language.sentence, sentences)),
            "href": None if watch is None else f"{watch}?ply={ply}",
        }
        for ply, (number, sentences) in sorted(found.items())
    ]
