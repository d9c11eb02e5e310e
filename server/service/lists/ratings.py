"""Ratings as they are shown: of a kind of game all who wish one, and of somebody what came of each game.

Who has switched theirs off, or keeps their page private, has none for anybody but themselves."""

from __future__ import annotations

from typing import Annotated, TypedDict

from replays.ratings import BEGINNER, PROVISIONAL, Rating
from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.language import gettext as _
from server.service.accounts.bot_rules import VARIANTS
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Forbidden
from server.service.games import bots
from server.service.games.model import Game
from server.service.lists.game_lists import RatingRange
from server.storage import sql
from server.storage.database import Store

POINTS_MAX = 10_000
"""Of a limit."""
MOST = 200
"""So many are in a list at most, and so many games in the course of a rating."""


class ShownRating(TypedDict):
    """How well somebody plays a kind of game."""

    variant: Annotated[str, JsonSchema(enum=VARIANTS)]
    seats: int
    points: Annotated[int, "Who begins has 1500; some 200 more win about three of four games of two."]
    deviation: Annotated[int, "How far that may be off; in two of three cases it is not."]
    provisional: Annotated[bool, "Too little is known yet for a place in the list."]
    games: Annotated[int, "How many were counted."]


class RankedPlayer(ShownRating):
    """Somebody in a list of ratings."""

    place: Annotated[int | None, "null: provisional."]
    player: Annotated[str, "Id; of a bot of the house its name."]
    name: str
    bot: Annotated[str | None, "By which name it is seated, with @ one that has an account; null for people."]


class RatedGame(TypedDict):
    """What a game made of a rating."""

    game: Annotated[str | None, "null: the game is gone."]
    at: Annotated[UtcTime | None, "When it ended."]
    place: Annotated[int, "1 for who has won."]
    points: int
    deviation: int


class RatingCourse(ShownRating):
    """How well somebody plays a kind of game, and how that came."""

    course: Annotated[list[RatedGame], "The newest games that were counted, at most 200, oldest first."]


def _shown(variant: str, seats: int, mu: int, sigma: int, games: int) -> ShownRating:
    rating = Rating(mu, sigma)
    return {
        "variant": variant,
        "seats": seats,
        "points": rating.points,
        "deviation": rating.deviation,
        "provisional": rating.provisional,
        "games": games,
    }


_COLUMNS = "r.variant, r.seats, r.mu, r.sigma, r.games"
_SHOWN = "p.rated AND p.found_as IS NOT NULL AND p.banned_at IS NULL"
"""The SQL condition under which everybody may see the ratings of player `p`."""
_RANKED = f"""
    SELECT r.player_id, r.bot, p.name, b.handle, {_COLUMNS} FROM rating r
    LEFT JOIN player p ON p.id = r.player_id LEFT JOIN bot_account b ON b.player_id = r.player_id
    WHERE r.variant = ? AND r.seats = ? AND (r.bot IS NOT NULL OR ({_SHOWN}))
    ORDER BY CASE WHEN r.sigma > ? THEN 1 ELSE 0 END, r.mu DESC, r.id LIMIT ?"""  # noqa: S608


def ranking(store: Store, variant: str, seats: int) -> list[RankedPlayer]:
    """Who plays a kind of game best, people and bots: first those who are known well enough."""
    found: list[RankedPlayer] = []
    for player, bot, name, handle, *numbers in sql.rows(store, _RANKED, variant, seats, PROVISIONAL, MOST):
        if bot is None or bot in bots.names():  # else it is of a version from before
            shown = _shown(*numbers)
            found.append({
                **shown,
                "place": None if shown["provisional"] else len(found) + 1,
                "player": bot or player,
                "name": name or bots.seat_name(bot),
                "bot": bot or (handle and f"@{handle}"),
            })  # fmt: skip
    return found


_OF = f"""
    SELECT r.id, {_COLUMNS} FROM rating r LEFT JOIN player p ON p.id = r.player_id
    WHERE r.bot = ? OR (r.player_id = ? AND (p.id = ? OR ({_SHOWN})))
    ORDER BY r.games DESC, r.seats, r.variant DESC"""  # noqa: S608
_COURSE = f"""
    SELECT q.game_id, g.finished_at, q.place, q.mu, q.sigma FROM rated_result q LEFT JOIN game g ON g.id = q.game_id
    WHERE q.rating_id = ? ORDER BY q.number DESC, q.seat LIMIT {MOST}"""  # noqa: S608


