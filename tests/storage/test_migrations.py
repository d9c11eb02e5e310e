"""Migrations: each once and in order; a database of version 0.1.0 is taken over with all that is in it."""

import json
import random
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from replays import audit
from server.cli import main
from server.engine import record as records
from server.engine.canonical import canonical_json
from server.service.accounts import access
from server.service.accounts.players import Player
from server.service.archive import replays, verification
from server.service.common import idempotency
from server.service.common.errors import ServiceError
from server.service.lists import game_page
from server.service.play import turns
from server.service.seating import creating, invitations
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import DIRECTORY, migrate, pending
from server.storage.times import utc
from server.storage.unusable import StoreError
from tests import postgres
from tests.service.conftest import NOW
from tests.storage import version_0_1_0

FIRST = """
def up(migrator, db):
    db.execute_sql("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
"""
FAILING = """
def up(migrator, db):
    db.execute_sql("CREATE TABLE other (id INTEGER PRIMARY KEY)")
    db.execute_sql("no such statement")
"""

TOKENS = (
    "ulm_50a4a3a6d07f5c0c332f8b1224083fd22b902f8911e81818",
    "ulm_f54ee781cc75f636d85099095aa300165a67036f9b540d6b",
)
"""Of Ann and Ben of version 0.1.0."""


def test_no_two_migrations_have_one_number() -> None:
    """They are applied in the order of their names: two authors with one number would not know whose comes first."""
    numbers = [script.name[:4] for script in DIRECTORY.glob("[0-9]*.py")]
    assert len(set(numbers)) == len(numbers) > 0


@pytest.fixture
def bare(store: Store) -> Store:
    """A store in which no migration is noted as applied."""
    with store.write():
        store.database.execute_sql("DELETE FROM schema_migration")
    return store


def test_a_migration_that_fails_leaves_no_trace(bare: Store, tmp_path: Path) -> None:
    (tmp_path / "9001_bad.py").write_text(FAILING)
    with pytest.raises(StoreError, match="cannot be brought up to date"):
        migrate(bare, directory=tmp_path)
    with bare.read():
        assert "other" not in bare.database.get_tables()
    assert pending(bare, tmp_path) == ["9001_bad"]


