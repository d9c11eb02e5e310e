"""Ann, who has an account with an address that she has confirmed."""

import pytest

from server.service.accounts import players
from server.storage.database import Store
from tests.service.conftest import give_address, make_player

ADDRESS = "ann@example.org"


@pytest.fixture
def ann(store: Store) -> players.Player:
    """Ann, who is not signed in."""
    return give_address(store, make_player(store, "Ann"), ADDRESS)