def of_player(store: Store, player_id: str, reader: Player | None) -> list[RatingCourse]:
    """The ratings of a player, or of a bot of the house by its name, as `reader` (None: a stranger) may see them: that
    of most games first."""
    with store.read():
        found = sql.rows(store, _OF, player_id, player_id, "" if reader is None else reader.id)
        return [{**_shown(*numbers), "course": _course(store, rating)} for rating, *numbers in found]


def _course(store: Store, rating: int) -> list[RatedGame]:
    return [
        {"game": game, "at": at, "place": place, "points": then.points, "deviation": then.deviation}
        for game, at, place, *numbers in reversed(sql.rows(store, _COURSE, rating))
        for then in [Rating(*numbers)]
    ]


def of_several(store: Store, who: list[str]) -> dict[tuple[str, str, int], ShownRating]:
    """The ratings of players, by id, and of bots of the house, by name, as strangers may see them; with each the
    variant and the number of players."""
    marks = sql.marks(who)
    statement = f"""
        SELECT COALESCE(r.bot, r.player_id), {_COLUMNS} FROM rating r LEFT JOIN player p ON p.id = r.player_id
        WHERE r.bot IN {marks} OR (r.player_id IN {marks} AND {_SHOWN})"""  # noqa: S608 - of ours
    return {(one, *kind[:2]): _shown(*kind) for one, *kind in sql.rows(store, statement, *who, *who)}


_OF_GAME = f"""
    SELECT q.seat, q.mu, (
        SELECT o.mu FROM rated_result o WHERE o.rating_id = q.rating_id AND o.number < q.number
        ORDER BY o.number DESC LIMIT 1)
    FROM rated_result q JOIN rating r ON r.id = q.rating_id LEFT JOIN player p ON p.id = r.player_id
    WHERE q.game_id = ? AND (r.bot IS NOT NULL OR p.id = ? OR ({_SHOWN})) ORDER BY q.place, q.seat"""  # noqa: S608


def of_game(store: Store, game_id: str, reader: Player | None) -> list[tuple[int, int, int]]:
    """What a game that was counted changed, as `reader` (None: a stranger) may see it: seat, points before and after,
    the winner's first."""
    found = sql.rows(store, _OF_GAME, game_id, "" if reader is None else reader.id)
    return [
        (seat, BEGINNER.points if before is None else Rating(before, 0).points, Rating(after, 0).points)
        for seat, after, before in found
    ]


_ONE = """
    SELECT p.rated, r.mu, r.sigma FROM player p
    LEFT JOIN rating r ON r.player_id = p.id AND r.variant = ? AND r.seats = ? WHERE p.id = ?"""


def check_range(given: RatingRange | None) -> tuple[int | None, int | None]:
    """From and to how many points somebody may sit down; None for no limit. Raises `Unprocessable`."""
    least, most = (None, None) if given is None else (given["min"], given["max"])
    if least is not None:
        least = checks.whole("rating.min", least, 0, POINTS_MAX)
    return least, None if most is None else checks.whole("rating.max", most, least or 0, POINTS_MAX)


def _refusal(store: Store, game: Game, player: Player | None) -> str | None:
    """Why a player (None: a stranger) has another rating than a game is for; None where it is for them. Who has no
    rating yet counts as one who begins."""
    least, most = game.rating_min, game.rating_max
    kind = VARIANTS[game.options["tower"]], game.seat_count
    rated, *numbers = sql.row(store, _ONE, *kind, "" if player is None else player.id) or (False,)
    if not rated:
        return _("it is for players who have switched their rating on")
    points = (BEGINNER if numbers[0] is None else Rating(*numbers)).points
    if (least is None or points >= least) and (most is None or points <= most):
        return None
    told = {"range": range_words({"min": least, "max": most}), "points": points}
    if numbers[0] is None:
        return _("it is for players with %(range)s points, and who has no rating yet has %(points)s", **told)
    return _("it is for players with %(range)s points, and you have %(points)s", **told)


def require_within(store: Store, game: Game, player: Player | None) -> None:
    """Raise `Forbidden` where a game is for players of other ratings than that of `player` (None: a stranger). Whom
    somebody there has invited sits down."""
    if game.rating_min is None and game.rating_max is None:
        return
    why = _refusal(store, game, player)
    if why is not None and not (player and any(one.is_to(player) for one in game.invited)):
        message = _("this game is not for everybody: %(why)s. Choose another one, or ask for an invitation", why=why)
        raise Forbidden(message, kind="rating")


def range_words(given: RatingRange) -> str:
    """From and to how many points, in words."""
    least, most = given["min"], given["max"]
    if most is None:
        return _("at least %(number)s", number=least)
    return _("at most %(number)s", number=most) if least is None else f"{least}–{most}"