def test_servers_that_start_together_migrate_once(bare: Store, tmp_path: Path) -> None:
    (tmp_path / "9001_thing.py").write_text(FIRST)
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(migrate(bare, directory=tmp_path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [[], [], [], ["9001_thing"]]


def note_applied(store: Store, name: str) -> None:
    with store.write():
        sql.execute(store, "INSERT INTO schema_migration (name, applied) VALUES (?, '2030-01-01 00:00:00')", name)


def test_a_database_of_a_newer_server_is_refused(store: Store) -> None:
    note_applied(store, "9999_future")
    with pytest.raises(StoreError, match=r"made by a newer server .*9999_future"):
        migrate(store)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def old_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that version 0.1.0 made."""
    if request.param == "sqlite":
        return version_0_1_0.sqlite(tmp_path / "old.sqlite3")
    directory = request.getfixturevalue("postgres_directory")
    return version_0_1_0.postgresql(directory, f"old_{request.getfixturevalue('worker_id')}")


def test_version_0_1_0_is_taken_over(old_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    variables = {"ULM_DATABASE_URL": old_url}
    assert main(["verify"], variables) == 2
    assert "run `ulm db migrate` first" in capsys.readouterr().err
    with closing(open_database(old_url)) as store:
        with store.read():
            columns = columns_of(store)
        before = rows_of(store, columns)
        assert pending(store) == migrate(store) == sorted(path.stem for path in DIRECTORY.glob("0*.py"))
        assert "packing the archived logs of version 0.1.0 anew" in capsys.readouterr().err
        assert pending(store) == migrate(store) == []
        assert rows_of(store, columns) == before
        with store.read():
            clocks = [(text, json.loads(text)) for (text,) in sql.rows(store, "SELECT clock FROM game") if text]
        assert all(canonical_json(clock) == text and not clock["weekends_off"] for text, clock in clocks)
        with store.read():  # each that is open has a date and a host
            assert sql.rows(store, "SELECT 1 FROM game WHERE status = 'open' AND start_by > '2026' LIMIT 1")
            assert not sql.rows(store, "SELECT 1 FROM game WHERE status = 'open' AND creator_id IS NULL")
    assert main(["verify"], variables) == 0
    assert "7 games recomputed from their logs: all as stored." in capsys.readouterr().out
    with closing(open_database(old_url)) as store:
        ann, ben = (access.authenticate(store, token, NOW) for token in TOKENS)
        assert ben is not None
        with store.read():
            (session,) = sql.rows(store, "SELECT player_id FROM session")
        assert session == (ann.id,)
        seen = game_page.page(store, "q5gh5mzxqxtm", ann)
        mover = (ann, ben)[seen["to_move"] or 0]
        moves = game_page.legal_moves(store, "q5gh5mzxqxtm", mover)
        played = turns.play(store, "q5gh5mzxqxtm", mover, moves["ply"], moves["moves"][:1], None, NOW)
        assert played["applied"] == 1
        assert len(game_page.log(store, "x5pf7cupp5n4", ben, 0)["moves"]) == 20  # archived
    assert main(["verify"], variables) == 0


def test_games_of_a_server_that_knew_ulm_1_alone_go_on_by_it(old_url: str) -> None:
    """One of them is played to its end, cards and all, and checked from outside; a new game is of the newest rules."""
    rng = random.Random(1)
    with closing(open_database(old_url)) as store:
        migrate(store)
        ann, ben = (access.authenticate(store, token, NOW) for token in TOKENS)
        assert ann is not None
        new = creating.create(store, ann, 2, "", {}, "", ["random"], False, NOW)
        for game, rules in (("q5gh5mzxqxtm", "ulm/1"), (new["id"], "ulm/2")):
            while (page := game_page.page(store, game, ann))["status"] == "running":
                mover = (ann, ben)[page["to_move"] or 0]
                legal = game_page.legal_moves(store, game, mover)
                moves = [move for move in legal["moves"] if move != "end"] or legal["moves"]
                move = rng.choice([move for move in moves if " top" in move] or moves)
                turns.play(store, game, mover, legal["ply"], [move], None, NOW)
            record = replays.record(store, game)
            assert (page["ruleset"], record["ruleset"]) == (rules, rules)
            assert records.verify(records.from_dict(record)).scores == page["result"]["scores"]
            assert audit.audit(record)[1]
            told = " ".join(text for text, *_ in record["moves"])
            assert ("fisherman_jousting top barge 3" in told) == (rules == "ulm/1")  # steps chosen (D3)
        assert list(verification.verify_all(store)) == []


def test_a_refusal_that_version_0_1_0_kept_without_words_is_told_anew(old_url: str) -> None:
    game = "q5gh5mzxqxtm"
    with closing(open_database(old_url)) as store:
        with store.read():
            (player_id,) = sql.rows(store, "SELECT player_id FROM session")[0]
        ann = Player(player_id, "Ann")
        request = idempotency.asked("once", ann, 0, ["build nothing"], game_id=game)
        with store.write():
            idempotency.keep(store, request, {"row": 5}, NOW, 422)
        migrate(store)
        with pytest.raises(ServiceError, match=r"move 0|stands at ply|not your turn"):
            turns.play(store, game, ann, 0, ["build nothing"], "once", NOW)


def test_an_offer_of_a_rematch_shows_nobody_the_address_that_it_went_to(old_url: str) -> None:
    """It went to the address of who had sat there, which its sender never saw; what they gave themselves they see."""
    game, ann, ben = "gjdgj4ss8knt", Player("3xgveqhv2q9grhwf", "Ann"), Player("3k8883uyye4rx8cj", "Ben")
    with closing(open_database(old_url)) as store:
        with store.write():
            cleo = Player(sql.value(store, "SELECT creator_id FROM game WHERE id = ?", game), "Cleo")
            row = {"game_id": game, "inviter_id": cleo.id, "created_at": utc(NOW)}
            for one in (ann, ben):
                offer = sql.insert_numbered(store, "invitation", address=f"{one.name.lower()}@example.org", **row)
                said = {"key": f"rematch:{game}:{one.id}", "kind": "rematch", "game_id": game, "player_id": one.id}
                when = {"state": "sent", "due_at": utc(NOW), "attempts": 1, "created_at": utc(NOW)}
                when["data"] = canonical_json({"invitation": offer})
                sql.insert_numbered(store, "mail", bounce_token=one.id, **said, **when)
            sql.insert_numbered(store, "invitation", address="zoe@example.org", **row)
        migrate(store)
        told = [(one["player"], one["address"]) for one in game_page.page(store, game, cleo)["invited"]]
        assert told == [(ann.id, None), (ben.id, None), (None, "zoe@example.org")]
        assert [one["game"] for one in invitations.to_player(store, ann)] == [game]


def columns_of(store: Store) -> dict[str, list[str]]:
    """The columns of all tables, but for what is made anew: logs that are packed, notes on mails that were refused."""
    gone = {"schema_migration", "sqlite_sequence", "archived_log", "mail_refusal", "signing_key"}
    changed = {("mail", "doubts"), ("game", "start_by"), ("game", "turn_began_at"), ("game", "clock")}
    tables = set(store.database.get_tables()) - gone
    return {
        table: [one.name for one in store.database.get_columns(table) if (table, one.name) not in changed]
        for table in tables
    }


def rows_of(store: Store, columns: dict[str, list[str]]) -> dict[str, list[sql.Row]]:
    """All rows of these columns."""
    with store.read():
        return {
            table: sorted(sql.rows(store, f"SELECT {_quoted(names)} FROM {table}"), key=str)
            for table, names in columns.items()
        }


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def test_its_schema_is_that_of_a_new_database(old_url: str, request: pytest.FixtureRequest) -> None:
    kind = "sqlite" if old_url.startswith("sqlite") else "postgres"
    template = request.getfixturevalue(f"{kind}_template")
    new_url = f"sqlite:///{template}"
    if kind == "postgres":
        new_url = postgres.url(request.getfixturevalue("postgres_directory"), template)
    with closing(open_database(old_url)) as old, closing(open_database(new_url)) as new:
        migrate(old)
        assert schema_of(old) == schema_of(new)


def schema_of(store: Store) -> dict[str, Any]:
    with store.read():
        database = store.database
        return {
            table: (
                sorted((one.name, one.data_type, one.null, one.primary_key, (one.default or "").partition("(")[0])
                       for one in database.get_columns(table)),
                sorted((one.name, tuple(one.columns), one.unique) for one in database.get_indexes(table)
                       if not one.name.endswith(("_pkey", "_autoindex_1"))),
                sorted((one.column, one.dest_table, one.dest_column) for one in database.get_foreign_keys(table)),
            )
            for table in set(database.get_tables()) - {"sqlite_sequence"}
        }  # fmt: skip


def test_what_is_older_than_that_is_told_to_pass_through_it(old_url: str) -> None:
    with closing(open_database(old_url)) as store:
        with store.write():
            sql.execute(store, "DELETE FROM schema_migration WHERE name = '0029_colours'")
        with pytest.raises(StoreError, match=r"too old: run `ulm db migrate` of commit 3931d809 first"):
            migrate(store)
