"""A token of late requests is known without asking the database, and not a moment longer than it is good."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from server.service.accounts import access, account_opening, known_tokens, profiles, tokens
from server.service.accounts.players import Player
from server.service.admin import banning
from server.service.erasure import deletion
from server.storage import sql
from server.storage.account_changes import changes_accounts
from server.storage.database import Store, open_database
from server.storage.models.accounts import Token
from tests.service.conftest import NOW

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
SOON = NOW + timedelta(seconds=1)


@pytest.fixture
def token(store: Store) -> str:
    """The token of an account, known already."""
    made = account_opening.create_player(store, "Ann", None, NOW)
    for _ in range(2):  # the first use is noted, which is a change
        assert access.authenticate(store, made["token"], NOW) is not None
    return str(made["token"])


def _asked(monkeypatch: pytest.MonkeyPatch, store: Store, token: str, now: datetime = NOW) -> int:
    """How often the database is asked for that token."""
    asked = []
    ask = store.ask
    with monkeypatch.context() as patched:
        patched.setattr(store, "ask", lambda question: (asked.append(question), ask(question))[1])
        assert access.authenticate(store, token, now) is not None
    return len(asked)


@ONLY_SQLITE
def test_who_is_known_is_not_asked_for(store: Store, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _asked(monkeypatch, store, token, SOON) == 0


@ONLY_SQLITE
@pytest.mark.parametrize("later", [known_tokens.FOR, timedelta(seconds=-1)])
def test_nobody_is_known_for_long_nor_before(
    store: Store, token: str, later: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _asked(monkeypatch, store, token, NOW + later) == 1


@ONLY_SQLITE
def test_what_changes_no_account_makes_nobody_unknown(
    store: Store, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.write():
        sql.execute(store, "UPDATE game SET ply = 1 WHERE id = 'none'")
    assert _asked(monkeypatch, store, token) == 0


ENDS: dict[str, Callable[[Store, Player], object]] = {
    "the account is banned": lambda store, player: banning.ban(store, player.id, NOW),
    "the account is deleted": lambda store, player: deletion.delete_account(store, player, NOW),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_it_ends_at_once(store: Store, token: str, end: Callable[[Store, Player], object]) -> None:
    player = access.authenticate(store, token, NOW)
    assert player is not None
    end(store, player)
    assert access.authenticate(store, token, NOW) is None


def test_a_revoked_token_ends_at_once_and_the_other_stays(store: Store, token: str) -> None:
    player = access.authenticate(store, token, NOW)
    assert player is not None
    other = tokens.create(store, player, "another", NOW)
    assert access.authenticate(store, other["token"], NOW) is not None
    tokens.revoke(store, player, other["id"], NOW)
    assert access.authenticate(store, other["token"], NOW) is None
    assert access.authenticate(store, token, NOW) is not None


def test_a_new_name_is_known_at_once(store: Store, token: str) -> None:
    player = access.authenticate(store, token, NOW)
    assert player is not None
    profiles.update_profile(store, player, {"name": "Anna"}, NOW)
    renamed = access.authenticate(store, token, NOW)
    assert renamed is not None
    assert renamed.name == "Anna"


def test_it_ends_when_its_time_is_over(store: Store, token: str) -> None:
    player = access.authenticate(store, token, NOW)
    assert player is not None
    short = tokens.create(store, player, "short", NOW, expires_at=(NOW + timedelta(seconds=2)).isoformat())["token"]
    for _ in range(2):
        assert access.authenticate(store, short, NOW) is not None
    assert access.authenticate(store, short, SOON) is not None
    assert access.authenticate(store, short, NOW + timedelta(seconds=3)) is None


def _ban(url: str, player: str) -> None:
    store = open_database(url)
    banning.ban(store, player, NOW)
    store.close()


def test_it_ends_at_once_when_another_process_ends_it(database_url: str, store: Store, token: str) -> None:
    player = access.authenticate(store, token, NOW)
    assert player is not None
    process = multiprocessing.get_context("spawn").Process(target=_ban, args=(database_url, player.id))
    process.start()
    process.join(120)
    assert process.exitcode == 0
    assert access.authenticate(store, token, NOW) is None


@ONLY_SQLITE
def test_what_is_read_while_an_account_is_changed_is_not_kept(store: Store, token: str) -> None:
    """Between the change and its commit others see the account as it was."""
    assert store.account_changes is not None
    with store.write():
        Token.update(revoked_at=NOW).execute()
        mark = known_tokens.mark(store)
    assert mark != known_tokens.mark(store)
    assert access.authenticate(store, token, NOW) is None


@ONLY_SQLITE
def test_a_change_outside_a_transaction_counts_too(store: Store, token: str) -> None:
    with store.connection() as database:
        database.execute_sql("UPDATE token SET revoked_at = '2020-01-01'")
    assert access.authenticate(store, token, NOW) is None


@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        ('UPDATE "token" SET "revoked_at" = ?', True),
        ("\n    UPDATE player SET name = ?", True),
        ("INSERT INTO token (id) VALUES (?)", True),
        ("INSERT OR IGNORE INTO player (id) VALUES (?)", True),
        ("DELETE FROM player WHERE id = ?", True),
        ("delete from token", True),
        ("ALTER TABLE player ADD COLUMN x", True),
        ("UPDATE game SET player = ?", False),
        ("SELECT * FROM token", False),
        ("INSERT INTO token_of_something (id) VALUES (?)", False),
        ("INSERT INTO move (game_id) VALUES (?)", False),
        ("BEGIN IMMEDIATE", False),
    ],
)
def test_what_changes_accounts(statement: str, changes: bool) -> None:
    assert changes_accounts(statement) is changes
