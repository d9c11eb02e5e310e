"""Reminders: once for each fraction of a turn, never after the player moved, never at night or on vacation."""

from datetime import timedelta
from functools import partial

import pytest

from server.service.play import reminders, vacation
from server.storage.database import Store
from tests.service.timed import HOUR, PLAIN, Timed, confirm_addresses, start
from tests.tables import Mail
from tests.together import at_once

DAY = timedelta(days=1)


@pytest.fixture
def game(store: Store) -> Timed:
    """Two players with addresses, reminded after 12 and after 21.6 of 24 hours."""
    game = start(store, {**PLAIN, "vacation_days": 21})
    confirm_addresses(game)
    return game


def remind(game: Timed) -> int:
    return reminders.run_reminders(game.store, game.now)


def test_several_processes_remind_once(game: Timed) -> None:
    game.wait(13 * HOUR)
    written = at_once([partial(reminders.run_reminders, game.store, game.now)] * 4)
    assert sum(written) == 1
    assert len(game.mails("reminder")) == 1


def test_many_games_are_read_in_parts(game: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reminders, "GAMES_PER_QUERY", 2)
    more = [start(game.store, seed=number) for number in range(4)]
    for each in more:
        confirm_addresses(each)
    game.wait(13 * HOUR)
    assert remind(game) == 5
    assert remind(game) == 0


def test_end_of_a_vacation_is_announced_once(game: Timed) -> None:
    vacation.add(game.store, game.players[0], None, game.now + 5 * DAY, game.now)
    cut = vacation.add(game.store, game.players[1], None, game.now + 5 * DAY, game.now)
    game.wait(4 * DAY - timedelta(seconds=1))
    assert remind(game) == 0
    vacation.end(game.store, game.players[1], cut["id"], game.now)
    game.wait(timedelta(seconds=1))
    assert remind(game) == 1
    assert remind(game) == 0
    (mail,) = game.store.ask(lambda: list(Mail.select().where(Mail.kind == "vacation_ending")))
    assert mail.player_id == game.players[0].id
    assert mail.data == '{"ends_at":"2026-11-26T09:30:00Z"}'
