"""A clock waits for the notice of its turn, and stands still while mail is paused: nobody loses by lost mail."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.games import loading
from server.service.games.model import Game
from server.service.lists import game_page, home_lists
from server.service.outbox import mail_queue, pauses
from server.service.play import digests, pause, reminders, timeouts, vacation
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc
from tests.service.conftest import make_player
from tests.service.timed import HOUR, PLAIN, Timed, confirm_addresses, start
from tests.tables import Game as GameRow
from tests.tables import Mail, MailPause
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


def row(game: Timed) -> Game:
    with game.store.read():
        return loading.for_reader(game.store, game.id, None)


def left(game: Timed) -> timedelta | None:
    """How long it is to the deadline that is stored."""
    deadline = row(game).deadline
    return None if deadline is None else parse_utc(deadline) - game.now


def wish(game: Timed, seat: int, **wishes: object) -> None:
    with game.store.write():
        PlayerRow.update(preferences=json.dumps(wishes)).where(PlayerRow.id == game.players[seat].id).execute()


def test_a_notice_that_is_a_little_late_grants_nothing(store: Store) -> None:
    game = begin(store)
    game.wait(4 * MINUTE)
    assert game.tick() == 0
    game.deliver()
    game.wait(MINUTE)
    assert game.tick() == 0
    loaded = row(game)
    assert (loaded.turn_notice, loaded.granted_seconds, left(game)) == (None, None, 55 * MINUTE)


def test_what_was_sent_late_while_no_clock_was_looked_at_is_granted(store: Store) -> None:
    """The server itself was off, and its clocks are carried out before anything else."""
    game = begin(store)
    game.wait(3 * HOUR)
    game.deliver()
    assert timeouts.time_out(store, game.id, game.now) is False
    assert left(game) == HOUR
    assert timeouts.time_out(store, game.id, game.now) is False
    assert (left(game), row(game).granted_seconds) == (HOUR, 3 * 3600)


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


def test_quiet_hours_grant_nothing_and_what_is_lost_after_them_does(store: Store) -> None:
    game = begin(store, PLAIN)
    wish(game, game.active, quiet_hours={"from": "08:00", "to": "12:00"})  # it is 09:30
    game.wait(2 * HOUR)
    assert game.tick() == 0
    assert left(game) == 22 * HOUR
    game.wait(HOUR)  # 12:30
    assert game.tick() == 1
    assert left(game) is None
    game.deliver()
    assert game.tick() == 1
    assert (left(game), row(game).granted_seconds) == (21 * HOUR + 30 * MINUTE, 1800)


def test_a_notice_that_its_reader_puts_off_is_not_late(store: Store) -> None:
    game = begin(store, PLAIN)
    with store.write():
        Mail.update(due_at=utc(game.now + 9 * HOUR)).where(Mail.state == "pending").execute()
    game.wait(10 * HOUR)
    game.deliver()  # an hour after that
    game.tick()
    assert (left(game), row(game).granted_seconds) == (15 * HOUR, 3600)


def mail_to_others(game: Timed) -> None:
    """A mail to somebody else is taken now."""
    about = {"key": f"other {game.now}", "kind": "message", "address": "somebody@example.org"}
    times = {"due_at": game.now, "created_at": game.now, "done_at": game.now}
    with game.store.write():
        Mail.insert(**about, **times, state="sent").execute()


@pytest.mark.parametrize(("fault", "waits"), [("ours", True), (None, True), ("theirs", False)])
def test_a_dead_letter_keeps_the_clock_where_it_is_our_fault(store: Store, fault: str | None, waits: bool) -> None:
    game = begin(store)
    game.deliver("dead", fault)
    mail_to_others(game)
    for _ in range(8):
        game.wait(HOUR / 4)
        game.tick()
    assert bool(game.automatic()) is not waits
    if waits:
        assert left(game) is None
        with store.write():
            Mail.update(state="skipped", done_at=game.now).where(Mail.state == "dead").execute()
        game.tick()
        assert left(game) == HOUR


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


def test_a_mail_server_that_refuses_everybody_for_four_days_costs_no_turn(store: Store) -> None:
    """Also where the mails to each count as refused by their readers, and too few are written to pause the queue."""
    game = begin(store, PLAIN)
    for _ in range(16):
        game.deliver("pending", "theirs")
        game.wait(6 * HOUR)
        game.tick()
    assert (left(game), game.automatic()) == (None, [])
    game.deliver()
    game.tick()
    assert left(game) == 24 * HOUR


def test_mail_to_others_that_was_taken_meanwhile_shortens_the_wait_to_three_days(store: Store) -> None:
    game = begin(store)
    game.wait(MINUTE)
    mail_to_others(game)
    game.wait(MINUTE)
    game.deliver("pending", "theirs")
    game.wait(71 * HOUR)
    game.tick()
    assert left(game) is None
    game.wait(HOUR)
    game.tick()
    assert (left(game), game.automatic()) == (HOUR, [])


def test_while_a_fault_stops_all_mail_nobody_is_found_to_refuse_it(store: Store) -> None:
    game = begin(store)
    game.deliver("pending", "theirs")
    with store.write():
        MailPause.insert(cause="fault", why="451", since=game.now).execute()
    game.wait(13 * 24 * HOUR)
    game.tick()
    assert (left(game), game.automatic()) == (None, [])


def test_a_server_that_was_off_for_weeks_ends_no_turn_when_it_is_back(store: Store) -> None:
    game = begin(store)
    game.wait(30 * 24 * HOUR)
    game.tick()
    assert (left(game), game.automatic()) == (HOUR, [])


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


def test_lost_time_costs_no_reserve(store: Store) -> None:
    clock = {"turn_hours": 1, "reserve_hours": 2, "vacation_days": 0}
    for sent_after, moved_after in ((None, 5 * HOUR), (4 * HOUR, 5 * HOUR), (4 * HOUR, 5.5 * HOUR)):
        game = begin(store, clock)
        seat = game.active
        game.wait(4 * HOUR)
        if sent_after is not None:
            game.deliver()
        game.wait(moved_after - 4 * HOUR)
        game.play_turn()  # whether a job has looked meanwhile or not
        used = 0 if sent_after is None else (moved_after - sent_after - HOUR) // timedelta(seconds=1)
        assert game.page(None)["reserve_seconds"][seat] == 7200 - used


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


def test_no_reminder_goes_while_the_clock_waits_and_later_ones_reckon_with_it(store: Store) -> None:
    game = begin(store, PLAIN)
    game.wait(13 * HOUR)
    assert reminders.run_reminders(store, game.now) == 0  # it finds out by itself
    assert left(game) is None
    game.deliver()
    game.tick()
    for hours in (11.9, 12.1):
        game.now = parse_utc(row(game).lost_until or "") + hours * HOUR
        assert reminders.run_reminders(store, game.now) == (1 if hours > 12 else 0)


def test_a_pause_of_the_players_and_lost_time(store: Store) -> None:
    game = begin(store)
    game.wait(HOUR)
    game.tick()
    for player in game.players:
        pause.vote(store, player, game.id, game.now)
    game.wait(5 * HOUR)
    game.tick()
    game.deliver()
    game.wait(HOUR)
    game.tick()
    assert left(game) is None
    pause.withdraw(store, game.players[0], game.id, game.now)
    assert left(game) == HOUR


def test_time_lost_at_night_or_on_vacation_counts_once(store: Store) -> None:
    game = begin(store, {**PLAIN, "night": {"from": "22:00", "to": "06:00"}, "vacation_days": 9}, zones=["UTC", "UTC"])
    begins = game.now  # 09:30
    vacation.add(store, game.players[game.active], begins + HOUR, begins + 2 * HOUR, game.now)
    game.wait(24 * HOUR)
    game.tick()
    game.deliver()
    game.tick()
    assert row(game).granted_seconds == 15 * 3600
    # 24 hours from 09:30 on, but for a night.
    assert row(game).deadline == utc(begins + 24 * HOUR + 32 * HOUR)


def test_no_reserve_is_charged_for_a_pause_of_mail(store: Store) -> None:
    game = start(store, {"turn_hours": 1, "reserve_hours": 2, "vacation_days": 0})
    seat = game.active
    pauses.pause(store, "", game.now)
    game.wait(9 * HOUR)
    game.play_turn()  # during the pause
    assert game.page(None)["reserve_seconds"] == [7200, 7200]
    other = game.active
    game.wait(9 * HOUR)
    pauses.resume(store, game.now)
    game.wait(1.5 * HOUR)
    game.play_turn()  # before any job has come to this game
    assert game.page(None)["reserve_seconds"][seat] == 7200
    assert game.page(None)["reserve_seconds"][other] == 7200 - 1800


def test_a_fault_stops_the_clocks_of_turns_alone_whose_notice_waits(store: Store) -> None:
    with_mail, without = begin(store), start(store, ONE_HOUR, seed=2)
    with store.write():
        MailPause.insert(cause="fault", why="530", since=without.now).execute()
    for game in (with_mail, without):
        game.now += 2 * HOUR
    with_mail.tick()
    assert (with_mail.automatic(), left(with_mail)) == ([], None)
    assert without.automatic()


def test_a_pause_of_mail_and_one_of_the_players_and_a_vacation(store: Store) -> None:
    game = start(store, {"turn_hours": 10, "vacation_days": 21})
    game.wait(HOUR)
    pauses.pause(store, "", game.now)
    game.wait(HOUR)
    for player in game.players:
        pause.vote(store, player, game.id, game.now)
    game.wait(HOUR)
    pauses.resume(store, game.now)
    game.wait(HOUR)
    game.tick()
    pause.withdraw(store, game.players[0], game.id, game.now)
    assert left(game) == 9 * HOUR
    pauses.pause(store, "", game.now)
    player = game.players[game.active]
    vacation.add(store, player, game.now + HOUR, game.now + 3 * HOUR, game.now)
    game.wait(2 * HOUR)
    pauses.resume(store, game.now)
    game.tick()
    assert left(game) == 10 * HOUR  # an hour of the vacation is left


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


def test_the_wish_for_mail_may_change_meanwhile(store: Store) -> None:
    game = begin(store)
    seat = game.active
    game.wait(2 * HOUR)
    game.tick()
    profiles.update_profile(store, game.players[seat], {"preferences": {"mail": "mute"}}, game.now)
    game.tick()
    assert left(game) == HOUR


def check_granted_until_sent(game: Timed, kind: str, remaining: timedelta) -> None:
    """A mail of `kind` that waits for thirty hours costs none of them."""
    game.wait(30 * HOUR)
    game.tick()
    assert (game.automatic(), left(game)) == ([], None)
    with game.store.write():
        Mail.update(state="sent", done_at=game.now).where(Mail.kind == kind).execute()
    game.tick()
    assert (left(game), row(game).granted_seconds) == (remaining, 30 * 3600)


def test_who_wants_reminders_alone_hears_of_the_turn_by_the_first(store: Store) -> None:
    game = begin(store, PLAIN)
    wish(game, game.active, mail="reminders")
    game.deliver("skipped")
    game.wait(13 * HOUR)
    game.tick()
    assert reminders.run_reminders(store, game.now) == 1
    check_granted_until_sent(game, "reminder", 11 * HOUR)


def test_who_reads_a_digest_hears_of_the_turn_there(store: Store) -> None:
    game = begin(store, PLAIN)
    seat = game.active
    wish(game, seat, mail="digest", digest_hour=10)
    game.deliver("skipped")
    game.wait(HOUR)
    game.tick()
    assert digests.run_digests(store, game.now) == 1
    check_granted_until_sent(game, "digest", 23 * HOUR)
