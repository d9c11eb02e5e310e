"""Clocks of games: deadlines, time-outs, autopilot, reserve, and who wins a race with the clock."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from server.service.archive import verification
from server.service.common.errors import Conflict, Unprocessable
from server.service.lists import game_page
from server.service.play import timeouts
from server.service.seating import creating, joining
from server.storage.database import Store
from tests.service.bots_here import play_due
from tests.service.conftest import NOW, Situation, make_player
from tests.service.timed import HOUR, PLAIN, Timed, start
from tests.tables import Game, Seat
from tests.together import at_once

LATE = timedelta(hours=24, seconds=1)


def push(game: Timed) -> str:
    """A push that is legal now."""
    return next(move for move in game.legal(game.active) if move.startswith("push"))


# --- the clock that is wished for ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "clock",
    [
        {}, [], "24h", {"turn_hours": 0}, {"turn_hours": 1345}, {"turn_hours": 1.5}, {"turn_hours": True},
        *({"turn_hours": 24, **wrong} for wrong in (
            {"turns": 1}, {5: 1}, {"reserve_hours": -1}, {"night": {}}, {"night": {"from": "22:00"}},
            {"night": {"from": "22:00", "to": "22:00"}}, {"night": {"from": "07:00", "to": "06:59"}},
            {"night": {"from": "24:00", "to": "07:00"}}, {"night": {"from": "22:0²", "to": "07:00"}},
            {"night": {"from": "22:00", "to": "07:00", "in": "UTC"}}, {"reminders": 0.5}, {"reminders": [1]},
            {"reminders": [True]}, {"reminders": [float("nan")]}, {"reminders": [0.5, 0.5]},
            {"weekends_off": 1}, {"due_time": "24:00"}, {"due_time": 20}, {"due_time": "8:00"},
            {"due_time": "23:00", "night": {"from": "22:00", "to": "07:00"}},
            {"due_time": "06:59", "night": {"from": "22:00", "to": "07:00"}},
            {"reminders": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, {"on_timeout": "random"}, {"on_timeout": []},
            {"vacation_days": 367}, {"start_by": "tomorrow"}, {"start_by": "2026-12-01T00:00:00"},
            {"start_by": "2026-11-21T09:30:00Z"}, {"start_by": "2028-01-01T00:00:00Z"},
        )),
    ],
)  # fmt: skip
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_clock_that_cannot_be_is_refused(store: Store, clock: Any) -> None:
    ann = make_player(store, "Ann")
    with pytest.raises(Unprocessable, match="clock"):
        creating.create(store, ann, 2, "A game", None, "", [], False, NOW, clock=clock)
    assert store.ask(lambda: Game.select().count()) == 0


# --- time-outs -------------------------------------------------------------------------------------------------------


def test_turn_is_played_at_the_deadline_and_marked(store: Store) -> None:
    game = start(store, seats=3)
    late = game.active
    game.wait(24 * HOUR - timedelta(seconds=1))
    assert (game.tick(), game.automatic()) == (0, [])
    game.wait(timedelta(seconds=1))
    assert game.tick() == 1
    assert game.tick() == 0
    assert game.active != late
    assert game.automatic()[-1] == "end"
    for seat in (late, game.active, None):
        entries = [entry for entry in game.log(seat) if entry["seat"] == late]
        assert [entry["automatic"] for entry in entries if entry["move"] != "draw"] == [True] * (len(entries) - 1)
        assert entries[0]["automatic"] is (seat == late)  # of a draw only its owner knows
    page = game.page(None)
    assert page["deadline"] == "2026-11-23T09:30:00Z"
    assert [player["autopilot"] for player in page["players"]] == [False] * 3
    assert list(verification.verify_all(store)) == []


def test_choice_under_way_is_settled(store: Store, offer: Situation) -> None:
    game = start(store, seats=offer.seats, seed=offer.seed)
    game.follow(offer.moves)
    late = game.active
    game.wait(LATE)
    assert game.tick() == 1
    assert game.automatic()[0].startswith("choose ")
    assert "choose" in [entry["move"] for entry in game.log((late + 1) % offer.seats)]
    assert list(verification.verify_all(store)) == []


# --- a date to start by ----------------------------------------------------------------------------------------------


def test_game_that_does_not_start_in_time_is_abandoned(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    clock = {**PLAIN, "start_by": "2026-12-01T00:00:00+01:00"}
    page = creating.create(store, ann, 2, "A game", None, "", [], False, NOW, clock=clock)
    assert page["clock"]["start_by"] == "2026-11-30T23:00:00Z"
    date = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
    assert timeouts.run_clocks(store, date - timedelta(seconds=1)) == 0
    with pytest.raises(Conflict, match="had to start"):
        joining.join(store, ben, page["id"], "", None, date)
    assert timeouts.run_clocks(store, date) == 1
    assert game_page.page(store, page["id"], ann)["status"] == "abandoned"
    assert timeouts.run_clocks(store, date) == 0
    started = start(store, clock)
    assert timeouts.run_clocks(store, date) == 1  # the turn, not the start
    assert started.page(None)["status"] == "running"


# --- races -----------------------------------------------------------------------------------------------------------


def test_exactly_one_of_a_late_move_and_the_clock_wins(store: Store) -> None:
    for round_ in range(6):
        game = start(store, seed=round_)
        late, ply = game.active, game.ply(game.active)
        pushed = push(game)
        game.wait(LATE)
        calls = [partial(game.play, late, pushed, ply=ply), partial(timeouts.time_out, store, game.id, game.now)]
        played, timed_out = at_once(calls if round_ % 2 else calls[::-1])[:: 1 if round_ % 2 else -1]
        play_due(store, game.now)
        with store.read():
            timeouts_noted = Seat.get(Seat.game == game.id, Seat.seat == late).timeouts
        if played == 409:
            assert timed_out is True
            assert timeouts_noted == 1
            assert any(move.startswith("push") for move in game.automatic())
        else:
            # The player was first: the push stands, and the clock finishes the turn, whose time is over all the same.
            assert played["applied"] == 1
            assert timed_out is True
            assert pushed not in game.automatic()
    assert list(verification.verify_all(store)) == []


def test_several_clocks_carry_a_deadline_out_once(store: Store) -> None:
    running = [start(store, seed=number) for number in range(3)]
    running[0].wait(LATE)
    now = running[0].now
    changed = at_once([lambda: timeouts.run_clocks(store, now, random.Random(2))] * 4)
    assert sum(changed) == 3
    play_due(store, now)
    for game in running:
        assert game.automatic().count("end") == 1
    assert list(verification.verify_all(store)) == []


def test_a_game_that_cannot_be_played_does_not_keep_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = start(store), start(store)
    with store.write():
        Game.update(server_seed="no hex").where(Game.id == broken.id).execute()
    sound.wait(LATE)
    assert sound.tick() == 1
    assert broken.id in caplog.text
    assert sound.automatic().count("end") == 1
