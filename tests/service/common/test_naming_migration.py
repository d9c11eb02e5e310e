"""Names and titles of databases from before they had kinds: what was the server's is known as such, all else stays."""

from __future__ import annotations

import importlib.util
import random
from datetime import timedelta
from typing import Any

import pytest
from playhouse.migrations import Runner

from server.service.archive import kept_records, replays, sandboxes
from server.service.erasure import deletion
from server.service.lists import game_page
from server.service.play import turns
from server.service.seating import creating, guests, joining, rematch
from server.service.seating.example_game import ensure_example
from server.storage import sql
from server.storage.migrate import DIRECTORY, TABLE
from server.storage.models.games import Game, Seat
from tests.service.conftest import NOW, make_player


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, DIRECTORY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


SCRIPT = _script("0011_names")
LATER = _script("0029_colours")
"""What gives more names their kinds."""


def run(store, step: str) -> None:
    """`up` or `down` of the scripts that give names their kinds."""
    with store.exclusive() as database, database.atomic():
        migrator = Runner(database, str(DIRECTORY), table_name=TABLE).migrator
        for script in (SCRIPT, LATER) if step == "up" else (LATER, SCRIPT):
            getattr(script, step)(migrator, database)


def stored(store) -> dict[str, list[tuple[Any, ...]]]:
    with store.read():
        return {
            "games": sorted(
                Game.select(Game.id, Game.name, Game.title, Game.title_player, Game.title_plies).tuples(), key=str
            ),
            "seats": sorted(Seat.select(Seat.id, Seat.name, Seat.name_kind, Seat.named_after).tuples(), key=str),
        }


def titles(store) -> dict[str, str]:
    """As a version before wrote them, by game."""
    with store.connection() as database:
        return dict(database.execute_sql("SELECT id, name FROM game").fetchall())


def rename(store, game: str, title: str) -> None:
    with store.write():
        sql.execute(store, "UPDATE game SET name = ? WHERE id = ?", title, game)


@pytest.fixture
def old(store):
    """A store with games of every kind, people who are called like what the server gives, and one who is gone."""
    ensure_example(store, NOW)
    ann, ben, gone = make_player(store, "Ann"), make_player(store, "steady bot"), make_player(store, "Zoe")
    ids = {}
    for maker, other, title, key in ((ann, ben, None, "of"), (ben, ann, "Summer Ann", "typed"),
                                     (gone, ann, None, "gone"), (ben, ann, "Game of Zoe", "typed too")):  # fmt: skip
        ids[key] = creating.create(store, maker, 2, title, None, "", [], False, NOW)["id"]
        joining.join(store, other, ids[key], "", None, NOW)
    turns.play(store, ids["of"], ben, game_page.page(store, ids["of"], ben)["ply"], ["resign"], None, NOW)
    ids["rematch"] = rematch.offer(store, ben, ids["of"], NOW + timedelta(seconds=1))["id"]
    ids["sandbox"] = sandboxes.branch(store, ben, ids["of"], 0, None, None, None, NOW, random.Random(1))["id"]
    ids["deeper"] = sandboxes.branch(store, ben, ids["sandbox"], 0, None, None, None, NOW, random.Random(1))["id"]
    ids["bots"] = guests.play(store, ann, 4, NOW, random.Random(1), bot="steady")
    record = replays.record(store, ids["of"])
    bare = {**record, "name": "", "players": [{"name": ""}, {"name": "Former player"}]}
    ids["imported"] = kept_records.keep(store, ann, bare, NOW)["id"]
    ids["named"] = kept_records.keep(store, ann, {**bare, "name": "Imported game"}, NOW)["id"]
    ids["from import"] = sandboxes.branch(store, ann, ids["imported"], 0, None, None, None, NOW, random.Random(1))["id"]
    deletion.delete_account(store, gone, NOW)
    return store, ids, ann, ben


def test_there_and_back(old) -> None:
    store, ids, ann, ben = old
    before = stored(store)
    read = {key: game_page.page(store, game, ben)["name"] for key, game in ids.items() if key != "from import"}
    run(store, "down")
    written = titles(store)
    assert {key: written[ids[key]] for key in read} == read
    run(store, "up")
    assert stored(store) == before
    deletion.delete_account(store, ann, NOW)
    assert game_page.page(store, ids["typed"], ben)["name"] == "Summer Ann"
    assert game_page.page(store, ids["rematch"], ben)["name"] == "Game of Former player"


@pytest.mark.parametrize(("key", "written"), [
    ("of", "Partie von Ann"), ("bots", "Ann gegen Bots"), ("bots", "Ann contro i bot"),
    ("sandbox", "Game of Ann, from move 0"), ("sandbox", "Game of Ann, ab Schritt 0"),
])  # fmt: skip
def test_what_pages_wrote_in_other_languages_is_known_too(old, key: str, written: str) -> None:
    store, ids, *_people = old
    before = stored(store)
    run(store, "down")
    rename(store, ids[key], written)
    run(store, "up")
    if key == "of":  # the rematch was made of the English title, and is known by it
        before["games"] = [game for game in before["games"] if game[0] == ids[key]]
        assert before["games"] == [game for game in stored(store)["games"] if game[0] == ids[key]]
    else:
        assert {game[0]: game for game in before["games"]}[ids[key]] in stored(store)["games"]


def test_a_title_that_only_looks_so_stays(old) -> None:
    store, ids, ann, ben = old
    run(store, "down")
    mine = {"of": "Game of Anna", "typed": "Ann against bot", "bots": "Game of Annegret, who is Ann",
            "sandbox": "Game of Ann, from ply 1", "rematch": "Game of"}  # fmt: skip
    for key, title in mine.items():
        rename(store, ids[key], title)
    run(store, "up")
    assert {key: game_page.page(store, ids[key], ben)["name"] for key in mine} == mine
    deletion.delete_account(store, ann, NOW)
    assert {key: game_page.page(store, ids[key], ben)["name"] for key in mine} == mine
