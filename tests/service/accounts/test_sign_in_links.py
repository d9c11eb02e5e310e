"""Signing in by a link: how often it may be asked for."""

from contextlib import nullcontext
from datetime import UTC, datetime

import pytest

from server.service.accounts import account_opening, confirming, sessions
from server.service.common.errors import TooManyRequests
from tests.tables import Mail

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def addresses(store) -> list[str]:
    """Of accounts that can sign in."""
    found = [f"ann{number}@example.org" for number in range(4)]
    for address in found:
        player = account_opening.create_player(store, "Ann", address, NOW)
        with store.write():
            confirming.confirm_address(store, player["id"], NOW)
    return found


def mails(store) -> list[str]:
    with store.read():
        return [row.address for row in Mail.select().where(Mail.kind == "sign_in").order_by(Mail.id)]


def test_who_has_many_addresses_of_a_network_asks_no_oftener(store, addresses, monkeypatch):
    monkeypatch.setattr(sessions, "SIGN_IN_ASKS_AN_HOUR", 2)
    for number, address in enumerate(addresses):
        with nullcontext() if number < 2 else pytest.raises(TooManyRequests):
            sessions.ask(store, address, f"2001:db8::{number + 1}", NOW)
    assert mails(store) == addresses[:2]
    sessions.ask(store, addresses[3], "2001:db8:0:1::1", NOW)
    assert mails(store) == [*addresses[:2], addresses[3]]
