"""A clock waits for the notice of its turn, and stands still while mail is paused: nobody loses by lost mail."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from server.service.lists import game_page, home_lists
from server.service.outbox import mail_queue, pauses
from server.service.play import digests, timeouts
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import make_player
from tests.service.play.test_clock_scenarios import left, mail_to_others, row
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


@pytest.mark.parametrize(
    "what", ["digest", "reminders", "mute", "this game", "unconfirmed", "stopped", "never again", "no address"]
)
def test_the_clock_waits_for_nobody_whom_no_mail_is_for(store: Store, what: str) -> None:
    from server.service.chat import notice_wishes
    from server.service.outbox import stranger_mail

    game = begin(store)
    seat = game.active
    player = game.players[seat]
    changes: dict[str, dict[str, object]] = {
        "unconfirmed": {"email_confirmed_at": None},
        "stopped": {"mail_stopped_at": game.now},
        "no address": {"email": None, "email_confirmed_at": None},
    }
    if what in changes:
        with store.write():
            PlayerRow.update(**changes[what]).where(PlayerRow.id == player.id).execute()
    elif what == "this game":
        notice_wishes.change(store, game.id, player, "mute")
    elif what == "never again":
        stranger_mail.block(store, stranger_mail.claim(f"player{seat}@example.org"), game.now)
    else:
        wish(game, seat, mail=what)
    game.wait(30 * MINUTE)
    assert game.tick() == 0
    assert (left(game), row(game).turn_notice) == (30 * MINUTE, None)
    game.wait(30 * MINUTE)
    assert game.tick() == 1
    assert game.automatic()


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


@pytest.mark.parametrize(
    ("state", "fault", "others", "days"),
    [
        ("pending", "theirs", False, 14),
        ("dead", "theirs", False, 14),
        ("dead", "ours", True, 3),
        ("dead", "ours", False, 14),
        ("pending", "ours", False, 14),
        ("pending", None, True, 14),
    ],
)
def test_every_wait_has_an_end_and_all_of_the_turn_after_it(
    store: Store, state: str, fault: str | None, others: bool, days: int
) -> None:
    game = begin(store)
    game.deliver(state, fault)
    game.wait(days * 24 * HOUR - MINUTE)
    if others:
        mail_to_others(game)
    game.tick()
    assert left(game) is None
    game.wait(HOUR + MINUTE)
    if others:
        mail_to_others(game)
    game.tick()
    assert (left(game), game.automatic()) == (HOUR, [])
    assert row(game).granted_seconds == days * 24 * 3600 + 3600


def plans(store: Store, statements: list[tuple[str, tuple[Any, ...]]]) -> str:
    """How SQLite goes about statements, line by line."""
    with store.read():
        found = [sql.rows(store, f"EXPLAIN QUERY PLAN {statement}", *values) for statement, values in statements]
    return "\n".join(str(line[3]) for lines in found for line in lines)


def test_neither_digests_nor_a_resume_go_through_all_games_again_and_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(store, seed=seed) for seed in range(3)]
    wish(games[0], games[0].active, mail="digest", digest_hour=10)
    pauses.pause(store, "", games[0].now)
    pauses.resume(store, games[0].now + HOUR)
    said: list[tuple[str, tuple[Any, ...]]] = []
    whole = sql.rows

    def heard(store: Store, statement: str, *values: Any) -> list[sql.Row]:
        said.append((statement, values))
        return whole(store, statement, *values)

    monkeypatch.setattr(sql, "rows", heard)
    monkeypatch.setattr(timeouts, "GAMES_PER_QUERY", 1)
    assert digests.run_digests(store, games[0].now + HOUR) == 1
    written = [item for item in said if "g.turn_notice IS NULL" in item[0]]
    assert len(written) == 1
    said.clear()
    timeouts.heed_pauses(store, games[0].now + HOUR)
    through_all = [item for item in said if "status = 'running'" in item[0] and "deadline IS NOT NULL" in item[0]]
    monkeypatch.undo()
    assert len(through_all) == 1
    plan = plans(store, written)
    assert "game_status" not in plan
    assert "SCAN" not in plan


def test_the_last_mail_to_others_is_found_without_a_look_at_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(store)
    game.deliver("pending", "theirs")
    game.wait(HOUR)
    said: list[tuple[str, tuple[Any, ...]]] = []
    whole = sql.dicts

    def heard(store: Store, statement: str, *values: Any) -> list[sql.ByName]:
        said.append((statement, values))
        return whole(store, statement, *values)

    monkeypatch.setattr(sql, "dicts", heard)
    game.tick()
    monkeypatch.undo()
    plan = plans(store, [item for item in said if "FROM mail o" in item[0]][:1])
    assert "(state=? AND done_at<?)" in plan
    assert "ORDER BY" not in plan


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
        return home_lists.games(store, None, home_lists.OPEN, NOW + hours * HOUR)[0]

    assert len(listed(4)) == 1
    pauses.pause(store, "", NOW + HOUR)
    assert len(listed(19)) == 1, "it can be joined, and is not among those that can be"
    pauses.resume(store, NOW + 20 * HOUR)
    for hours, status in ((20, "open"), (23.9, "open"), (24, "abandoned")):
        timeouts.run_clocks(store, NOW + hours * HOUR)
        timeouts.run_clocks(store, NOW + hours * HOUR)
        with store.read():
            assert GameRow.select().get().status == status, hours
        assert game_page.page(store, page["id"], None)["clock"]["start_by"] == utc(NOW + 24 * HOUR)
        assert [game["clock"]["start_by"] for game in listed(hours)] == [utc(NOW + 24 * HOUR)] * (status == "open")
