"""The example game, which the tests of this folder watch."""

from __future__ import annotations

import pytest

from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage.database import Store
from tests.routes.pages.conftest import Time
from tests.service.conftest import NOW


@pytest.fixture
def example(store: Store, time: Time) -> Store:
    assert ensure_example(store, NOW) == EXAMPLE_ID
    return store
