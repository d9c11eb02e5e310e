"""Clocks that wait, on both databases: several processes, moves and mail at the same time, and one that is killed."""

from server.service.outbox import pauses
from server.service.play import reminders, timeouts
from server.storage.database import Store
from tests.service.play.test_clock_scenarios import left, row
from tests.service.play.test_waiting_clocks import MINUTE, ONE_HOUR, begin
from tests.service.timed import HOUR, killed_at_the_third_game, start
from tests.tables import MailPause
from tests.together import at_once


def test_a_pause_of_mail_leaves_every_clock_as_much_time_as_it_had(store: Store) -> None:
    games = [start(store, ONE_HOUR, seed=seed) for seed in range(3)]
    running, begun, thinking = games
    now = running.now + 20 * MINUTE
    assert pauses.pause(store, "a new disk", now)
    begun.now = now + HOUR
    begun.play_turn()
    thinking.now = now + HOUR
    thinking.play(thinking.active, next(move for move in thinking.legal(thinking.active) if move.startswith("push")))
    for game in games:
        game.now = now + 30 * HOUR
    assert running.tick() == 0
    assert timeouts.time_out(store, running.id, running.now) is False
    assert reminders.run_reminders(store, running.now) == 0
    assert pauses.resume(store, running.now)
    assert running.tick() == 3
    assert [left(game) for game in games] == [40 * MINUTE, HOUR, 40 * MINUTE]
    assert running.tick() == 0
    assert [left(game) for game in games] == [40 * MINUTE, HOUR, 40 * MINUTE]
    assert all(game.automatic() == [] for game in games)


def test_killed_while_clocks_go_on_none_is_granted_twice_and_none_forgotten(store: Store) -> None:
    games = [start(store, ONE_HOUR, seed=seed) for seed in range(4)]
    now = games[0].now
    pauses.pause(store, "", now + 10 * MINUTE)
    pauses.resume(store, now + 5 * HOUR)
    for game in games:
        game.now = now + 5 * HOUR + 5 * MINUTE
    with killed_at_the_third_game():
        games[0].tick()
    assert len({row(game).deadline for game in games}) == 2
    for game in games:  # before the rest is done, none is carried out
        game.now += 30 * MINUTE
        assert timeouts.time_out(store, game.id, game.now) is False
    games[0].tick()
    assert [left(game) for game in games] == [15 * MINUTE] * 4
    assert store.ask(lambda: [found.heeded_at is not None for found in MailPause.select()]) == [True]


def test_a_notice_is_sent_while_the_clock_runs_out(store: Store) -> None:
    """Whoever is first, the turn is not lost."""
    for number in range(3):
        game = begin(store, seed=number)
        game.wait(3 * HOUR)
        at_once([lambda game=game: game.tick(), lambda game=game: game.deliver(), lambda game=game: game.tick()])
        game.tick()
        assert (game.automatic(), row(game).granted_seconds, left(game)) == ([], 3 * 3600, HOUR)


def test_a_move_while_time_is_granted(store: Store) -> None:
    for number in range(3):
        game = begin(store, {"turn_hours": 1, "reserve_hours": 1, "vacation_days": 0}, seed=number)
        seat, loaded = game.active, row(game)
        game.wait(3 * HOUR)
        game.deliver()
        legal = game.legal(seat)
        push = next(move for move in legal if move.startswith("push"))
        at_once([lambda game=game: game.tick(), lambda game=game, seat=seat, push=push: game.play(seat, push)])
        assert (game.automatic(), left(game)) == ([], 2 * HOUR)
        assert game.page(None)["reserve_seconds"] == [3600, 3600]
        assert row(game).turn_began_at == loaded.turn_began_at
