"""How a server that was off is known: by the row that each writes while clocks run."""

import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

from server.service.outbox import heartbeat
from server.service.play import timeouts
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.times import utc
from tests.service.conftest import NOW, make_player
from tests.service.timed import HOUR, start
from tests.together import at_once

OFF = "SELECT since, ended_at FROM mail_pause WHERE cause = 'off'"


def rows(store: Store, statement: str) -> list[sql.Row]:
    return sql.rows(store, statement)


def test_of_servers_that_start_together_one_notes_it_and_idle_ones_write_nothing(store: Store) -> None:
    heartbeat.beat(store, NOW)
    assert rows(store, heartbeat.AT) == []
    game = start(store, {"turn_hours": 1})
    heartbeat.beat(store, NOW)
    at_once([lambda: heartbeat.beat(store, NOW + 30 * HOUR)] * 3)
    assert rows(store, OFF) == [(utc(NOW), utc(NOW + 30 * HOUR))]
    heartbeat.beat(store, NOW + 30 * HOUR + timedelta(seconds=10))
    assert rows(store, heartbeat.AT) == [(utc(NOW + 30 * HOUR),)]
    game.play(0, "resign")
    heartbeat.beat(store, NOW + 31 * HOUR)
    heartbeat.beat(store, NOW + 90 * HOUR)
    assert rows(store, heartbeat.AT) == []
    assert len(rows(store, OFF)) == 1


def test_nothing_is_granted_where_no_server_has_told_that_it_was_there(store: Store) -> None:
    """As after an upgrade from a version that told nothing: it was there, and nobody moved."""
    start(store, {"turn_hours": 1})
    heartbeat.beat(store, NOW + 30 * HOUR)
    assert (rows(store, OFF), rows(store, heartbeat.AT)) == ([], [(utc(NOW + 30 * HOUR),)])


def test_a_game_that_waits_for_players_starts_as_much_later(store: Store) -> None:
    clock = {"turn_hours": 1, "start_by": utc(NOW + HOUR)}
    ann = make_player(store, "Ann")
    page = creating.create(store, ann, 2, "A game", None, "", [], False, NOW, clock=clock)
    heartbeat.beat(store, NOW)
    heartbeat.beat(store, NOW + 30 * HOUR)
    assert timeouts.run_clocks(store, NOW + 30 * HOUR) == 1
    assert rows(store, "SELECT status, start_by FROM game") == [("open", utc(NOW + 31 * HOUR))]
    assert page["status"] == "open"


def test_nobody_is_late_because_the_server_was_off(start_server, tmp_path) -> None:
    server = start_server()
    tokens = [server.call("/players", {"name": name})["token"] for name in ("Ann", "Ben")]
    clock = {"turn_hours": 1, "on_timeout": "resign"}
    game = server.call("/games", {"seats": 2, "clock": clock}, tokens[0])["id"]
    server.call(f"/games/{game}/players", {}, tokens[1])
    server.stop()
    then = utc(datetime.now(UTC) - 30 * HOUR)
    with closing(open_database(f"sqlite:///{tmp_path / 'data' / 'ulm.sqlite3'}")) as store:
        with store.write():
            over = utc(datetime.now(UTC) - 29 * HOUR)
            sql.execute(store, "UPDATE game SET turn_began_at = ?, deadline = ?", then, over)
            sql.execute(store, "DELETE FROM heartbeat")
            sql.execute(store, "INSERT INTO heartbeat (id, at) VALUES (1, ?)", then)
        server = start_server()
        until = time.monotonic() + 30
        while "clocks go on" not in server.log() and time.monotonic() < until:
            time.sleep(0.05)
        shown = server.call(f"/games/{game}", token=tokens[0])
        assert (shown["status"], rows(store, "SELECT COUNT(*) FROM move WHERE move = 'resign'")) == ("running", [(0,)])
        assert shown["deadline"] > utc(datetime.now(UTC) + 50 * timedelta(minutes=1))
        assert 29 * 3600 < shown["granted_seconds"] <= 31 * 3600
    assert "no server was there" in server.log()
