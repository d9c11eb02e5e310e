"""Random lives of games with clocks: whatever happens in whatever order, everything that is stored fits together."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest

from server.service.accounts import profiles
from server.service.archive import verification
from server.service.common.errors import ServiceError
from server.service.games import clock as clocks
from server.service.games import loading
from server.service.outbox import pauses as mail_pauses
from server.service.play import reminders, timeouts
from server.storage.database import Store
from tests.service.play.test_clock_scenarios import Scene
from tests.service.timed import Timed, confirm_addresses, start
from tests.tables import Mail, MailPause

ZONES = ("Europe/Berlin", "America/New_York", "Pacific/Chatham", "Asia/Kolkata", "UTC")
CLOCKS = (
    {"turn_hours": 24, "reserve_hours": 30, "vacation_days": 5, "night": {"from": "22:00", "to": "07:00"}},
    {"turn_hours": 6, "reminders": [0.2, 0.5, 0.8], "vacation_days": 0},
    {"turn_hours": 100, "on_timeout": "resign", "night": {"from": "15:30", "to": "03:30"}},
)


def play(scene: Scene, who: int, rng: random.Random, most: int = 1) -> None:
    """Play a move, or to the end of the turn, if it is this player's."""
    for _ in range(most):
        if legal := scene.game.legal(who):
            scene.game.play(who, "end" if "end" in legal and most > 1 else rng.choice(legal))


def wait(scene: Scene, who: int, rng: random.Random) -> None:
    scene.game.wait(timedelta(minutes=rng.randrange(1, 60 * 20)))
    if rng.random() < 0.7:
        scene.game.tick(rng.randrange(1000))
    reminders.run_reminders(scene.store, scene.game.now)


def mail_goes(scene: Scene, who: int, rng: random.Random) -> None:
    scene.game.mail_goes = True
    scene.game.deliver(
        *rng.choice([("sent", None), ("sent", None), ("dead", "theirs"), ("dead", "ours"), ("skipped", None)])
    )


def mail_fails(scene: Scene, who: int, rng: random.Random) -> None:
    scene.game.mail_goes = False


def go_away(scene: Scene, who: int, rng: random.Random) -> None:
    scene.do(f"away {who} {rng.randrange(0, 40)}h {rng.randrange(1, 60)}h")


def come_back(scene: Scene, who: int, rng: random.Random) -> None:
    timeouts.come_back(scene.store, scene.game.players[who], scene.game.id)


def words(text: str) -> Callable[[Scene, int, random.Random], None]:
    return lambda scene, who, rng: scene.do(text.format(who=who))


STEPS = (
    mail_fails, mail_goes, mail_goes, words("mail paused"), words("mail resumed"), words("mail resumed"), play,
    *[lambda scene, who, rng: play(scene, who, rng, 60)] * 3, wait, wait, wait, words("vote {who}"), words("vote all"),
    words("withdraw {who}"), go_away, words("home {who}"), come_back,
)  # fmt: skip


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


@pytest.mark.parametrize(
    ("database_url", "number"),
    [*(("sqlite", number) for number in range(4)), pytest.param("postgresql", 2, marks=pytest.mark.postgres)],
    indirect=["database_url"],
)
def test_random_life(store: Store, number: int) -> None:
    rng = random.Random(number)
    seats = 2 + number % 3
    zones = [rng.choice(ZONES) for _ in range(seats)]
    game = start(store, CLOCKS[number % 3], seats, zones, ["random"] if seats == 4 else [], seed=number)
    confirm_addresses(game)
    scene = Scene(store, game)
    for _ in range(80):
        with suppress(ServiceError, IndexError):
            rng.choice(STEPS)(scene, rng.randrange(len(game.players)), rng)
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
    reminded = store.ask(lambda: [mail for mail in Mail.select() if mail.kind == "reminder"])
    assert len({mail.key for mail in reminded}) == len(reminded)
    for mail in reminded:
        assert mail.created_at < json.loads(mail.data)["deadline"]
    assert profiles.profile(game.players[0])["preferences"]["time_zone"] == zones[0]
