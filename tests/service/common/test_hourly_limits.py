"""How often somebody may do what costs others, and whom it is counted to."""

from datetime import UTC, datetime, timedelta

import pytest

from server.service.common import db_rate_limits, networks
from server.storage.database import Store

HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def takes(store: Store, machine: str, most: int = 3, now: datetime = NOW) -> bool:
    with store.write():
        return db_rate_limits.take_from(store, "try", machine, most, HOUR, now)


def test_as_many_as_may_and_anew_in_the_next_hour(store: Store) -> None:
    assert [takes(store, "192.0.2.1") for _ in range(5)] == [True] * 3 + [False] * 2
    assert takes(store, "192.0.2.2")
    assert db_rate_limits.left(HOUR, NOW) == 1800
    assert not takes(store, "192.0.2.1", now=NOW + timedelta(seconds=1799))
    assert takes(store, "192.0.2.1", now=NOW + timedelta(seconds=1800))


@pytest.mark.parametrize(("machine", "expected"), [
    ("192.0.2.1", [("192.0.2.1", 1)]),
    ("::ffff:192.0.2.1", [("192.0.2.1", 1)]),
    ("2001:db8:1:2:3::4", [("2001:db8:1::/48", 4), ("2001:db8:1:2::/64", 1)]),
    ("fe80::1%eth0", [("fe80::/48", 4), ("fe80::/64", 1)]),
    ("", [("", 1)]),
])  # fmt: skip
def test_whom_it_is_counted_to(machine: str, expected: list[tuple[str, int]]) -> None:
    assert list(networks.counted(machine)) == expected


def test_a_site_of_many_networks_is_counted_together(store: Store) -> None:
    """Who has a /48 has 65,536 networks, and used to have as many times the share of a household."""
    done = sum(takes(store, f"2001:db8:1:{number:x}::1") for number in range(30))
    assert done == 3 * networks.WIDER
    assert takes(store, "2001:db8:2::1"), "a neighbour beside them"
