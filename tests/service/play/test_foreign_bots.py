"""Bots of other packages, each in a process of its own: what they can read, and what becomes of one that dies or does
not end."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots import offers, turn
from server.bot_workers.job import PATIENCE, BotTurns
from server.bot_workers.process import ThinkingError, read_answer
from server.service.games import bots
from server.service.lists import game_page
from server.settings import Settings
from server.storage.database import Store
from tests.service.bots_here import Here
from tests.service.conftest import NOW
from tests.service.play import foreign_bots
from tests.service.play.bot_games import against, end_turn, plies, rows, wired
from tests.together import until

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def gone(question: turn.Question) -> list[str]:
    raise ThinkingError("there is no such bot here")


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Packages with bots are installed; the sleepy one thinks while the file that this returns is there."""
    folder = foreign_bots.install(tmp_path / "installed")
    monkeypatch.syspath_prepend(str(folder))
    wakes = tmp_path / "asleep"
    monkeypatch.setenv("SLEEPY_WHILE", str(wakes))
    yield wakes
    monkeypatch.undo()
    for name in ("ulm_bot_hasty", "sleepy_bots"):
        sys.modules.pop(name, None)
    offers.load([])


@contextmanager
def thinking(store: Store, settings: Settings, patience: float = PATIENCE) -> Iterator[BotTurns]:
    """The job, with its process, which ends with the block."""
    made = BotTurns(store, settings.rulesets, "one", lambda: NOW, patience=patience)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def beside(made: BotTurns) -> Iterator[threading.Thread]:
    """What is due is played in a thread, which has ended when the block has."""
    thread = threading.Thread(target=made.play_due)
    thread.start()
    try:
        yield thread
    finally:
        made.stop()
        thread.join(60)
    assert not thread.is_alive()


@SQLITE
def test_bots_of_other_packages(store: Store, settings: Settings, foreign: Path, caplog) -> None:
    assert offers.load() == ["cheat", "forger", "hasty", "nosy", "sleepy"]
    for name in ("broken", "missing", "nothing", "taken"):
        assert f"{name} = " in str([record.__dict__.get("fields") for record in caplog.records])
    listed = {one["name"]: one for one in bots.listing()}
    assert list(listed)[:4] == ["random", "apprentice", "journeyman", "master"]
    assert listed["hasty"] == {
        "name": "hasty", "labels": {"en": "Hasty", "de": "Eilig", "it": "Frettoloso"},
        "descriptions": {"en": "Hasty", "de": "Eilig", "it": "Frettoloso"}, "level": 0, "seconds": 1.0,
        "at_once": False, "served_by": "foreign-bots",
    }  # fmt: skip
    game = against(store, "hasty")
    assert game.page(0)["players"][1]["name"] == "Hasty"
    end_turn(game)
    with thinking(store, settings) as made:
        made.play_due()
    assert game.to_move == 0
    offers.load([])
    # Without its package the game can still be read, and the apprentice goes on.
    assert game.page(0)["players"][1]["name"] == "Hasty"
    end_turn(game)
    wired(store, Here(gone)).play_due()
    assert game.to_move == 0


def test_a_killed_thought_is_thought_again(database_url: str, settings: Settings, store: Store, foreign: Path) -> None:
    """kill -9 of the process amid a thought: nothing is lost, and nothing is played twice."""
    offers.load()
    foreign.touch()
    game = against(store, "sleepy")
    end_turn(game)
    with thinking(store, settings) as made, beside(made) as thread:
        begun = foreign.with_name("asleep.begun")
        until(begun.exists)
        before = plies(store, game.id)
        killed = made.thinker.pid
        assert killed == int(begun.read_text())
        os.kill(killed, signal.SIGKILL)
        foreign.unlink()
        thread.join(60)
        assert made.thinker.pid != killed
    assert game.to_move == 0
    found = plies(store, game.id)
    assert found[: len(before)] == before
    assert found == list(range(1, len(found) + 1))
    log = game_page.log(store, game.id, None)["moves"]
    assert [entry["move"] for entry in log if entry["seat"] == 1].count("end") == 1


@SQLITE
def test_a_bot_cannot_read_the_settings_of_the_server(
    store: Store, settings: Settings, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ULM_SMTP_PASSWORD", "a secret")
    offers.load()
    game = against(store, "nosy")
    end_turn(game)
    with thinking(store, settings) as made:
        made.play_due()
    assert game.to_move == 0
    assert foreign.with_name("asleep.seen").read_text() == "."


@SQLITE
def test_an_answer_cannot_run_code_in_the_server(store: Store, settings: Settings, foreign: Path) -> None:
    """What a bot writes past the program is no move; the apprentice plays its turn."""
    offers.load()
    game = against(store, "forger")
    end_turn(game)
    with thinking(store, settings) as made:
        made.play_due()
    assert game.to_move == 0
    assert not foreign.with_name("asleep.ran").exists()


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[1]", b"[" * 9000, b"\xff\xfe", b"null", b'["end", ["end"]]', b'["end"]' * 2, b'"why"',
             json.dumps(["end"] * 65).encode()], ids=lambda line: repr(line[:12]))  # fmt: skip
def test_what_is_no_list_of_moves_is_no_answer(line: bytes) -> None:
    with pytest.raises(ThinkingError):
        read_answer(line)
    assert read_answer(b'["draw", "push N2"]') == ["draw", "push N2"]


@SQLITE
def test_who_thinks_beyond_measure_is_ended(store: Store, settings: Settings, foreign: Path, caplog) -> None:
    offers.load()
    foreign.touch()
    game = against(store, "sleepy")
    end_turn(game)
    with thinking(store, settings, patience=0.2) as made:
        made.play_due()
        assert made.thinker.pid is None
    assert game.to_move == 0
    assert "longer than" in str([record.__dict__.get("fields") for record in caplog.records])


@SQLITE
def test_stopping_does_not_wait_for_a_thought(store: Store, settings: Settings, foreign: Path) -> None:
    offers.load()
    foreign.touch()
    game = against(store, "sleepy")
    end_turn(game)
    with thinking(store, settings) as made, beside(made) as thread:
        until(foreign.with_name("asleep.begun").exists)
        made.stop()
        thread.join(10)
        assert not thread.is_alive()
    assert rows(store) == [(game.id, 1, 0, 0, None)]
