"""What mails say when a clock has run out, and that one end makes one letter."""

from datetime import timedelta
from typing import Any

import pytest

from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.service.play import reminders
from server.settings import Settings
from server.storage.database import Store
from tests.notify.letters import queued, text
from tests.notify.test_compose import wire
from tests.service import timed
from tests.service.timed import Timed
from tests.tables import Mail

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
DAY = timedelta(days=1)
RESIGN = {"turn_hours": 24, "vacation_days": 0, "on_timeout": "resign"}


def begin(store: Store, clock: dict[str, Any] | None = None, seats: int = 2) -> Timed:
    game = timed.start(store, clock, seats)
    timed.confirm_addresses(game)
    return game


def letters(game: Timed, settings: Settings, *kinds: str) -> list[tuple[str, int, str]]:
    """Kind, seat and text of every mail of these kinds that would be sent now, in order."""
    seats = {player.id: seat for seat, player in enumerate(game.players)}
    rows = game.store.ask(lambda: [queued(row) for row in Mail.select().order_by(Mail.id) if row.kind in kinds])
    made = [(one, compose(game.store, settings, one, game.now)) for one in rows]
    return [
        (one.kind, seats[one.player_id or ""], " ".join(text(wire(settings, one, mail)[0]).split()))
        for one, mail in made
        if not isinstance(mail, Skip)
    ]


def end_turn(game: Timed) -> None:
    seat, move = game.active, ""
    while move != "end":
        legal = game.legal(seat)
        move = "end" if "end" in legal else next(move for move in legal if move != "resign")
        game.play(seat, move)


def test_the_first_time_out_warns_of_the_second(store: Store, plain: Settings) -> None:
    game = begin(store)
    game.wait(DAY)
    assert game.tick() == 1
    [(_, _, first)] = letters(game, plain, "played_for_you")
    assert "If the time for your next turn runs out too, the server will play that one, and all that follow" in first
    end_turn(game)
    game.wait(DAY * 0.95)
    reminders.run_reminders(store, game.now)
    [(_, _, reminded)] = letters(game, plain, "reminder")
    assert "and your later turns at once, until you come back" in reminded
    game.wait(DAY)
    game.tick()
    *_, (_, _, second) = letters(game, plain, "played_for_you")
    assert "second time in a row" in second
    assert "link" not in second


def test_when_the_last_one_is_gone_one_letter_says_all(store: Store, plain: Settings) -> None:
    game = begin(store)
    while game.page(None)["status"] == "running":
        game.wait(DAY)
        game.tick()
    at = game.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    last = store.ask(lambda: [(row.kind, row.player_id) for row in Mail.select() if row.created_at == at])
    assert sorted(last) == sorted(("over", player.id) for player in game.players)
    told = letters(game, plain, "over", "played_for_you", "turn", "reminder")
    assert sorted((kind, seat) for kind, seat, _ in told) == [("over", 0), ("over", 1)]
    assert all("Your time for your last turn ran out: the server played it for you." in said for *_, said in told)


def test_a_resignation_by_the_clock_that_ends_the_game_is_told_with_the_end(store: Store, plain: Settings) -> None:
    game = begin(store, RESIGN)
    seat = game.active
    game.wait(DAY)
    game.tick()
    assert game.page(None)["status"] == "finished"
    told = letters(game, plain, "over", "played_for_you")
    assert [(kind, other) for kind, other, _ in told] in ([("over", 0), ("over", 1)], [("over", 1), ("over", 0)])
    said = {other: words for _, other, words in told}
    assert "Your time ran out, and under this game’s clock rules that resigned your seat." in said[seat]
    assert "Your time ran out" not in said[1 - seat]


def test_where_the_others_play_on_a_resignation_by_the_clock_has_its_own_letter(store: Store, plain: Settings) -> None:
    game = begin(store, RESIGN, 3)
    seat = game.active
    game.wait(DAY)
    game.tick()
    [(kind, other, said)] = letters(game, plain, "over", "played_for_you")
    assert (kind, other) == ("played_for_you", seat)
    assert "that resigned your seat. Your points stay" in said


def test_a_letter_that_is_late_says_when_its_time_begins(store: Store, plain: Settings) -> None:
    game = begin(store)
    game.mail_goes = False
    end_turn(game)
    game.wait(DAY / 4)
    game.tick()
    [(_, _, said)] = letters(game, plain, "turn")
    assert "This mail could not be sent any sooner: your time of 24 hours begins now." in said
    assert "Your time ends on" not in said
    game.deliver()
    game.wait(DAY * 0.6)
    game.tick()
    reminders.run_reminders(store, game.now)
    [(_, _, said)] = letters(game, plain, "reminder")
    assert "Time in which the server was off, or the mail about this turn was late, does not count." in said
    assert "Your time ends on Sunday 22 November 2026, 15:30 (UTC)." in said
