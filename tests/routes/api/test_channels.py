"""Webhooks of a player over the API."""

from server.service.accounts import channels, confirming
from server.service.accounts.players import player_by_id
from server.storage import sql
from tests.routes.caller import players
from tests.routes.conftest import SQLITE
from tests.service.conftest import NOW

pytestmark = SQLITE
HOOK = {"shape": "json", "address": "https://example.org/hook"}


def test_a_webhook_is_made_once_listed_tried_and_removed(client) -> None:
    ann, ben = players(client, 2)
    path = "/players/me/channels"
    key = {"Idempotency-Key": "once"}
    made = ann.post(path, HOOK, 201, headers=key).json
    assert made["signing_secret"].startswith("whsec_")
    again = ann.post(path, HOOK, 201, headers=key).json
    assert (again["id"], again["signing_secret"]) == (made["id"], made["signing_secret"])
    (listed,) = ann.get(path).json
    assert "signing_secret" not in listed
    assert [one["kind"] for one in listed["deliveries"]] == ["test"]
    assert ben.get(path).json == []
    ben.call("DELETE", f"{path}/{made['id']}", None, 404)
    ben.post(f"{path}/{made['id']}/trials", {}, 404)
    ann.post(f"{path}/{made['id']}/trials", {}, 204)
    ann.call("DELETE", f"{path}/{made['id']}", None, 204)
    ann.post(path, HOOK, 404, headers=key)
    ann.post(path, {**HOOK, "address": "http://example.org/"}, 422)


def test_whoever_made_an_account_with_anothers_address_reads_on_nowhere(client, store) -> None:
    """Its owner confirms the address from outside: what was put there before ends, of bots as well."""
    ann, ben = players(client, 2)
    bot = ann.post("/players/me/bots", {"handle": "hal"}, 201).json
    for player in (ann.id, ben.id, bot["player"]):
        found = player_by_id(store, player)
        assert found is not None
        channels.add_webhook(store, found, *HOOK.values(), "", NOW)
        channels.renew_feeds(store, found, NOW)
    assert confirming.end_all_access(store, ann.id, NOW)
    with store.read():
        assert sql.rows(store, "SELECT DISTINCT player_id FROM channel") == [(ben.id,)]
