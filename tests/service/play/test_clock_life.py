"""Random lives of games with clocks: whatever happens in whatever order, everything that is stored fits together."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.archive import verification
from server.service.common.errors import ServiceError
from server.service.games import clock as clocks
from server.service.games import loading
from server.service.outbox import pauses as mail_pauses
from server.service.play import pause, reminders, timeouts, vacation
from server.storage.database import Store
from tests.service.timed import Timed, confirm_addresses, start
from tests.tables import Mail, MailPause

ZONES = ("Europe/Berlin", "America/New_York", "Pacific/Chatham", "Asia/Kolkata", "UTC")
CLOCKS: tuple[dict[str, Any], ...] = (
    {"turn_hours": 24, "reserve_hours": 30, "vacation_days": 5, "night": {"from": "22:00", "to": "07:00"}},
    {"turn_hours": 6, "reminders": [0.2, 0.5, 0.8], "vacation_days": 0},
    {"turn_hours": 100, "on_timeout": "resign", "night": {"from": "12:00", "to": "03:30"}},
)


def play(game: Timed, who: int, rng: random.Random) -> None:
    if legal := game.legal(who):
        game.play(who, rng.choice(legal))


def play_on(game: Timed, who: int, rng: random.Random) -> None:
    """Play to the end of the turn, if it is this player's. (With bots a player's number is not that of the seat.)"""
    for _ in range(60):
        legal = game.legal(who)
        if not legal:
            break
        game.play(who, "end" if "end" in legal else rng.choice(legal))


def wait(game: Timed, who: int, rng: random.Random) -> None:
    game.wait(timedelta(minutes=rng.randrange(1, 60 * 20)))
    if rng.random() < 0.7:
        game.tick(rng.randrange(1000))
    reminders.run_reminders(game.store, game.now)


def want_pause(game: Timed, who: int, rng: random.Random) -> None:
    for voter in game.players if rng.random() < 0.5 else [game.players[who]]:
        with suppress(ServiceError):
            pause.vote(game.store, voter, game.id, game.now)


def want_no_pause(game: Timed, who: int, rng: random.Random) -> None:
    pause.withdraw(game.store, game.players[who], game.id, game.now)


def go_away(game: Timed, who: int, rng: random.Random) -> None:
    begins = game.now + timedelta(hours=rng.randrange(0, 40))
    vacation.add(game.store, game.players[who], begins, begins + timedelta(hours=rng.randrange(1, 60)), game.now)


def come_home(game: Timed, who: int, rng: random.Random) -> None:
    known = vacation.listing(game.store, game.players[who], game.now)
    if known:
        vacation.end(game.store, game.players[who], rng.choice(known)["id"], game.now)


def come_back(game: Timed, who: int, rng: random.Random) -> None:
    timeouts.come_back(game.store, game.players[who], game.id)


def mail_fails(game: Timed, who: int, rng: random.Random) -> None:
    game.mail_goes = False


def mail_goes(game: Timed, who: int, rng: random.Random) -> None:
    game.mail_goes = True
    game.deliver(*rng.choice([("sent", None), ("sent", None), ("dead", "theirs"), ("dead", "ours"), ("skipped", None)]))


def pause_mail(game: Timed, who: int, rng: random.Random) -> None:
    mail_pauses.pause(game.store, "a new disk", game.now)


def resume_mail(game: Timed, who: int, rng: random.Random) -> None:
    mail_pauses.resume(game.store, game.now)


MAIL = (mail_fails, mail_goes, mail_goes, pause_mail, resume_mail, resume_mail)
STEPS = (
    *MAIL,
    play,
    play_on,
    play_on,
    play_on,
    wait,
    wait,
    wait,
    want_pause,
    want_no_pause,
    go_away,
    come_home,
    come_back,
)


def check(game: Timed) -> None:
    """Row, seats and clock agree, and the deadline is what reckoning from the row gives."""
    with game.store.read():
        loaded = loading.for_reader(game.store, game.id, None)
        if loaded.status != "running":
            assert (loaded.deadline, loaded.turn_began_at, loaded.paused_at) == (None, None, None)
            return
        assert loaded.clock is not None
        assert loaded.turn_began_at is not None
        seat = loaded.to_move
        assert seat is not None
        assert not loaded.seats[seat].autopilot
        stored = loaded.deadline
        assert (stored is None) is (loaded.paused_at is not None or loaded.waits_for_notice)
        clock = clocks.read(loaded.clock)
        known = clocks.suspensions(game.store, [player.id for player in game.players], game.now)
        clocks.set_deadline(loaded, clock, known)
        pauses = [row.heeded_at for row in MailPause.select()]
        if all(pauses) or stored is None:
            assert loaded.deadline == stored
        else:  # it is reckoned anew before it is carried out
            assert loaded.deadline is not None
            assert loaded.deadline >= stored
        left = [seconds for seconds in clocks.reserves(loaded) or [] if seconds is not None]
        assert all(0 <= seconds <= clock.reserve.total_seconds() for seconds in left)
        if loaded.paused_at is not None:
            assert all(place.wants_pause or place.autopilot for place in clocks.living(loaded))


@pytest.mark.parametrize("number", range(4))
def test_random_life(store: Store, number: int) -> None:
    rng = random.Random(number)
    seats = 2 + number % 3
    zones = [rng.choice(ZONES) for _ in range(seats)]
    game = start(store, CLOCKS[number % 3], seats, zones, ["random"] if seats == 4 else [], seed=number)
    confirm_addresses(game)
    for _ in range(80):
        with suppress(ServiceError):
            rng.choice(STEPS)(game, rng.randrange(len(game.players)), rng)
        check(game)
        if game.page(None)["status"] != "running":
            break
    mail_pauses.resume(store, game.now)
    game.mail_goes = True
    with store.write():  # the operator has looked at the dead letters
        Mail.update(state="skipped").where(Mail.state == "dead").execute()
    game.tick()
    for _ in range(2):
        game.wait(timedelta(days=400))
        game.tick()
    for _ in range(20):
        game.wait(timedelta(days=40))
        game.tick()
        check(game)
    assert game.page(None)["status"] in ("finished", "abandoned")
    assert list(verification.verify_all(store)) == []
    with store.read():
        reminded = [mail for mail in Mail.select() if mail.kind == "reminder"]
    assert len({mail.key for mail in reminded}) == len(reminded)
    for mail in reminded:
        assert mail.created_at < json.loads(mail.data)["deadline"]
    assert profiles.profile(game.players[0])["preferences"]["time_zone"] == zones[0]
