"""Counting games for ratings, in one order that is kept, and computing all of it anew.

The job counts games that ended more than a minute ago, by when they ended, then by id: one that is stored later than
that comes when it is seen. The number that each gets is the order for ever. What is kept of a game are the places of
those who sat there, so that all ratings follow from these rows alone, whoever has left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import orjson

from replays.ratings import BEGINNER, Rating, after
from server.service.accounts import bot_accounts
from server.service.accounts.bot_rules import VARIANTS
from server.service.games import move_log
from server.service.games.rated import BEGUN, COUNTED, EARLY, GONE, HELPED, ONE, OWN, TAKEN_BACK
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SETTLED = timedelta(minutes=1)
"""Within that time a transaction that ends a game is stored."""
EARLY_ROUNDS = 2
"""Who resigns before so many rounds are over has not played."""

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


class _Seat(NamedTuple):
    player: str | None
    bot: str | None
    hints: int


_SEATS = """
    SELECT s.player_id, s.bot, (SELECT COUNT(*) FROM hint h WHERE h.game_id = s.game_id AND h.seat = s.seat)
    FROM seat s WHERE s.game_id = ? ORDER BY s.seat"""
_GAME = "SELECT tower, seats, unplayed, result, taken_back FROM game WHERE id = ? AND rated = ?"


def _rate(store: Store, game_id: str) -> bool:
    """Count a game, or note why it does not count; False where another process was faster."""
    seats = [_Seat(*row) for row in sql.rows(store, _SEATS, game_id)]
    # Accounts first, then the game: so it goes where an account is deleted, too.
    people = [seat.player for seat in seats if seat.player is not None]
    sql.lock_in_order(store, "player", f"id IN {sql.marks(people)}", *people)
    game = sql.row(store, sql.locking(store, _GAME), game_id, BEGUN)
    if game is None:
        return False
    tower, number, unplayed, result, taken_back = game
    why = EARLY if unplayed or result is None else TAKEN_BACK if taken_back else _flaw(store, game_id, seats)
    sql.execute(store, "UPDATE game SET rated = ? WHERE id = ?", why or COUNTED, game_id)
    if why is None:
        places = [score["rank"] for score in orjson.loads(result)["scores"]]
        _count(store, game_id, VARIANTS[bool(tower)], number, seats, places)
    return True


def _flaw(store: Store, game_id: str, seats: list[_Seat]) -> str | None:
    """Why a game that was played to its end does not count."""
    if any(seat.hints for seat in seats):
        return HELPED
    if any(seat.player is None and seat.bot is None for seat in seats):
        return GONE
    if len({seat[:2] for seat in seats}) == 1:
        return ONE
    people = [seat.player for seat in seats if seat.player is not None]
    if len(set(bot_accounts.hands(store, people))) < len(people):
        return OWN
    moves = [one.move for one in move_log.standing(store, game_id)]
    rounds = moves[: moves.index("resign")].count("end") // len(seats) if "resign" in moves else EARLY_ROUNDS
    return EARLY if rounds < EARLY_ROUNDS else None


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
    for seat in seats:
        found = sql.row(store, _KNOWN, variant, number, seat.player, seat.bot)
        if found is None:
            row = sql.insert_numbered(
                store, "rating", player_id=seat.player, bot=seat.bot, variant=variant, seats=number, games=0,
                mu=BEGINNER.mu, sigma=BEGINNER.sigma,
            )  # fmt: skip
            found = (row, *BEGINNER)
        who.append(found[0])
        known[found[0]] = Rating(*found[1:])
    came = after(known, who, places)
    for row in sorted(came):
        sql.execute(store, _UPDATE, came[row].mu, came[row].sigma, row)
    for at, (row, place) in enumerate(zip(who, places, strict=True)):
        sql.insert(
            store, "rated_result", number=order, seat=at, game_id=game_id, rating_id=row, place=place,
            mu=came[row].mu, sigma=came[row].sigma,
        )  # fmt: skip


_RESULTS = """
    SELECT q.number, q.seat, q.game_id, q.rating_id, q.place, q.mu, q.sigma, g.result, g.rated, s.player_id, s.bot,
        r.player_id, r.bot, r.variant, r.seats, g.tower, g.seats
    FROM rated_result q JOIN rating r ON r.id = q.rating_id LEFT JOIN game g ON g.id = q.game_id
    LEFT JOIN seat s ON s.game_id = q.game_id AND s.seat = q.seat
    WHERE q.number > ? AND q.number <= ? ORDER BY q.number, q.seat"""
PER_QUERY = 1000


def differences(store: Store, told: Callable[[int], object] = lambda _done: None) -> Iterator[tuple[str, str]]:
    """Compute all ratings anew, game by game in their order, and compare each with what is kept, to the last digit:
    the games that differ ("" for what is none) and in what. `told` hears how many are done."""
    known: dict[int, Rating] = {}
    games: defaultdict[int, int] = defaultdict(int)
    with store.read():
        last = sql.value(store, "SELECT MAX(number) FROM rated_result") or 0
        for first in range(0, last, PER_QUERY):
            rows = sql.rows(store, _RESULTS, first, first + PER_QUERY)
            for _number, group in groupby(rows, itemgetter(0)):
                table = list(group)
                who = [row[3] for row in table]
                came = after(known, who, [row[4] for row in table])
                known |= came
                for one in came:
                    games[one] += 1
                for row in table:
                    yield from _wrong(row, came[row[3]])
            told(min(first + PER_QUERY, last))
        kept = sql.rows(store, "SELECT id, mu, sigma, games FROM rating ORDER BY id")
        uncounted = sql.rows(
            store,
            "SELECT g.id FROM game g WHERE g.rated = ? AND NOT EXISTS ("
            "SELECT 1 FROM rated_result q WHERE q.game_id = g.id) ORDER BY g.id",
            COUNTED,
        )
    for (game_id,) in uncounted:
        yield game_id, "it is said to be counted for ratings, and is not"
    for one, mu, sigma, number in kept:
        if (Rating(mu, sigma), number) != (known.get(one, BEGINNER), games[one]):
            yield (
                "",
                f"rating {one}: stored is {mu} ± {sigma} of {number} games, the games give "
                + ("{} ± {} of {}".format(*known.get(one, BEGINNER), games[one])),
            )


def _wrong(row: sql.Row, came: Rating) -> Iterator[tuple[str, str]]:
    """What does not fit of one seat of a game that was counted."""
    _number, seat, game_id, _rating, place, mu, sigma, result, rated, *whose = row
    player, bot, rated_player, rated_bot, *kinds = whose
    if (mu, sigma) != came:
        yield game_id or "", f"seat {seat}: stored is {mu} ± {sigma}, the games before give {came.mu} ± {came.sigma}"
    if game_id is None:
        return
    if rated != COUNTED or result is None or orjson.loads(result)["scores"][seat]["rank"] != place:
        yield game_id, f"seat {seat}: place {place} was counted, which is not what the game says"
    variant, seats, tower, there = kinds
    if (player, bot, VARIANTS[bool(tower)], there) != (rated_player, rated_bot, variant, seats):
        yield game_id, f"seat {seat}: it was counted for somebody else, or as another kind of game"
