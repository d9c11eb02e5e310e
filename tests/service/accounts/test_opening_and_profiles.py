"""Accounts: tokens are stored hashed, use is noted at most hourly, bad input is refused in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import access, account_opening, confirming, links, profiles
from server.service.common.errors import Conflict, Unprocessable
from server.storage.database import Store
from tests.service.conftest import NOW, make_player
from tests.tables import Player, Token


def test_token_is_nowhere_in_the_database(store: Store) -> None:
    token = account_opening.create_player(store, "Ann", None, NOW)["token"]
    with store.read():
        stored = [*Token.select().dicts(), *Player.select().dicts()]
    assert token not in str(stored)
    assert token.removeprefix("ulm_") not in str(stored)


def test_use_of_a_token_is_noted_at_most_hourly(store: Store) -> None:
    token = account_opening.create_player(store, "Ann", None, NOW)["token"]

    def used(minutes: int) -> str:
        access.authenticate(store, token, NOW + timedelta(minutes=minutes))
        with store.read():
            return Token.get().last_used_at

    assert used(0) == "2026-11-21T09:30:00Z"
    assert used(59) == "2026-11-21T09:30:00Z"
    assert used(60) == "2026-11-21T10:30:00Z"


def test_one_name_is_stored_in_one_way(store: Store) -> None:
    assert account_opening.create_player(store, "Zoe\u0308", None, NOW)["name"] == "Zo\u00eb"
    assert account_opening.create_player(store, "Ann \u2764\ufe0f", None, NOW)["name"] == "Ann \u2764"
    thai = "\u0e17\u0e35\u0e48\u0e23\u0e31\u0e01"  # a vowel sign and a tone mark on one letter
    assert account_opening.create_player(store, thai, None, NOW)["name"] == thai


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", "x" * 61, "a\0b", "\ud800", "a\u202eb", "a\x07b", 5, None,
        "Ann\u200b", "Ann\u3164", "\u2800", "A\u034fnn", "Ann\ufe00", "\U000e0101", "a" + "\u0301\u0300" * 3,
    ],
)  # fmt: skip
def test_bad_name_is_refused(store: Store, name: Any) -> None:
    with pytest.raises(Unprocessable) as refused:
        account_opening.create_player(store, name, None, NOW)
    assert refused.value.message.startswith("name: ")


@pytest.mark.parametrize(
    "wish",
    [
        {"mail": "always"}, {"mail": None}, {"digest_hour": 24}, {"digest_hour": "8"}, {"digest_hour": True},
        {"language": "xx"}, {"quiet_hours": {"from": "22:00"}}, {"quiet_hours": {"from": "22:00", "to": "22:00"}},
        {"quiet_hours": {"from": "24:00", "to": "07:00"}}, {"quiet_hours": {"from": "9:00", "to": "07:00"}},
        {"quiet_hours": "22-7"}, {"nonsense": 1}, {"auto_draw": 1}, [], {"time_zone": None}, {"time_zone": 2},
        {"time_zone": "Europe/Ulm"}, {"time_zone": ""}, {"time_zone": "../../etc/passwd"},
        {"time_zone": "/etc/localtime"}, {"time_zone": "localtime"}, {"time_zone": "europe/berlin"},
        {"time_zone": "UTC\0"}, {"time_zone": []},
    ],
)  # fmt: skip
def test_wishes_that_cannot_be_are_refused(store: Store, wish: Any) -> None:
    player = make_player(store, "Ann")
    with pytest.raises(Unprocessable, match="preferences"):
        profiles.update_profile(store, player, {"preferences": wish}, NOW)
    with pytest.raises(Unprocessable):
        profiles.update_profile(store, player, {"id": "x"}, NOW)


def test_a_confirmed_address_is_confirmed_until_it_changes(store: Store) -> None:
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    claims = {"player": made["id"], "address": links.address_claim("ann@example.org")}
    token = links.make(store, "confirm", now=NOW, **claims)
    with store.write():
        Player.update(mail_stopped_at=NOW, mail_stopped_why="550 no such user").execute()
    player = access.authenticate(store, made["token"], NOW)
    assert player is not None
    assert profiles.profile(player)["mail_stopped"] == {"at": "2026-11-21T09:30:00Z", "why": "550 no such user"}
    assert not confirming.confirm(store, token, player, NOW).done
    assert confirming.confirm(store, token, player, NOW).holding.name == "Ann"
    player = access.authenticate(store, made["token"], NOW)
    assert player is not None
    profile = profiles.profile(player)
    assert (profile["email_confirmed"], profile["mail_stopped"]) == (True, None)
    with pytest.raises(Conflict, match="is confirmed"):
        profiles.ask_to_confirm(store, player, NOW)
    profiles.update_profile(store, player, {"email": "ann@example.net"}, NOW)
    with pytest.raises(links.OldLinkError, match="another"):
        confirming.confirm(store, token, None, NOW)
    with pytest.raises(links.OldLinkError):
        confirming.confirm(store, token, None, NOW + timedelta(days=8))
    with pytest.raises(links.BadLinkError):
        confirming.confirm(store, links.make(store, "unsubscribe", now=NOW, **claims), None, NOW)
