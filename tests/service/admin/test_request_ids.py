"""The id of a request goes along with what it causes: mails, bots' turns, analyses, and their lines of the log."""

import io
from dataclasses import replace
from datetime import timedelta

from server import logs, request_ids
from server.notify import runner
from server.notify.compose import compose
from server.service.archive import analyses
from server.service.outbox import mail_queue
from server.service.play import bot_turns
from server.service.seating import creating
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Start, give_address, make_player

HOUR = timedelta(hours=1)


def test_mails_are_sent_under_the_id_of_what_caused_them(store: Store, settings: Settings, match: Start) -> None:
    m = match(2)
    for seat, player in enumerate(m.players):
        give_address(store, player, f"player{seat}@example.org")
    with request_ids.caused_by("a-move-of-ann"):
        m.play_turn()
    assert request_ids.present() is None
    [(number, key)] = sql.rows(store, "SELECT id, \"key\" FROM mail WHERE request = 'a-move-of-ann'")
    assert key.startswith(f"turn:{m.id}:")
    assert mail_queue.show(store, number)["request"] == "a-move-of-ann"
    lines = io.StringIO()
    logs.configure("INFO", lines)
    here = replace(settings, mail_workers=0, mail_pictures=False)
    delivery = runner.delivery(store, here, compose, "one", lambda: m.clock.now + HOUR)
    try:
        assert delivery.run()["sent"]
    finally:
        delivery.close()
    [line] = [line for line in lines.getvalue().splitlines() if f"mail={number} " in line]
    assert line.endswith("request=a-move-of-ann")
    assert "example.org" not in line


def test_turns_of_bots_and_analyses_keep_the_id(store: Store, match: Start) -> None:
    ann = make_player(store, "Ann")
    with request_ids.caused_by("a-game-of-bots"):
        creating.create(store, ann, 2, "", None, "", ["journeyman", "journeyman"], False, NOW)
    due = bot_turns.claim(store, "one", NOW, NOW + HOUR)
    assert due.request == "a-game-of-bots"
    with request_ids.caused_by(due.request):
        bot_turns.play_plainly(store, "one", due, NOW)
    bot_turns.release(store, "one", due)
    following = bot_turns.claim(store, "one", NOW, NOW + HOUR)
    assert following.request == "a-game-of-bots"
    with request_ids.caused_by("the-last-move"):
        match(2).end_early()
    wanted = analyses.claim(store, "one", NOW + HOUR, NOW + 2 * HOUR)
    assert wanted.request == "the-last-move"
