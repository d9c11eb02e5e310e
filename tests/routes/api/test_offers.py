"""Seats that are offered by name: who may, who sees it, what became of it; and a rematch, which is one."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from server.storage.database import Store
from tests.routes.caller import Caller, new_game
from tests.tables import Mail

Pair = tuple[Caller, Caller, str]


@pytest.fixture
def pair(client: FlaskClient) -> Pair:
    """Two who have no address, and the game that they have played."""
    ann, ben = Caller(client, "Ann"), Caller(client, "Ben")
    over = new_game([ann, ben])
    ben.play(over, "resign")
    return ann, ben, over


def became(caller: Caller, game: str) -> list[tuple[Any, ...]]:
    return [(one["name"], one["state"], one["reached"]) for one in caller.page(game)["invited"]]


def offered(caller: Caller) -> list[tuple[str, str]]:
    return [(one["game"], one["inviter_name"]) for one in caller.get("/players/me/invitations").json]


def test_who_was_invited_and_what_became_of_it(store: Store, client: FlaskClient, pair: Pair) -> None:
    ann, ben, _over = pair
    game = ann.post("/games", {"seats": 4, "private": True}, 201).json
    path = f"/games/{game['id']}/invitations"
    ann.post(path, {"player": ben.id}, 201)
    ann.post(path, {"address": "cleo@example.org"}, 201)
    assert became(ann, game["id"]) == [("Ben", "waiting", False), (None, "waiting", True)]
    assert store.ask(lambda: Mail.select().where(Mail.player == ben.id).count()) == 0, "no mail reaches Ben"
    assert offered(ben) == [(game["id"], "Ann")]
    ben.post(f"/games/{game['id']}/players", {"invitation": game["invitation"]}, 201)
    assert offered(ben) == []
    assert became(ben, game["id"]) == [("Ben", "accepted", False), (None, "waiting", True)]
    assert [one["address"] for one in ben.page(game["id"])["invited"]] == [None, None], "it is its inviter's"
    assert Caller(client).get(f"/games/{game['id']}?invitation={game['invitation']}").json["invited"] == []
    cleo = Caller(client, "Cleo")
    ann.post(path, {"player": cleo.id}, 201)
    assert became(ann, game["id"])[2] == ("Cleo", "waiting", False)
    assert became(ben, game["id"])[2] == (None, "waiting", False), "Ben has never met her"
    ben.call("DELETE", f"/games/{game['id']}/players/me", None, 204)
    assert became(ann, game["id"])[0] == ("Ben", "left", False)
    with store.write():
        Mail.update(state="dead").where(Mail.address == "cleo@example.org").execute()
    assert became(ann, game["id"])[1] == (None, "waiting", False), "it came back"


def test_who_says_no_is_told_to_the_table(pair: Pair) -> None:
    ann, ben, _over = pair
    game = ann.post("/games", {"seats": 2, "private": True}, 201).json["id"]
    ann.post(f"/games/{game}/invitations", {"player": ben.id}, 201)
    tag = ann.get(f"/games/{game}").headers["ETag"]
    ben.call("DELETE", f"/players/me/invitations/{game}", None, 204)
    assert became(ann, game) == [("Ben", "declined", False)]
    assert ann.get(f"/games/{game}").headers["ETag"] != tag


def test_two_guests_meet_again(client: FlaskClient, pair: Pair) -> None:
    """Neither has an address: each finds it in the game before, and among the invitations."""
    ann, ben, over = pair
    assert ben.page(over)["rematch"] is None
    again = ann.post(f"/games/{over}/rematch", None, 201).json
    assert (again["rematch_of"], again["status"]) == (over, "open")
    assert ann.post(f"/games/{over}/rematch", None, 201).json["id"] == again["id"]
    assert became(ann, again["id"]) == [("Ben", "waiting", False)]
    assert ben.page(over)["rematch"] == again["id"]
    assert Caller(client).page(over)["rematch"] is None
    assert offered(ben) == [(again["id"], "Ann")]
    ben.call("DELETE", f"/players/me/invitations/{again['id']}", None, 204)
    page = ben.post(f"/games/{over}/rematch", None, 201).json  # and thinks better of it
    assert (page["id"], page["status"], page["seat"]) == (again["id"], "running", 1)
    ann.play(again["id"], "resign")
    assert ann.page(over)["rematch"] is None, "it is over"
    assert ben.post(f"/games/{over}/rematch", None, 201).json["id"] != again["id"]
