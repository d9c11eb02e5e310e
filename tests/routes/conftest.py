"""Fixtures of the tests of routes."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.storage.database import Store
from tests.routes.caller import Caller
from tests.tables import MODELS

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def stranger(client: FlaskClient) -> Caller:
    """Somebody without a token."""
    return Caller(client)


@pytest.fixture
def ann(client: FlaskClient) -> Caller:
    """A player."""
    return Caller(client, "Ann")


Played = tuple[str, list[Caller], dict[str, Any]]
"""A game's id, its players, and the last page."""
PlayedOnce = Callable[[Callable[[], Played]], Played]


@dataclass(frozen=True)
class _Kept:
    rows: list[tuple[Any, list[dict[str, Any]]]]
    game: str
    people: list[tuple[str | None, str | None]]
    page: dict[str, Any]


@pytest.fixture(scope="module")
def _kept() -> list[_Kept]:
    return []


@pytest.fixture
def played_once(_kept: list[_Kept], store: Store, client: FlaskClient) -> PlayedOnce:
    """A function that has a game played for the first test of a module, in an empty database; each test after that gets
    the rows of all tables, whichever its database."""

    def begin(play: Callable[[], Played]) -> Played:
        if not _kept:
            game, callers, page = play()
            with store.read():
                rows = [(model, list(model.select().dicts())) for model in MODELS]
            _kept.append(_Kept(rows, game, [(caller.token, caller.id) for caller in callers], copy.deepcopy(page)))
            return game, callers, page
        [kept] = _kept
        _fill(store, kept.rows)
        callers = [Caller(client) for _ in kept.people]
        for caller, (token, number) in zip(callers, kept.people, strict=True):
            caller.token, caller.id = token, number
        return kept.game, callers, copy.deepcopy(kept.page)

    return begin


def _fill(store: Store, rows: list[tuple[Any, list[dict[str, Any]]]]) -> None:
    with store.write():
        for model, found in rows:
            if found:
                model.insert_many(found).execute()
        if not store.is_sqlite:  # whose counters go on by themselves from the greatest number
            for model, found in rows:
                if found and model._meta.auto_increment:
                    table = model._meta.table_name
                    store.database.execute_sql(
                        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
                    )
