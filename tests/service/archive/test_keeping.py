"""What an operator sees of imported records, and takes away."""

import json

import pytest

from server.cli import main
from server.service.archive import kept_records, replay_lists, replays
from server.service.common.errors import NotFound
from server.settings import Settings
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player


def imported(store: Store, match: Start) -> tuple[str, str]:
    """A game that ended here, and an import of the same by Zoe: their ids."""
    played = match(seats=2)
    played.end_early()
    record = {**replays.record(store, played.id), "note": "from elsewhere", "name": "Old days"}
    return played.id, kept_records.keep(store, make_player(store, "Zoe"), record, NOW)["id"]


def test_imports_say_by_whom_and_when(store: Store, match: Start) -> None:
    played, kept = imported(store, match)
    listed = {replay["id"]: replay["imported"] for replay in replay_lists.listing(store, None)[0]}
    assert listed[played] is None
    assert listed[kept] == replay_lists.summary(store, kept)["imported"]
    assert (listed[kept]["name"], listed[kept]["at"]) == ("Zoe", "2026-11-21T09:30:00Z")


def test_operators_list_and_remove(
    store: Store, settings: Settings, match: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    played, kept = imported(store, match)
    replays.state(store, kept, 0)  # at hand in memory, too
    environ = {"ULM_DATABASE_URL": settings.database, "ULM_DATA_DIR": str(settings.data_dir)}
    assert main(["replays", "list"], environ) == 0
    line = capsys.readouterr().out
    assert all(word in line for word in (kept, "Zoe", "Old days", "2026-11-21T09:30:00Z"))
    assert played not in line
    assert main(["replays", "list", "--json"], environ) == 0
    assert [replay["id"] for replay in json.loads(capsys.readouterr().out)] == [kept]
    assert main(["replays", "remove", kept, played, "nothing"], environ) == 1
    told = capsys.readouterr()
    assert f"{kept}: removed" in told.out
    assert "was not imported" in told.err
    assert "no such game" in told.err
    with pytest.raises(NotFound):
        replays.state(store, kept, 0)
    assert replay_lists.summary(store, played)["id"] == played
    assert main(["replays", "list"], environ) == 0
    assert "No record" in capsys.readouterr().out
