"""Clocks and a real mail server that fails: whose fault it is decides who waits, and no turn is lost for ours."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from server.notify.compose import compose
from server.notify.runner import delivery
from server.service.accounts.players import Player
from server.service.outbox import enqueuing
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import parse_utc
from tests.notify.sink import Sink
from tests.service.conftest import give_address, make_player
from tests.service.timed import HOUR, Timed, confirm_addresses, start
from tests.tables import Game
from tests.tables import Player as PlayerRow

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
STEP = timedelta(minutes=10)


class Life:
    """A game by the hour whose second turn begins while the mail server behaves as it was told to."""

    def __init__(self, store: Store, settings: Settings, sink: Sink, mode: str, address: str, title: str) -> None:
        self.sink, self.store = sink, store
        self.game: Timed = start(store, {"turn_hours": 1, "vacation_days": 0})
        self.game.mail_goes = False
        confirm_addresses(self.game)
        with store.write():
            if address:
                reader = self.game.players[1 - self.game.active]
                PlayerRow.update(email=address).where(PlayerRow.id == reader.id).execute()
            if title:
                Game.update(name=title).execute()
        chosen = replace(
            settings,
            smtp_url=sink.url,
            mail_from="ulm@ulm.example.org",
            base_url="https://ulm.example.org",
            mail_pictures=False,
            mail_workers=0,
        )
        self.delivery = delivery(store, chosen, compose, "one", lambda: self.game.now, random.Random(1))
        self.others = [make_player(store, f"Other {number}") for number in range(5)]
        for other in self.others:
            give_address(store, other, f"{other.id}@example.org")
        sink.behave(mode)
        self.game.play_turn()

    def go_on(self, span: timedelta, others: int = 0) -> None:
        """Let time pass, while mail is sent and clocks are carried out as on a server; mail to so many who do not play
        in this game, too."""
        end = self.game.now + span
        while self.game.now < end:
            self.write_to(self.others[:others])
            self.delivery.run()
            self.game.tick()
            self.game.wait(STEP)

    def write_to(self, others: Sequence[Player]) -> None:
        with self.store.write():
            for player in others:
                key, address = f"sign_in:{player.id}:{self.game.now}", f"{player.id}@example.org"
                enqueuing.enqueue(self.store, "sign_in", address, key=key, now=self.game.now, player_id=player.id)

    def turn_mails(self) -> list[str]:
        mails = [mail.message for mail in self.sink.received()]
        return [str(mail["Subject"]) for mail in mails if "your turn" in str(mail["Subject"])]


@pytest.fixture
def live(store: Store, settings: Settings, start_sink: Callable[..., Sink]) -> Callable[..., Life]:
    """A function that begins a game while the mail server behaves like that; the one to move may have an address that
    it does not like, the game a name."""
    return lambda mode, address="", title="": Life(store, settings, start_sink(), mode, address, title)


@pytest.mark.parametrize(
    "mode",
    [
        "at CONNECT close",
        "at CONNECT 554 5.3.2 no service here",
        "at MAIL 530 5.7.0 Authentication required",
        "at DOT 451 4.3.0 try again later",
    ],
)
def test_four_turns_are_not_missed_by_a_mail_server_that_is_off(live: Callable[..., Life], mode: str) -> None:
    life = live(mode)
    game, seat = life.game, life.game.active
    life.go_on(5 * HOUR)
    assert (game.automatic(), game.active, game.page(seat)["waits_for"]) == ([], seat, "notice")
    life.sink.behave("keep")
    life.go_on(HOUR)
    assert len(life.turn_mails()) == 1
    page = game.page(seat)
    assert page["waits_for"] is None
    assert page["granted_seconds"] >= 5 * 3600
    [told] = [mail.message for mail in life.sink.received() if "your turn" in str(mail.message["Subject"])]
    body = told.get_body(("plain",))
    assert "your time of 60 minutes begins now" in " ".join(body.get_content().split())
    # As long as it says, from when it went out.
    assert timedelta() <= parse_utc(page["deadline"]) - game.now <= HOUR
    life.go_on(HOUR)
    assert game.automatic()


def test_nobody_stops_their_clock_by_what_a_mail_says(live: Callable[..., Life]) -> None:
    """The name of a game is in each mail, and its creator may choose one that no mail server takes."""
    life = live("keep", title="A virus")
    game, seat = life.game, life.game.active
    life.go_on(HOUR / 2, others=1)
    assert game.page(seat)["waits_for"] is None
    life.go_on(HOUR, others=1)
    assert game.automatic()
