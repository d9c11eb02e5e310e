"""`ulm admin` as an operator types it."""

from __future__ import annotations

import json
import logging
import os
import pwd
import re

import pytest

from server.cli import main
from server.service.accounts.players import player_by_id
from server.service.admin import recent_errors
from server.service.archive import comments, game_collections
from server.service.common import audit_log
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.settings import Settings
from server.storage.database import Store
from tests.service.conftest import NOW, make_player
from tests.service.erasure.test_deletion_and_export import give_address
from tests.service.timed import start
from tests.tables import Player

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def environ(settings: Settings) -> dict[str, str]:
    return {"ULM_DATABASE_URL": settings.database_url, "ULM_DATA_DIR": str(settings.data_dir)}


@ONLY_SQLITE
def test_a_day_of_an_operator(store: Store, environ, capsys) -> None:
    ensure_example(store, NOW)
    game = start(store)
    ann, zoe = game.players[0], make_player(store, "Zoe")
    give_address(store, ann, "ann@example.org")
    give_address(store, zoe, "zoe@example.org")
    with store.write():
        Player.update(mail_stopped_at=NOW, mail_stopped_why="550 \x1b[31mno").where(Player.id == ann.id).execute()

    def ulm(*words: str, code: int = 0) -> str:
        assert main(["admin", *words], environ) == code
        said = capsys.readouterr()
        assert "\x1b" not in said.out + said.err
        return said.out + said.err

    assert ann.id in ulm("find", "ann@example.org")
    assert json.loads(ulm("find", game.id, "--json"))["games"][0]["id"] == game.id
    assert "Nothing fits." in ulm("find", "nobody at all", code=1)
    assert "seat 0" in ulm("show", ann.id)
    assert "neither a game nor an account" in ulm("show", "nothing", code=2)
    ulm("pause", game.id)
    assert "by the operator" in ulm("show", game.id)
    ulm("pause", game.id, code=1)
    ulm("resume", game.id)
    ulm("resume", game.id, code=1)
    assert "--yes" in ulm("hand-over", game.id, "0", zoe.id, code=2)
    assert "Seat 0 is that of Zoe" in ulm("hand-over", game.id, "0", zoe.id, "--yes")
    assert "--yes" in ulm("ban", ann.id, code=2)
    assert "is banned" in ulm("ban", ann.id, "--yes")
    assert "is banned: `ulm admin unban` first" in ulm("confirmation", ann.id, code=2)
    assert "may sign in again" in ulm("unban", ann.id)
    assert "asks to confirm goes to ann@example.org" in ulm("confirmation", ann.id)
    wrote = comments.post(store, EXAMPLE_ID, player_by_id(store, zoe.id), 1, "Kauft bei uns!", NOW)
    course = game_collections.add(store, player_by_id(store, zoe.id), "", EXAMPLE_ID, None, NOW)
    gone = f"https://ulm.example.org/replays/{EXAMPLE_ID}?ply=1#comment-{wrote['id']}"
    assert "--yes" in ulm("remove", gone, code=2)
    assert "'Kauft bei uns!' is gone." in ulm("remove", gone, "--yes")
    assert "'New collection' is gone." in ulm("remove", f"https://ulm.example.org/collections/{course}?change", "--yes")
    assert "no such collection" in ulm("remove", course, "--yes", code=2)
    assert "there is no mail 9" in ulm("resend", "9", code=2)
    assert "No process has logged an error." in ulm("errors")
    recorder = recent_errors.record(store, "here:1")
    logging.getLogger("ulm.test").error("it broke")
    recorder.end()
    assert "here:1  ulm.test: it broke" in ulm("errors")
    assert json.loads(ulm("errors", "--limit", "1", "--json"))[0]["message"] == "it broke"
    lines = [line for line in audit_log.listing(store) if line["what"].startswith("operator_")]
    assert " ".join(line["what"].removeprefix("operator_") for line in lines) == (
        "paused_game resumed_game gave_seat gave_seat banned unbanned asked_to_confirm "
        "removed_comment removed_collection"
    )
    assert {line["details"]["by"] for line in lines} == {pwd.getpwuid(os.getuid()).pw_name}


@ONLY_SQLITE
def test_who_asks_and_thinks_better_of_it_changes_nothing(store: Store, environ, monkeypatch, capsys) -> None:
    ann = make_player(store, "Ann")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "no")
    assert main(["admin", "ban", ann.id], environ) == 2
    assert "nothing was done" in capsys.readouterr().err
    monkeypatch.setattr("builtins.input", lambda prompt: "yes")
    assert main(["admin", "ban", ann.id], environ) == 0


def test_every_action_says_how_it_is_used(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["admin", "--help"])
    names = re.findall(r"^    ([a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    assert {"find", "ban", "unban", "hand-over"} < set(names)
    for name in names:
        with pytest.raises(SystemExit):
            main(["admin", name, "--help"])
        assert f"example: ulm admin {name}" in capsys.readouterr().out
