"""Analyses of finished games: when they are wanted, that each is made once, what is kept, and who may see it."""

import os
import signal
import threading
import time
from datetime import timedelta

import pytest

from replays.analysis import results
from server.bot_workers.analysis_job import Analyses
from server.service.archive import analyses, replays
from server.service.common.errors import Conflict, NotFound
from server.service.seating import creating
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def job(store: Store, settings: Settings, owner: str = "one") -> Analyses:
    return Analyses(store, settings.rulesets, owner, lambda: NOW)


def rows(store: Store) -> list[tuple[object, ...]]:
    return sql.rows(store, "SELECT game_id, wanted_at IS NULL, data IS NULL, failures FROM analysis")


def test_a_game_of_people_is_analysed_when_it_is_over(match: Start, settings: Settings) -> None:
    """In a process of its own, from its record; nobody has to ask."""
    game = match()
    assert rows(game.store) == []
    with pytest.raises(NotFound):
        analyses.of_game(game.store, game.id, game.players[0])
    game.end_early()
    found = analyses.of_game(game.store, game.id, None)
    assert found["id"] == game.id
    assert (found["status"], found["done"]) == ("waiting", 0)
    assert job(game.store, settings).look() == 1
    found = analyses.required(game.store, game.id, None)
    assert found["version"] == results.version(2)
    assert [ply["ply"] for ply in found["plies"]][-1] == game.page(None)["ply"]
    for seat in found["seats"]:
        parts = (seat["luck"], seat["offered"], seat["error"], seat["others"])
        assert seat["first"] + sum(parts) == pytest.approx(seat["last"], abs=0.001)
    decided = analyses.moments(game.store, [game.id])[game.id]
    changes = [(one["loss"], one["ply"] + 1) for one in found["moments"]]
    changes += [(max(map(abs, one["luck"])), one["ply"]) for one in found["strokes"]]
    assert (max(changes)[0], decided["ply"]) in changes
    state = replays.state(game.store, game.id, decided["ply"])["state"]
    assert decided["square"] == [color for row in state["grid"] for color in row]
    assert job(game.store, settings).look() == 0
    # What is there is there: nothing is to be done for it.
    assert "version" in analyses.ask(game.store, game.id, None, NOW)
    assert rows(game.store) == [(game.id, 1, 0, 0)]


def test_one_that_was_made_otherwise_is_made_anew_and_read_meanwhile(match: Start) -> None:
    game = match()
    game.end_early()
    store = game.store
    assert analyses.claim(store, "one", NOW, NOW + timedelta(seconds=9)) is not None
    old: results.Analysis = {"format": results.FORMAT, "version": "0-old", "plies": [], "seats": [], "moments": [],
                             "strokes": []}  # fmt: skip
    analyses.keep(store, "one", game.id, old, [], NOW)
    assert analyses.claim(store, "one", NOW, NOW + timedelta(seconds=9)) is None
    found = analyses.ask(store, game.id, None, NOW)
    assert found["version"] == "0-old"
    assert analyses.claim(store, "one", NOW, NOW + timedelta(seconds=9)) is not None


def test_a_game_is_claimed_by_one_process_until_its_lease_ends(match: Start) -> None:
    game = match()
    game.end_early()
    store, soon = game.store, NOW + timedelta(seconds=9)
    first = analyses.claim(store, "one", NOW, soon)
    assert first.game_id == game.id
    assert analyses.claim(store, "two", NOW, soon) is None
    assert analyses.renew(store, "one", game.id, soon, 5)
    found = analyses.required(store, game.id, None)
    assert (found["status"], found["done"]) == ("running", 5)
    assert analyses.claim(store, "two", soon, soon + timedelta(seconds=9)) is not None
    assert not analyses.renew(store, "one", game.id, soon, 6)
    before = NOW - timedelta(days=2)
    assert analyses.claim(store, "three", before, before + timedelta(seconds=9)) is not None, "its clock was ahead"
    assert analyses.claim(store, "two", NOW, soon) is not None, "and back"
    for _ in range(analyses.FAILURES_MAX):
        analyses.release(store, "two", game.id, failed=True)
        analyses.claim(store, "two", NOW, soon)
    found = analyses.required(store, game.id, None)
    assert found["status"] == "failed"
    found = analyses.ask(store, game.id, None, NOW)  # it holds no place, and may be wished anew
    assert found["status"] == "waiting"
    assert analyses.claim(store, "two", NOW, soon) is not None


def test_who_may_not_see_a_game_sees_no_analysis_of_it(match: Start) -> None:
    game = match(private=True)
    for player in (None, *game.players):
        with pytest.raises(NotFound):
            analyses.of_game(game.store, game.id, player)
        with pytest.raises(NotFound):
            analyses.ask(game.store, game.id, player, NOW)
    game.end_early()
    with pytest.raises(NotFound):
        analyses.of_game(game.store, game.id, None)
    assert analyses.of_game(game.store, game.id, game.players[0]) is not None


def test_who_asks_for_many_waits_by_turns_with_others(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [match() for _ in range(4)]
    store, names = games[0].store, ["Ann", "Ann", "Ann", "Ben"]
    for game, name in zip(games, names, strict=True):
        game.end_early()
        with store.write():
            sql.execute(store, "UPDATE analysis SET asker = ? WHERE game_id = ?", name, game.id)

    def asker() -> str:
        found = analyses.claim(store, "one", NOW, NOW + timedelta(seconds=30))
        return names[[game.id for game in games].index(found.game_id)]

    assert sorted(asker() for _ in range(2)) == ["Ann", "Ben"]
    assert [asker() for _ in range(2)] == ["Ann"] * 2
    monkeypatch.setattr(analyses, "OWN_WAITING_MAX", 0)
    with store.write():
        sql.execute(store, "DELETE FROM analysis")
    with pytest.raises(Conflict):
        analyses.ask(store, games[0].id, None, NOW)


def test_games_of_bots_alone_are_analysed_for_who_asks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player(store, "Ann")
    page = creating.create(store, player, 2, "Bots", {}, "", ["random", "random"], False, NOW)
    with store.write():
        sql.execute(store, "UPDATE game SET status = 'finished', finished_at = started_at WHERE id = ?", page["id"])
    assert analyses.of_game(store, page["id"], None) is None
    with pytest.raises(NotFound, match="nobody has asked"):
        analyses.required(store, page["id"], None)
    monkeypatch.setattr(analyses, "WAITING_MAX", 0)
    with pytest.raises(Conflict):
        analyses.ask(store, page["id"], None, NOW)
    monkeypatch.setattr(analyses, "WAITING_MAX", 1)
    assert "status" in analyses.ask(store, page["id"], None, NOW)


@SQLITE
def test_a_killed_analysis_is_tried_again_and_a_stopped_one_given_back(
    match: Start, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    game = match()
    game.end_early()
    store, made = game.store, job(game.store, settings)

    def kill() -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pid = made.pid
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
                return
            time.sleep(0.005)

    killer = threading.Thread(target=kill)
    killer.start()
    assert made.look() == 1
    killer.join()
    assert "could not be analysed" in caplog.text
    assert rows(store) == [(game.id, 1, 0, 1)]
    made.stop()
    analyses.ask(store, game.id, None, NOW)
    assert made.look() == 0
