"""The audit log: what stands in it, what does not, for how long, and who may read it."""

import json
import random
from datetime import timedelta

import pytest

from server.cli import main
from server.notify.jobs import clean_up
from server.notify.scheduler import Context
from server.service.accounts import account_opening, confirming, links, players, profiles, sessions, tokens
from server.service.common import audit_log, networks
from server.service.erasure import deletion
from server.service.outbox import stopped_addresses
from server.service.seating import guests
from tests.service.conftest import NOW, make_player
from tests.tables import Audit

ADDRESS, NAME = "annegret@example.org", "Annegret"
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def ann(store):
    made = account_opening.create_player(store, NAME, ADDRESS, NOW)
    claims = {"player": made["id"], "address": links.address_claim(ADDRESS)}
    player = players.player_by_id(store, made["id"])
    confirming.confirm(store, links.make(store, "confirm", now=NOW, **claims), player, NOW)
    player = players.player_by_id(store, made["id"])
    assert player is not None
    return player


def acts(store, player=None) -> list[str]:
    return [line["what"] for line in audit_log.listing(store, None if player is None else [player.id])]


def live_through_it(store, player) -> None:
    """What an account may see in its life."""
    sessions.ask(store, ADDRESS, "192.0.2.7", NOW)
    token = links.sign_in_token(store, now=NOW, player_id=player.id, address=ADDRESS)
    session = sessions.sign_in(store, token, NOW)
    made = tokens.create(store, player, f"{NAME}'s phone", NOW)
    tokens.revoke(store, player, made["id"], LATER)
    sessions.sign_out(store, session, LATER)
    sessions.sign_out_everywhere(store, player, LATER)
    stopped_addresses.bounced(store, ADDRESS, "gone", LATER)
    profiles.update_profile(store, player, {"email": "another@example.org"}, LATER)
    profiles.update_profile(store, player, {"email": None}, LATER)
    deletion.delete_account(store, player, LATER)


def test_every_act_leaves_its_line_and_none_names_anybody(store, ann):
    live_through_it(store, ann)
    assert acts(store, ann) == [
        "account_made", "address_asked", "address_confirmed", "sign_in_asked", "sign_in", "token_made",
        "token_revoked", "sign_out", "sign_out_everywhere", "mail_stopped", "address_changed", "address_asked",
        "address_removed", "account_deleted",
    ]  # fmt: skip
    text = store.ask(lambda: "\n".join(repr(row) for row in Audit.select().tuples()))
    for secret in (NAME, ann.id, ADDRESS, "example.org", links.address_claim(ADDRESS), "ulm_", "phone"):
        assert secret not in text


def test_what_happened_to_a_deleted_account_is_found_by_who_knows_its_id(store, ann):
    deletion.delete_account(store, ann, LATER)
    found = audit_log.listing(store, [ann.id])
    assert [line["what"] for line in found][-1] == "account_deleted"
    [called] = {line["player"] for line in found}
    assert called.startswith("~")
    assert audit_log.listing(store, [called[1:]]) == audit_log.listing(store, []) == []


@pytest.mark.parametrize(("address", "noted"), [
    ("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/48"), ("fe80::1%eth0", "fe80::/48"),
    ("::ffff:192.0.2.77", "192.0.2.0/24"), ("no address", ""), ("", ""),
])  # fmt: skip
def test_of_whence_only_the_network_is_noted(address, noted):
    assert networks.noted(address) == noted


def test_the_network_of_a_request_is_noted_and_of_nothing_after_it(store, client):
    client.post("/api/v1/players", json={"name": "Ann"}, environ_base={"REMOTE_ADDR": "192.0.2.77"})
    guests.open_account(store, "Bob", "192.0.2.77", 5, NOW)
    assert [(line["what"], line["network"]) for line in audit_log.listing(store)] == [
        ("account_made", "192.0.2.0/24"), ("account_made", None),
    ]  # fmt: skip


def test_lines_are_kept_for_as_long_as_the_setting_says(store, settings, ann):
    context = Context(store, settings, random.Random(1), lambda: NOW, None, lambda: True)
    days = timedelta(days=settings.audit_days)
    clean_up(context, NOW + days)
    assert acts(store, ann) != []
    clean_up(context, NOW + days + timedelta(seconds=1))
    assert acts(store, ann) == []


@pytest.fixture
def ulm(settings, store, capsys):
    def run(*words: str) -> tuple[int, str]:
        code = main(["audit", *words], {"ULM_DATABASE_URL": settings.database_url})
        return code, capsys.readouterr().out

    return run


def test_an_operator_reads_by_account_by_address_and_from_a_time_on(store, ann, ulm):
    bob = make_player(store, "Bob")
    line = f"2026-11-21T09:30:00Z  account_made              {bob.id}  {'-':<18}  by=api\n"
    assert ulm("--player", bob.id) == (0, line)
    assert ulm("--player", "nobody") == (0, "Nothing is noted.\n")
    code, text = ulm("--address", ADDRESS.upper())
    assert (code, text.count("\n"), text.count(ann.id)) == (0, 3, 3)
    assert ulm("--address", "nobody@example.org") == (1, "No account has this address now.\n")
    with store.write():
        audit_log.note(store, "sign_in", LATER, ann.id)
    [line] = ulm("--since", "2026-11-21T09:31Z", "--json")[1].splitlines()
    assert json.loads(line)["what"] == "sign_in"
    [_other, line] = ulm("--limit", "2", "--json")[1].splitlines()
    assert json.loads(line)["what"] == "sign_in"
    assert ulm("--since", "2026-11-22") == (0, "Nothing is noted.\n")
