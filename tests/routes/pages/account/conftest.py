"""Ann, who has an account with an address that she has confirmed."""

import pytest

from server.service.accounts import players
from server.storage.database import Store
from tests.service.conftest import NOW, make_player
from tests.tables import Player

ADDRESS = "ann@example.org"


@pytest.fixture
def ann(store: Store) -> players.Player:
    """Ann, who is not signed in."""
    made = make_player(store, "Ann")
    with store.write():
        Player.update(email=ADDRESS, email_confirmed_at=NOW).where(Player.id == made.id).execute()
    found = players.player_by_id(store, made.id)
    assert found is not None
    return found
