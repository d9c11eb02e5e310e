"""The end of a game as its page tells it: places, where the points came from, the turns that mattered, what next."""

from __future__ import annotations

from typing import Any

from flask import url_for

from server import language
from server.engine.ulm1.shapes import Score, View
from server.language import gettext as _
from server.language import ngettext
from server.routes.http.context import store
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import score_parts
from server.routes.pages.shared.icons import piece, seat_mark
from server.service.explain import game_words, turning_points
from server.service.explain.card_facts import kind_of
from server.service.explain.turning_points import Course
from server.service.games.model import SANDBOX
from server.service.views.turn_page import TurnPage


def values(access: GameAccess, shown: TurnPage) -> dict[str, Any] | None:
    """The values for `pages/game/parts/result.html`; None while the game is not over, and of one that never began."""
    page, view = shown.page, shown.page["view"]
    if page["status"] not in ("finished", "abandoned") or view is None:
        return None
    result = page["result"]
    scores = result["scores"] if result is not None else shown.standing
    winners = result["winners"] if result is not None else []
    # In a sandbox one plays against oneself.
    you = None if page["origin"] == SANDBOX else shown.seat
    # A mail's link does not open the replay of a private game.
    watch = page["status"] == "finished" and not (page["private"] and access.by_link)
    course = turning_points.of_game(store(), shown.game_id) if page["status"] == "finished" else None
    rows = _rows(shown, view, scores)
    others = [place for place in page["players"] if place is not None and place["seat"] != shown.seat]
    return {
        "headline": _headline(shown, winners, you),
        "lead": _lead(shown, view, scores, winners),
        "winners": winners,
        "you": you,
        "victory": [piece(shown.story.rules, "victory", str(seat), 116) for seat in winners],
        "rows": rows,
        "seat_mark": seat_mark,
        "below": any(value < 0 for row in rows for *_said, value in row["parts"]),
        "tie": _tie(shown, view, scores),
        "moments": [] if course is None else _moments(shown, course, winners, you),
        "watch": url_for("replay-pages.watch", game_id=page["id"]) if watch else None,
        # Seats of bots that the server plays wait for nobody.
        "alone": all(place["bot"] is not None and place["bot_of"] is None for place in others),
    }


def _headline(shown: TurnPage, winners: list[int], you: int | None) -> str:
    if shown.page["status"] == "abandoned":
        return _("The game was given up")
    if you in winners:
        return _("You won!") if len(winners) == 1 else _("You share the victory!")
    names = [shown.names[seat] for seat in winners]  # a bot's begins small
    if len(names) == 1:
        return language.sentence(_("%(name)s wins.", name=names[0]))
    return language.sentence(_("%(names)s share the victory.", names=language.listing(names)))


def _lead(shown: TurnPage, view: View, scores: list[Score], winners: list[int]) -> str:
    """The first sentence below the headline."""
    if shown.page["status"] == "abandoned":
        return _("Nobody was left to play it. This is how it stood:")
    best = scores[winners[0]]["total"]
    if len(winners) > 1:
        return ngettext("Each has %(num)s point.", "Each has %(num)s points.", best)
    others = {
        seat: score["total"]
        for seat, score in enumerate(scores)
        if seat not in winners and not view["players"][seat]["resigned"]
    }
    if not others:
        return _("All others have resigned.")
    second = max(others.values())
    if best <= second:
        return ngettext("With %(num)s point.", "With %(num)s points.", best)
    behind = language.listing([shown.names[seat] for seat, total in others.items() if total == second])
    return ngettext(
        "%(num)s point ahead of %(names)s.", "%(num)s points ahead of %(names)s.", best - second, names=behind
    )


def _rows(shown: TurnPage, view: View, scores: list[Score]) -> list[dict[str, Any]]:
    """The seats by their places."""
    rows = [
        {
            "seat": seat,
            "name": shown.names[seat],
            "score": score,
            "resigned": view["players"][seat]["resigned"],
            "bar": bar,
            "parts": [
                (part, _label(shown, view, seat, part), value) for part, value in score_parts.points(score).items()
            ],
        }
        for seat, (score, bar) in enumerate(zip(scores, score_parts.bars(scores), strict=True))
    ]
    return sorted(rows, key=lambda row: (scores[row["seat"]]["rank"], row["seat"]))


def _label(shown: TurnPage, view: View, seat: int, part: str) -> str:
    """What a part of a score is called: points of cards by the cards, whose kinds no player of a first game has met."""
    cards = [card for card in view["players"][seat]["table"] if kind_of(card) == part]
    words = game_words.words(shown.story.rules)
    return ", ".join(dict.fromkeys(words.card(card) for card in cards)) or score_parts.labels()[part]


def _tie(shown: TurnPage, view: View, scores: list[Score]) -> str | None:
    """What decided between players with the same points (E5); None where nothing had to."""
    playing = [seat for seat, player in enumerate(view["players"]) if not player["resigned"]]
    for seat in playing:
        level = [other for other in playing if scores[other]["total"] == scores[seat]["total"]]
        if len({scores[other]["rank"] for other in level}) > 1:
            said = [_("%(name)s in %(number)s", name=shown.names[one], number=scores[one]["quarters"]) for one in level]
            return _("Level on points, so seals in more quarters decide: %(who)s.", who=language.listing(said))
    return None


def _moments(shown: TurnPage, course: Course, winners: list[int], you: int | None) -> list[tuple[int, int, str]]:
    """The turns that mattered, in their order: ply, round, and sentences (said to `you`)."""
    found: dict[tuple[int, int], list[str]] = {}
    for swing in course.swings:
        if swing.seat == you:
            said = _("A turn worth %(points)s points for you.", points=swing.gain)
        else:
            name = shown.names[swing.seat]
            said = _("A turn worth %(points)s points for %(name)s.", points=swing.gain, name=name)
        found.setdefault((swing.ply, swing.round), []).append(said)
    for leaving in course.leavings:
        said = _("%(name)s resigns.", name=shown.names[leaving.seat])
        found.setdefault((leaving.ply, leaving.round), []).append(said)
    if (lead := course.lead) is not None and winners:
        said = ngettext(
            "The lead goes to %(names)s, for good.",
            "From here on %(names)s lead together.",
            len(winners),
            names=language.listing([shown.names[seat] for seat in winners]),
        )
        said = _("You take the lead, for good.") if winners == [you] else said
        found.setdefault((lead.ply, lead.round), []).append(said)
    return [(ply, number, " ".join(map(language.sentence, said))) for (ply, number), said in sorted(found.items())]
