"""Accounts: tokens are stored hashed, use is noted at most hourly, bad input is refused in words."""

import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import access, account_opening, confirming, links, profiles
from server.service.common import checks
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
        return store.ask(lambda: Token.get().last_used_at)

    assert used(0) == "2026-11-21T09:30:00Z"
    assert used(59) == "2026-11-21T09:30:00Z"
    assert used(60) == "2026-11-21T10:30:00Z"


def test_one_name_is_stored_in_one_way(store: Store) -> None:
    assert account_opening.create_player(store, "Zoe\u0308", None, NOW)["name"] == "Zo\u00eb"
    assert account_opening.create_player(store, "Ann \u2764\ufe0f", None, NOW)["name"] == "Ann \u2764"
    thai = "\u0e17\u0e35\u0e48\u0e23\u0e31\u0e01"  # a vowel sign and a tone mark on one letter
    assert account_opening.create_player(store, thai, None, NOW)["name"] == thai
    for written in ("\u0645\u06cc\u200c\u0646\u0627", "\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\U0001f469\u200d\U0001f680"):
        assert account_opening.create_player(store, written, None, NOW)["name"] == written
        assert checks.alike(written, written.replace("\u200c", "").replace("\u200d", ""))
    assert account_opening.create_player(store, "An\u00adna\tMaria", None, NOW)["name"] == "Anna Maria"


def test_bad_name_is_refused(store: Store) -> None:
    noon = "\u0646"
    joined = [
        "A\u200dnn",
        "\u0438\u200d\u0432",
        f"\u200c{noon}",
        f"{noon}\u200d",
        f"{noon}\u200c\u200c{noon}",
        f"{noon}\u200c {noon}",
    ]
    marks = ["a" + "\u0301\u0300" * 3, "\u0915" + "\u094d\u200d" * 3]
    unseen = [*joined, "Ann\u200b", "Ann\u3164", "\u2800", "A\u034fnn", "Ann\ufe00", "\U000e0101", "a\u202eb", "a\x07b"]
    for name in ("   ", "x" * 61, "a\0b", "\ud800", 5, None, *marks, *unseen):
        with pytest.raises(Unprocessable, match=r"^name: "):
            account_opening.create_player(store, name, None, NOW)  # type: ignore[arg-type]


def test_wishes_that_cannot_be_are_refused(store: Store) -> None:
    player = make_player(store, "Ann")
    zones = (None, 2, "Europe/Ulm", "", "../../etc/passwd", "/etc/localtime", "localtime", "europe/berlin", "UTC\0", [])
    hours = ({"from": "22:00", "to": "22:00"}, {"from": "24:00", "to": "07:00"}, {"from": [], "to": "07:00"}, "22-7")
    wishes: list[Any] = [{"time_zone": zone} for zone in zones] + [{"quiet_hours": one} for one in hours]
    for wish in (*wishes, {"mail": None}, {"digest_hour": True}, {"nonsense": 1}, []):
        with pytest.raises(Unprocessable, match="preferences"):
            profiles.update_profile(store, player, {"preferences": wish}, NOW)


def test_a_confirmed_address_is_confirmed_until_it_changes(store: Store) -> None:
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    claims = {"player": made["id"], "address": links.address_claim("ann@example.org")}
    token = links.make(store, "confirm", now=NOW, **claims)
    with store.write():
        Player.update(mail_stopped_at=NOW, mail_stopped_why="550 no such user").execute()
    player = access.authenticate(store, made["token"], NOW)
    assert player is not None
    assert not confirming.confirm(store, token, player, NOW).done
    assert confirming.confirm(store, token, player, NOW).done
    player = access.authenticate(store, made["token"], NOW)
    assert player is not None
    profile = profiles.profile(player)
    assert (profile["email_confirmed"], profile["mail_stopped"]) == (True, None)
    with pytest.raises(Conflict, match="is confirmed"):
        profiles.ask_to_confirm(store, player, NOW)
    profiles.update_profile(store, player, {"email": "ann@example.net"}, NOW)
    with pytest.raises(links.OldLinkError, match="another"):
        confirming.confirm(store, token, None, NOW)


def test_the_files_of_time_zones_are_walked_once() -> None:
    """In a process: they took the first visitor of each 4 to 20 seconds, walked once for each zone."""
    script = (
        "import zoneinfo\n"
        "walks, found = [], zoneinfo.available_timezones()\n"
        "zoneinfo.available_timezones = lambda: walks.append(1) or found\n"
        "from server.routes.pages.account.time_zones import offered\n"
        "from server.routes.pages.shared.visitor_preferences import likely_zone\n"
        "print(likely_zone('de'), offered('Europe/Kiev'), len(walks))\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["Europe/Berlin", "Europe/Kyiv", "1"]
