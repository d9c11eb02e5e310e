"""Vacations move deadlines, as far as a game's clock counts them."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from server.service.common import idempotency
from server.service.common.errors import Conflict, Unprocessable
from server.service.play import timeouts, vacation
from server.storage.database import Store
from tests.service.conftest import NOW, make_player
from tests.service.timed import PLAIN, Timed, killed_at_the_third_game, start
from tests.tables import Seat, Vacation
from tests.together import at_once

DAY = timedelta(days=1)
WEEKS = {**PLAIN, "vacation_days": 21}


def text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def go(game: Timed, seat: int, begins: timedelta | None, length: timedelta) -> dict[str, Any]:
    """Enter a vacation that begins so long after now (None: now)."""
    first = game.now + (begins or timedelta())
    return vacation.add(game.store, game.players[seat], None if begins is None else first, first + length, game.now)


@pytest.mark.parametrize(
    ("starts_at", "ends_at"),
    [
        ("2026-11-20T00:00:00Z", "2026-11-30T00:00:00Z"),
        ("2026-12-02T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("2026-12-02T00:00:00Z", "2026-12-02T00:00:00Z"),
        ("2028-12-02T00:00:00Z", "2028-12-03T00:00:00Z"),
        ("2026-12-02T00:00:00Z", "2027-12-04T00:00:00Z"),
        ("2026-12-02T00:00:00", "2026-12-04T00:00:00Z"),
        ("soon", "2026-12-04T00:00:00Z"),
        (None, None),
        (None, 5),
        (None, "9999-12-31T23:59:59-12:00"),
    ],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_vacation_that_cannot_be_is_refused(store: Store, starts_at: Any, ends_at: Any) -> None:
    with pytest.raises(Unprocessable, match="_at: "):
        vacation.add(store, make_player(store, "Ann"), starts_at, ends_at, NOW)


def test_zones_of_the_times_given_are_understood(store: Store) -> None:
    row = vacation.add(store, make_player(store, "Ann"), "2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00-05:00", NOW)
    assert (row["starts_at"], row["ends_at"]) == ("2026-11-30T23:00:00Z", "2026-12-02T05:00:00Z")


def test_vacations_do_not_overlap_and_are_not_too_many(store: Store) -> None:
    ann = make_player(store, "Ann")
    first = datetime(2026, 12, 1, tzinfo=UTC)
    vacation.add(store, ann, first, first + 3 * DAY, NOW)
    for begins, length in ((-1, 2), (0, 3), (1, 1), (2, 5), (-1, 9)):
        with pytest.raises(Conflict, match="at that time already"):
            vacation.add(store, ann, first + begins * DAY, first + (begins + length) * DAY, NOW)
    for number in range(1, vacation.VACATIONS_MAX):
        begins = first + 3 * number * DAY
        vacation.add(store, ann, begins, begins + 3 * DAY, NOW)
    with pytest.raises(Conflict, match="entered 30"):
        vacation.add(store, ann, first + 200 * DAY, first + 201 * DAY, NOW)


def several(store: Store) -> list[Timed]:
    """Three games in which one player is to move."""
    games = [start(store, WEEKS, seed=1)]
    player = games[0].active
    for seed in range(2, 4):
        games.append(start(store, WEEKS, seed=seed))
        with store.write():
            Seat.update(player=games[0].players[player].id).where(
                Seat.game == games[-1].id, Seat.seat == games[-1].active
            ).execute()
    return games


def test_others_move_between_two_games_and_what_is_left_undone_makes_nobody_late(store: Store) -> None:
    games = several(store)
    with killed_at_the_third_game():
        go(games[0], games[0].active, None, 5 * DAY)
    assert sorted(game.deadline() for game in games) == [text(NOW + DAY), text(NOW + 6 * DAY), text(NOW + 6 * DAY)]
    for game in games:
        assert timeouts.time_out(store, game.id, NOW + 2 * DAY) is False
        assert game.deadline() == text(NOW + 6 * DAY)


def test_a_repeat_does_what_a_killed_request_has_left(store: Store) -> None:
    games = several(store)
    ann = games[0].players[games[0].active]
    for kill in (killed_at_the_third_game(), nullcontext()):
        with kill:
            asked = idempotency.asked("key", ann, "vacation")
            vacation.add(store, ann, None, text(NOW + 5 * DAY), NOW, asked)
    assert [game.deadline() for game in games] == [text(NOW + 6 * DAY)] * 3


def test_short_vacations_do_not_pile_up(store: Store) -> None:
    ann, now = make_player(store, "Ann"), NOW
    for _ in range(vacation.VACATIONS_MAX):
        made = vacation.add(store, ann, None, now + DAY, now)
        now += timedelta(seconds=1)
        vacation.end(store, ann, made["id"], now)
    with pytest.raises(Conflict, match="wait a day"):
        vacation.add(store, ann, None, now + DAY, now)
    assert vacation.add(store, ann, None, now + 3 * DAY, now + DAY)


# --- races -----------------------------------------------------------------------------------------------------------


def test_same_vacation_is_entered_once_at_the_same_time(store: Store) -> None:
    ann = make_player(store, "Ann")
    answers = at_once([lambda: vacation.add(store, ann, None, NOW + DAY, NOW)] * 4)
    assert sorted(answer for answer in answers if isinstance(answer, int)) == [409] * 3
    assert store.ask(lambda: Vacation.select().count()) == 1


def test_vacation_and_the_beginning_of_the_turn_at_the_same_time(store: Store) -> None:
    """Whichever is first: the deadline of the turn that begins knows of the vacation."""
    for seed in range(6):
        game = start(store, WEEKS, seed=seed)
        seat, other = game.active, 1 - game.active
        game.play(seat, next(move for move in game.legal(seat) if move.startswith("push")))
        while "end" not in game.legal(seat):
            game.play(seat, game.legal(seat)[0])
        calls: list[Callable[[], Any]] = [
            partial(game.play, seat, "end", ply=game.ply(seat)),
            partial(go, game, other, None, 5 * DAY),
        ]
        at_once(calls if seed % 2 else calls[::-1])
        assert game.deadline() == text(game.now + 6 * DAY)


def test_two_players_of_the_same_games_go_on_vacation_at_once(store: Store) -> None:
    """Both lock all games of both: in the same order, or they would wait for each other for ever."""
    game = start(store, WEEKS)
    more = [start(store, WEEKS, seed=number) for number in range(3)]
    with store.write():
        for other in more:
            for seat in (0, 1):
                Seat.update(player=game.players[seat].id).where(Seat.game == other.id, Seat.seat == seat).execute()
    answers = at_once([partial(go, game, seat, None, 2 * DAY) for seat in (0, 1)])
    assert all(isinstance(answer, dict) for answer in answers)
    for each in (game, *more):
        assert each.deadline() == "2026-11-24T09:30:00Z"
