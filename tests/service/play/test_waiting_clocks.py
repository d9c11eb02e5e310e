"""A clock waits for the notice of its turn, and stands still while mail is paused: nobody loses by lost mail."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from server.service.lists import game_lists, game_page
from server.service.outbox import mail_queue, pauses
from server.service.play import reminders, timeouts
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import make_player
from tests.service.play.test_clock_scenarios import left, mail_to_others
from tests.service.timed import HOUR, Timed, confirm_addresses, start
from tests.tables import Game as GameRow
from tests.tables import Player as PlayerRow

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
MINUTE = timedelta(minutes=1)
ONE_HOUR = {"turn_hours": 1, "vacation_days": 21}


def begin(store: Store, clock: dict[str, Any] | None = None, seats: int = 2, **more: Any) -> Timed:
    """A game in its second turn: of a player whom mail reaches, and whose notice is written."""
    game = start(store, ONE_HOUR if clock is None else clock, seats, **more)
    confirm_addresses(game)
    game.mail_goes = False
    game.play_turn()
    return game


def wish(game: Timed, seat: int, **wishes: object) -> None:
    with game.store.write():
        PlayerRow.update(preferences=json.dumps(wishes)).where(PlayerRow.id == game.players[seat].id).execute()


def test_the_mail_server_of_a_player_keeps_the_others_waiting_for_one_turn_at_most(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """A greylist is waited for, a player who refuses all mail for now is not, when others get theirs."""
    game = begin(store)
    game.deliver("pending", "theirs")
    for _ in range(2):
        game.wait(HOUR / 2)
        mail_to_others(game)
        game.tick()
        assert (left(game), mail_queue.figures(store, game.now)["waiting_clocks"]) == (None, 1)
    game.wait(HOUR / 2)
    game.deliver("pending", "theirs")  # tried and refused once more
    game.tick()
    assert (left(game), mail_queue.figures(store, game.now)["waiting_clocks"]) == (HOUR, 0)
    assert "a clock waits no longer for the notice of its turn" in caplog.text
    game.wait(HOUR)
    assert game.tick() == 1
    assert game.automatic()


def test_no_job_of_the_clocks_goes_through_all_games_or_mails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the digests, nor what comes after a pause of all mail, nor a look for the last mail to others."""
    games = [begin(store, seed=seed) for seed in range(3)]
    wish(games[0], games[0].active, mail="digest", digest_hour=10)
    games[1].deliver("pending", "theirs")
    now = games[0].now + HOUR
    pauses.pause(store, "", games[0].now)
    pauses.resume(store, now)
    said: list[tuple[str, tuple[Any, ...]]] = []
    whole = sql.execute
    monkeypatch.setattr(
        sql, "execute", lambda store, *asked: said.append((asked[0], asked[1:])) or whole(store, *asked)
    )
    monkeypatch.setattr(timeouts, "GAMES_PER_QUERY", 1)
    assert reminders.run_digests(store, now) == 1
    timeouts.heed_pauses(store, now)
    timeouts.heed_notices(store, now)
    monkeypatch.undo()

    def asked(*words: str) -> list[str]:
        """How SQLite goes about the first statement with these words, and how often it was asked."""
        found = [item for item in said if all(word in item[0] for word in words)]
        plan = sql.rows(store, f"EXPLAIN QUERY PLAN {found[0][0]}", *found[0][1])
        return [str(len(found)), *(str(line[3]) for line in plan)]

    assert asked("status = 'running'", "deadline IS NOT NULL", "ORDER BY id")[0] == "1"
    number, *plan = asked("g.turn_notice IS NULL")
    assert number == "1"
    assert not re.search("game_status|SCAN", " ".join(plan))
    plan = asked("FROM mail o")
    assert any("(state=? AND done_at<?)" in line for line in plan)
    assert not any("ORDER BY" in line for line in plan)


def test_who_has_begun_to_move_knows_of_the_turn(store: Store) -> None:
    game = begin(store, auto_draw=False)
    seat = game.active
    game.wait(2 * HOUR)
    game.tick()
    before = game.page(1 - seat)
    game.play(seat, "draw")
    # That the clock runs again would tell the others of the draw, which is hidden from them.
    assert {**game.page(1 - seat), "edition": ""} == {**before, "edition": ""}
    assert left(game) is None
    game.play(seat, next(move for move in game.legal(seat) if move.startswith("push")))
    assert left(game) == HOUR
    game.wait(HOUR)
    game.tick()
    assert game.automatic()


def test_no_game_is_given_up_before_its_start_for_a_pause_of_mail(store: Store) -> None:
    host = make_player(store, "Ann")
    from tests.service.conftest import NOW

    clock = {"turn_hours": 24, "start_by": utc(NOW + 5 * HOUR)}
    page = creating.create(store, host, 2, "A game", None, "", [], False, NOW, clock=clock)
    assert page["clock"]["start_by"] == clock["start_by"]

    def listed(hours: float) -> list[Any]:
        return game_lists.home(store, None, game_lists.OPEN, NOW + hours * HOUR)[0]

    assert len(listed(4)) == 1
    pauses.pause(store, "", NOW + HOUR)
    assert len(listed(19)) == 1, "it can be joined, and is not among those that can be"
    pauses.resume(store, NOW + 20 * HOUR)
    for hours, status in ((20, "open"), (23.9, "open"), (24, "abandoned")):
        timeouts.run_clocks(store, NOW + hours * HOUR)
        timeouts.run_clocks(store, NOW + hours * HOUR)
        assert store.ask(lambda: GameRow.select().get().status) == status, hours
        assert game_page.page(store, page["id"], None)["clock"]["start_by"] == utc(NOW + 24 * HOUR)
        assert [game["clock"]["start_by"] for game in listed(hours)] == [utc(NOW + 24 * HOUR)] * (status == "open")
