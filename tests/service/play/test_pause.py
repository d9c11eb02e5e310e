"""A pause by agreement of all: the clock stands still and goes on with the time that was left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from server.service.common.errors import Conflict, Forbidden
from server.service.play import pause
from server.storage.database import Store
from tests.service.conftest import make_player
from tests.service.games.test_clock import away
from tests.service.play.test_concurrency import at_once
from tests.service.timed import HOUR, PLAIN, Timed, start
from tests.tables import Game

DAY = timedelta(days=1)


def agree(game: Timed) -> None:
    for player in game.players:
        pause.vote(game.store, player, game.id, game.now)


def test_one_who_wants_it_no_more_ends_it_with_the_time_that_was_left(store: Store) -> None:
    game = start(store, {**PLAIN, "reserve_hours": 6})
    game.wait(10 * HOUR)
    agree(game)
    game.wait(30 * DAY)
    page = pause.withdraw(store, game.players[1], game.id, game.now)
    assert (page["paused"], page["pause_votes"]) == (False, [])
    assert page["deadline"] == (game.now + 20 * HOUR).strftime("%Y-%m-%dT%H:%M:%SZ")
    game.wait(15 * HOUR)  # one hour of the reserve
    seat = game.active
    game.play_turn()
    assert game.page(None)["reserve_seconds"][seat] == 5 * 3600


def test_nights_within_a_pause_and_around_it_are_not_counted(store: Store) -> None:
    clock = {**PLAIN, "turn_hours": 12, "night": {"from": "22:00", "to": "07:00"}}
    began = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    game = start(store, clock, now=began)
    game.wait(12 * HOUR)  # two hours of the evening and one of the morning
    agree(game)
    game.wait(3 * DAY + 4 * HOUR)
    page = pause.withdraw(store, game.players[0], game.id, game.now)
    assert page["deadline"] == "2026-11-25T21:00:00Z"  # nine hours after noon


def test_pause_that_all_forget_ends_by_itself(store: Store) -> None:
    game = start(store)
    game.wait(10 * HOUR)
    agree(game)
    game.wait(pause.PAUSE_MAX - timedelta(seconds=1))
    assert game.tick() == 0
    game.wait(timedelta(seconds=1))
    assert game.tick() == 1
    page = game.page(None)
    assert (page["paused"], page["pause_votes"]) == (False, [])
    assert page["deadline"] == (game.now + 14 * HOUR).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert game.tick() == 0


def test_wish_is_taken_back_before_it_is_a_pause(store: Store) -> None:
    game = start(store)
    pause.vote(store, game.players[0], game.id, game.now)
    page = pause.withdraw(store, game.players[0], game.id, game.now)
    assert page["pause_votes"] == []
    assert pause.withdraw(store, game.players[0], game.id, game.now) == page
    page = pause.vote(store, game.players[1], game.id, game.now)
    assert (page["paused"], page["pause_votes"]) == (False, [1])


def test_moves_are_played_in_a_pause_and_cost_no_time(store: Store) -> None:
    game = start(store, {**PLAIN, "reserve_hours": 1})
    agree(game)
    game.wait(5 * DAY)
    game.play_turn()
    page = game.page(None)
    assert (page["paused"], page["deadline"], page["reserve_seconds"]) == (True, None, [3600, 3600])
    game.wait(5 * DAY)
    page = pause.withdraw(store, game.players[0], game.id, game.now)
    assert page["deadline"] == (game.now + 25 * HOUR).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_only_those_who_play_are_asked(store: Store) -> None:
    game = start(store, seats=3, bots=["random"])
    agree(game)
    assert game.page(None)["paused"] is True
    game = start(store, seats=3)
    late = away(game)
    for seat in {0, 1, 2} - {late}:
        page = pause.vote(store, game.players[seat], game.id, game.now)
    assert page["paused"] is True
    game = start(store, seats=3)
    gone = (game.active + 1) % 3
    game.play(gone, "resign")
    with pytest.raises(Conflict, match="resigned"):
        pause.vote(store, game.players[gone], game.id, game.now)
    for seat in {0, 1, 2} - {gone}:
        page = pause.vote(store, game.players[seat], game.id, game.now)
    assert page["paused"] is True


def test_pause_is_refused_where_it_means_nothing(store: Store) -> None:
    game = start(store)
    with pytest.raises(Forbidden):
        pause.vote(store, make_player(store, "Eve"), game.id, game.now)
    game.wait(25 * HOUR)
    with pytest.raises(Conflict, match="turn is up"):
        pause.vote(store, game.players[0], game.id, game.now)
    with store.write():
        Game.update(clock=None, deadline=None).execute()
    with pytest.raises(Conflict, match="no clock"):
        pause.vote(store, game.players[0], game.id, game.now)


def test_votes_at_the_same_time_are_all_counted(store: Store) -> None:
    game = start(store, seats=4)
    pages = at_once([partial(pause.vote, store, player, game.id, game.now) for player in game.players])
    assert all(isinstance(page, dict) for page in pages)
    assert game.page(None)["pause_votes"] == [0, 1, 2, 3]
    assert (game.page(None)["paused"], game.deadline()) == (True, None)


def test_end_of_the_game_ends_the_pause(store: Store) -> None:
    game = start(store)
    agree(game)
    game.play(game.active, "resign")
    page = game.page(None)
    assert (page["status"], page["paused"], page["deadline"]) == ("finished", False, None)
