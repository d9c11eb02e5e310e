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
from server.service.common.errors import Forbidden, bad_field
from server.service.games import bots
from server.service.games.model import Game
from server.storage import sql
from server.storage.database import Store

MOST = 200
"""So many are in a list at most, and so many games in the course of a rating."""
POINTS_MAX = 10_000


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


def _shown(variant: str, seats: int, rating: Rating, games: int) -> ShownRating:
    return {
        "variant": variant,
        "seats": seats,
        "points": rating.points,
        "deviation": rating.deviation,
        "provisional": rating.provisional,
        "games": games,
    }


_SHOWN = "(p.rated AND p.found_as IS NOT NULL AND p.banned_at IS NULL)"
"""The SQL condition under which everybody may see the ratings of player `p`."""
_RANKED = f"""
    SELECT r.mu, r.sigma, r.games, r.player_id, r.bot, p.name, b.handle FROM rating r
    LEFT JOIN player p ON p.id = r.player_id LEFT JOIN bot_account b ON b.player_id = r.player_id
    WHERE r.variant = ? AND r.seats = ? AND (r.bot IS NOT NULL OR {_SHOWN})
    ORDER BY CASE WHEN r.sigma > ? THEN 1 ELSE 0 END, r.mu DESC, r.id LIMIT ?"""  # noqa: S608


def ranking(store: Store, variant: object, seats: object) -> list[RankedPlayer]:
    """Who plays a kind of game best, people and bots: first those who are known well enough. Raises
    `Unprocessable`."""
    if variant not in VARIANTS:
        raise bad_field("variant", _("give one of %(names)s", names=", ".join(VARIANTS)))
    seats = checks.whole("seats", seats, 2, 4)
    found: list[RankedPlayer] = []
    for mu, sigma, games, player, bot, name, handle in sql.rows(store, _RANKED, variant, seats, PROVISIONAL, MOST):
        if bot is not None and bot not in bots.names():
            continue  # of a version from before
        rating = Rating(mu, sigma)
        found.append({
            **_shown(str(variant), seats, rating, games),
            "place": None if rating.provisional else len(found) + 1,
            "player": bot or player,
            "name": name or bots.seat_name(bot),
            "bot": bot or (handle and f"@{handle}"),
        })  # fmt: skip
    return found


_OF = f"""
    SELECT r.id, r.variant, r.seats, r.mu, r.sigma, r.games FROM rating r LEFT JOIN player p ON p.id = r.player_id
    WHERE r.bot = ? OR (r.player_id = ? AND (p.id = ? OR {_SHOWN}))
    ORDER BY r.games DESC, r.seats, r.variant DESC"""  # noqa: S608
_COURSE = f"""
    SELECT q.game_id, g.finished_at, q.place, q.mu, q.sigma FROM rated_result q LEFT JOIN game g ON g.id = q.game_id
    WHERE q.rating_id = ? ORDER BY q.number DESC, q.seat LIMIT {MOST}"""  # noqa: S608


def of_player(store: Store, player_id: str, reader: Player | None) -> list[RatingCourse]:
    """The ratings of a player, or of a bot of the house by its name, as `reader` (None: a stranger) may see them: that
    of most games first."""
    own = "" if reader is None else reader.id
    told: list[RatingCourse] = []
    with store.read():
        for row, variant, seats, mu, sigma, games in sql.rows(store, _OF, player_id, player_id, own):
            found = sql.rows(store, _COURSE, row)
            course: list[RatedGame] = [
                {"game": game, "at": at, "place": place, "points": then.points, "deviation": then.deviation}
                for game, at, place, *numbers in reversed(found)
                for then in [Rating(*numbers)]
            ]
            told.append({**_shown(variant, seats, Rating(mu, sigma), games), "course": course})
    return told


_OF_SOME = f"""
    SELECT r.player_id, r.variant, r.seats, r.mu, r.sigma, r.games FROM rating r JOIN player p ON p.id = r.player_id
    WHERE {_SHOWN} AND r.player_id IN """  # noqa: S608


def of_players(store: Store, players: list[str]) -> dict[tuple[str, str, int], ShownRating]:
    """The ratings of several players as strangers may see them, by id, variant and number of players."""
    found = sql.rows(store, _OF_SOME + sql.marks(players), *players) if players else []
    return {
        (player, variant, seats): _shown(variant, seats, Rating(mu, sigma), games)
        for player, variant, seats, mu, sigma, games in found
    }


_ONE = """
    SELECT p.rated, r.mu, r.sigma FROM player p
    LEFT JOIN rating r ON r.player_id = p.id AND r.variant = ? AND r.seats = ? WHERE p.id = ?"""


def check_range(given: object) -> tuple[int | None, int | None]:
    """From and to how many points somebody may sit down, of `{"min": 1400, "max": 1600}`; either may be None. Raises
    `Unprocessable`."""
    if given is None:
        return None, None
    if not isinstance(given, dict) or set(given) != {"min", "max"}:
        raise bad_field("rating", _('give {"min": 1400, "max": 1600}, null for no limit, or null for everybody'))
    least, most = (
        None if given[name] is None else checks.whole(f"rating.{name}", given[name], 0, POINTS_MAX)
        for name in ("min", "max")
    )
    if least is not None and most is not None and least > most:
        raise bad_field("rating", _("the first number is the lower one"))
    return least, most


def require_within(store: Store, game: Game, player: Player) -> None:
    """Raise `Forbidden` where a game is for players of other ratings. Whom somebody there has invited by name sits
    down; who has no rating yet counts as one who begins."""
    least, most = game.rating_min, game.rating_max
    if (least is None and most is None) or any(one.player == player.id for one in game.invited):
        return
    found = sql.row(store, _ONE, VARIANTS[game.options["tower"]], game.seat_count, player.id)
    if found is None or not found[0]:
        message = _("this game is for rated players: switch your rating on at /account, or choose another game")
        raise Forbidden(message, kind="rating")
    points = (BEGINNER if found[1] is None else Rating(*found[1:])).points
    if (least is not None and points < least) or (most is not None and points > most):
        raise Forbidden(
            _(
                "this game is for players with %(range)s points, and you have %(points)s: choose another one, or ask "
                "for an invitation",
                range=range_words(least, most),
                points=points,
            ),
            kind="rating",
        )


def range_words(min: int | None, max: int | None) -> str:  # noqa: A002 - as they are told
    """From and to how many points, in words."""
    if max is None:
        return _("at least %(number)s", number=min)
    return _("at most %(number)s", number=max) if min is None else f"{min}–{max}"
