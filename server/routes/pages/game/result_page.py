"""The end of a game as its page tells it: places, where the points came from, the turns that mattered, what next."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

from flask import url_for

from server import language
from server.engine.ulm1.shapes import Score, View
from server.language import gettext as _
from server.language import ngettext
from server.routes.http.context import store
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import score_parts
from server.routes.pages.shared.icons import piece
from server.service.archive import analyses
from server.service.contests import deals, rounds
from server.service.explain import game_words, turning_points
from server.service.explain.card_facts import kind_of
from server.service.explain.turning_points import Course
from server.service.games.model import SANDBOX
from server.service.seating import rematches
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
    open_to_all = page["status"] == "finished" and not page["sealed"]
    watch = open_to_all and not (page["private"] and access.by_link)
    course = turning_points.of_game(store(), shown.game_id) if open_to_all else None
    labels = score_parts.labels()
    rows: list[dict[str, Any]] = [
        {
            "seat": seat,
            "score": score,
            "parts": [(part, _cards(shown, view, seat, part) or labels[part], value)
                      for part, value in score_parts.points(score).items()],
        }
        for seat, score in enumerate(scores)
    ]  # fmt: skip
    rows.sort(key=lambda row: (scores[row["seat"]]["rank"], row["seat"]))
    others = [place for place in page["players"] if place is not None and place["seat"] != shown.seat]
    alone = all(place["bot"] is not None and place["bot_of"] is None for place in others)
    member = None if access.by_link or shown.seat is None else access.player
    games = [shown.game_id] if page["rematch"] is not None else []
    unreached = [] if alone or games or member is None else rematches.unreached(store(), member, shown.game_id)
    return {
        "scores": scores,
        "players": view["players"],
        "behind": _behind(view, scores, winners),
        "level": _level(shown, view, scores),
        "of": lambda seats: language.listing([shown.names[seat] for seat in seats]),
        "winners": winners,
        "you": you,
        "victory": [piece(shown.story.rules, "victory", str(seat), 116) for seat in winners],
        "rows": rows,
        "extent": score_parts.extent(scores),
        "below": any(value < 0 for row in rows for *_said, value in row["parts"]),
        "moments": [] if course is None else _moments(shown, course, winners, you),
        "decided": analyses.moments(store(), [shown.game_id]).get(shown.game_id) if watch else None,
        "deal": _deal(shown.game_id, page["deal"]),
        "watch": url_for("replay-pages.watch", game_id=page["id"]) if watch else None,
        # Seats of bots that the server plays wait for nobody.
        "alone": alone,
        "rematch": member and rematches.standing(store(), member, games).get(shown.game_id),
        "unreached": language.listing([shown.names[seat] for seat in unreached]) if unreached else "",
    }


def _deal(game_id: str, deal_id: str | None) -> str | None:
    """The address of the day, or the tournament, that a game is the deal of."""
    with store().read():
        found = None if deal_id is None else deals.find(store(), deal_id)
        tournament = None if found is None or found.day else rounds.tournament_of(store(), game_id)
    if tournament is not None:
        return url_for("tournament-pages.tournament", tournament_id=tournament)
    return None if found is None or found.day is None else url_for("deal-pages.deal", which=found.day)


def _cards(shown: TurnPage, view: View, seat: int, part: str) -> str:
    """The cards that brought a part of a score, whose kinds no player of a first game has met; "" for other parts."""
    cards = [card for card in view["players"][seat]["table"] if kind_of(card) == part]
    words = game_words.words(shown.story.rules)
    return ", ".join(dict.fromkeys(words.card(card) for card in cards))


def _behind(view: View, scores: list[Score], winners: list[int]) -> list[int]:
    """Those next behind the winners, of those who played on."""
    others = [seat for seat in range(len(scores)) if seat not in winners and not view["players"][seat]["resigned"]]
    second = max((scores[seat]["total"] for seat in others), default=None)
    return [seat for seat in others if scores[seat]["total"] == second]


def _level(shown: TurnPage, view: View, scores: list[Score]) -> str:
    """The first who had the same points and were told apart by the quarters with their seals (E5); "" for none."""
    playing = [seat for seat, player in enumerate(view["players"]) if not player["resigned"]]
    for seat in playing:
        level = [other for other in playing if scores[other]["total"] == scores[seat]["total"]]
        if len({scores[other]["rank"] for other in level}) > 1:
            said = [_("%(name)s in %(number)s", name=shown.names[one], number=scores[one]["quarters"]) for one in level]
            return language.listing(said)
    return ""


def _moments(shown: TurnPage, course: Course, winners: list[int], you: int | None) -> list[tuple[int, int, str]]:
    """The turns that mattered, in their order: ply, round, and sentences (said to `you`)."""
    names = shown.names
    told = [
        (one.ply, one.round, _("A turn worth %(points)s points for you.", points=one.gain) if one.seat == you
         else _("A turn worth %(points)s points for %(name)s.", points=one.gain, name=names[one.seat]))
        for one in course.swings
    ]  # fmt: skip
    told += [(one.ply, one.round, _("%(name)s resigns.", name=names[one.seat])) for one in course.leavings]
    if (lead := course.lead) is not None and winners:
        led = ngettext(
            "The lead goes to %(names)s, for good.",
            "From here on %(names)s lead together.",
            len(winners),
            names=language.listing([names[seat] for seat in winners]),
        )
        told.append((lead.ply, lead.round, _("You take the lead, for good.") if winners == [you] else led))
    at = itemgetter(0, 1)
    return [
        (ply, number, " ".join(language.sentence(said) for _ply, _round, said in group))
        for (ply, number), group in groupby(sorted(told, key=at), at)
    ]
