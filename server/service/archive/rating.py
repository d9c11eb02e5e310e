"""Counting games for ratings, in one order that is kept, and computing all of it anew.

The job counts games that ended more than a minute ago, by when they ended, then by id: one that is stored later than
that comes when it is seen. The number that each gets is the order for ever. What is kept of a game are the places of
those who sat there, so that all ratings follow from these rows alone, whoever has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

import orjson

from replays.ratings import BEGINNER, Rating, after
from server.service.accounts import bot_accounts
from server.service.accounts.bot_rules import VARIANTS
from server.service.games import move_log
from server.service.games.rated import BEGUN, COUNTED
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SETTLED = timedelta(minutes=1)
"""Within that time a transaction that ends a game is stored."""
EARLY_ROUNDS = 2
"""Who resigns before so many rounds are over has not played."""

_Seat = tuple[str | None, str | None]
"""Who sat there: a player, or a bot of the house."""
_DUE = """
    SELECT id FROM game WHERE rated = 'begun' AND status = 'finished' AND NOT private AND finished_at < ?
    ORDER BY finished_at, id LIMIT ?"""
AT_ONCE = 100


def rate(store: Store, now: datetime, most: int, keep: Callable[[], bool] = lambda: True) -> int:
    """Count at most `most` games that wait for it, each in a transaction of its own; how many. Ends early where `keep`
    says so."""
    done = 0
    while done < most and keep():
        due = sql.rows(store, _DUE, utc(now - SETTLED), min(most - done, AT_ONCE))
        for (game_id,) in due:
            if not keep():
                break
            with store.write(power_cut_safe=False):
                done += _rate(store, game_id)
        if len(due) < AT_ONCE:
            break
    return done


_SEATS = "SELECT player_id, bot FROM seat WHERE game_id = ? ORDER BY seat"
_GAME = """
    SELECT tower, seats, result, NOT unplayed AND result IS NOT NULL AND taken_back = 0
        AND NOT EXISTS (SELECT 1 FROM hint h WHERE h.game_id = game.id)
    FROM game WHERE id = ? AND rated = ?"""
_RATED = "UPDATE game SET rated = ? WHERE id = ?"


def _rate(store: Store, game_id: str) -> bool:
    """Count a game, or note that it does not count; False where another process was faster."""
    seats = [(player, bot) for player, bot in sql.rows(store, _SEATS, game_id)]
    # Accounts first, then the game: so it goes where an account is deleted, too.
    people = [player for player, _bot in seats if player is not None]
    sql.lock_in_order(store, "player", f"id IN {sql.marks(people)}", *people)
    game = sql.row(store, sql.locking(store, _GAME), game_id, BEGUN)
    if game is None:
        return False
    tower, number, result, whole = game
    counts = whole and _is_fair(store, game_id, seats)
    sql.execute(store, _RATED, COUNTED if counts else None, game_id)
    if counts:
        places = [score["rank"] for score in orjson.loads(result)["scores"]]
        _count(store, game_id, VARIANTS[bool(tower)], number, seats, places)
    return True


def _is_fair(store: Store, game_id: str, seats: list[_Seat]) -> bool:
    """Whether several played, no account is gone, nobody played with their own bot, and nobody resigned at once."""
    people = [player for player, _bot in seats if player is not None]
    if (None, None) in seats or len(set(seats)) == 1 or len(set(bot_accounts.hands(store, people))) < len(people):
        return False
    moves = [one.move for one in move_log.standing(store, game_id)]
    return "resign" not in moves or moves[: moves.index("resign")].count("end") >= EARLY_ROUNDS * len(seats)


_KNOWN = """
    SELECT id, mu, sigma FROM rating
    WHERE variant = ? AND seats = ? AND (player_id = ? OR bot = ?)"""
_UPDATE = "UPDATE rating SET games = games + 1, mu = ?, sigma = ? WHERE id = ?"


def _count(store: Store, game_id: str, variant: str, number: int, seats: list[_Seat], places: list[int]) -> None:
    """Change the ratings by a game, which gets the next number."""
    # Read first: who counts another game meanwhile takes the same number, and one of the two is refused.
    order = (sql.value(store, "SELECT MAX(number) FROM rated_result") or 0) + 1
    known: dict[int, Rating] = {}
    who: list[int] = []
    for player, bot in seats:
        found = sql.row(store, _KNOWN, variant, number, player, bot)
        if found is None:
            whose = {"player_id": player, "bot": bot, "variant": variant, "seats": number}
            found = (sql.insert_numbered(store, "rating", **whose, games=0, **BEGINNER._asdict()), *BEGINNER)
        who.append(found[0])
        known[found[0]] = Rating(*found[1:])
    came = after(known, who, places)
    for row in sorted(came):
        sql.execute(store, _UPDATE, came[row].mu, came[row].sigma, row)
    for seat, (row, place) in enumerate(zip(who, places, strict=True)):
        result = {"number": order, "seat": seat, "game_id": game_id, "rating_id": row, "place": place}
        sql.insert(store, "rated_result", **result, **came[row]._asdict())


_RESULTS = """
    SELECT q.number, q.rating_id, q.place, q.seat, q.game_id, q.mu, q.sigma, g.result,
        g.rated = 'counted' AND g.seats = r.seats AND r.variant = CASE WHEN g.tower THEN 'advanced' ELSE 'basic' END
            AND COALESCE(s.player_id, s.bot, '') = COALESCE(r.player_id, r.bot, '')
    FROM rated_result q JOIN rating r ON r.id = q.rating_id LEFT JOIN game g ON g.id = q.game_id
    LEFT JOIN seat s ON s.game_id = q.game_id AND s.seat = q.seat
    WHERE q.number > ? AND q.number <= ? ORDER BY q.number, q.seat"""
PER_QUERY = 1000


def differences(store: Store, progress: Callable[[int, int], object] | None = None) -> Iterator[tuple[str, str]]:
    """Compute all ratings anew, game by game in their order, and compare each with what is kept, to the last digit:
    the games that differ ("" for what is none) and in what. `progress` hears how many are done, of how many."""
    known: dict[int, Rating] = {}
    games: Counter[int] = Counter()
    with store.read():
        last = sql.value(store, "SELECT MAX(number) FROM rated_result") or 0
        for first in range(0, last, PER_QUERY):
            rows = sql.rows(store, _RESULTS, first, first + PER_QUERY)
            for _number, group in groupby(rows, itemgetter(0)):
                table = list(group)
                came = after(known, [row[1] for row in table], [row[2] for row in table])
                known |= came
                games.update(came.keys())
                for _number, rating, *row in table:
                    yield from _wrong(came[rating], *row)
            if progress is not None:
                progress(min(first + PER_QUERY, last), last)
        kept = sql.rows(store, "SELECT id, games, mu, sigma FROM rating ORDER BY id")
    for rating, *stored in kept:
        computed = [games[rating], *known.get(rating, BEGINNER)]
        if stored != computed:
            yield "", f"rating {rating}: stored is {stored}, the games give {computed} (games, mean, deviation)"


def _wrong(
    came: Rating, place: int, seat: int, game_id: str | None, mu: int, sigma: int, result: str | None, fits: bool | None
) -> Iterator[tuple[str, str]]:
    """What does not fit of a seat, for which the games before give `came`."""
    if (mu, sigma) != came:
        yield game_id or "", f"seat {seat}: stored is {mu} ± {sigma}, the games before give {came.mu} ± {came.sigma}"
    if game_id and not (fits and result and orjson.loads(result)["scores"][seat]["rank"] == place):
        yield game_id, f"seat {seat}: it was counted for somebody else, for another place or as another kind of game"
