"""Accounts of programs: what owners may do with them, what they take and refuse, and what nobody learns by them."""

from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.service.play import timeouts
from server.service.seating import guests
from tests.routes.caller import Caller
from tests.routes.conftest import SQLITE
from tests.service.bots_here import play_due
from tests.service.conftest import NOW


@pytest.fixture
def ben(client: FlaskClient) -> Caller:
    return Caller(client, "Ben")


def make(owner: Caller, handle: str = "hal", **rules: Any) -> Caller:
    """A bot of that owner, as who plays by its token."""
    made = owner.post("/players/me/bots", {"handle": handle, "rules": rules}, 201).json
    bot = Caller.__new__(Caller)
    bot.__dict__.update(owner.__dict__)
    bot.id, bot.token, bot.name = made["player"], made["token"], made["name"]
    return bot


def seat_of(page: dict[str, Any], handle: str) -> dict[str, Any]:
    [found] = [place for place in page["players"] if place and place["bot"] == handle]
    return found


def test_a_bot_is_made_listed_changed_and_deleted_by_its_owner(ann: Caller, ben: Caller, stranger: Caller) -> None:
    bot = make(ann, seats=[3, 2])
    [listed] = stranger.get("/bots/accounts", 200).json
    assert (listed["handle"], listed["name"], listed["owner"], listed["playing"]) == ("@hal", "hal (bot)", "Ann", 0)
    assert listed["rules"] == {
        "who": "everybody", "variants": ["basic", "advanced"], "seats": [2, 3], "private": True,
        "without_clock": True, "turn_hours_min": 1, "turn_hours_max": 720, "games": 4,
    }  # fmt: skip
    assert ann.get("/players/me/bots", 200).json == [listed]
    assert ann.get("/players/me/bots/hal", 200).json == listed
    assert ben.get("/players/me/bots", 200).json == []
    for method, path in (("PATCH", ""), ("DELETE", ""), ("POST", "/token")):
        ben.call(method, f"/players/me/bots/hal{path}", {} if method == "PATCH" else None, 404)
    ben.post("/players/me/bots", {"handle": "hal"}, 409)
    changed = ann.call("PATCH", "/players/me/bots/hal", {"name": "Hal 9", "rules": {"who": "nobody"}}, 200).json
    assert (changed["name"], changed["rules"]["who"], changed["rules"]["seats"]) == ("Hal 9 (bot)", "nobody", [2, 3])
    assert stranger.get("/bots/accounts", 200).json == []
    assert ann.get("/players/me/export", 200).json["bots"] == [changed]
    renewed = ann.post("/players/me/bots/hal/token", None, 201).json["token"]
    bot.get("/players/me", 401)
    bot.token = renewed
    assert bot.get("/players/me", 200).json["name"] == "Hal 9 (bot)"
    ann.call("DELETE", "/players/me/bots/hal", None, 204)
    bot.get("/players/me", 401)
    ann.get("/players/me/bots/hal", 404)


@SQLITE
@pytest.mark.parametrize("body", [
    {"handle": "H"}, {"handle": "hal-9"}, {"handle": "9hal"}, {"handle": "statistics"},
    {"handle": "hal", "name": "x" * 50},
    {"handle": "hal", "rules": {"seats": []}}, {"handle": "hal", "rules": {"seats": [5]}},
    {"handle": "hal", "rules": {"turn_hours_min": 9, "turn_hours_max": 8}}, {"handle": "hal", "rules": {"games": 0}},
    {"handle": "hal", "rules": {"who": "me"}},
    {"handle": "hal", "rules": {"variants": ["hard"]}},
])  # fmt: skip
def test_what_is_no_bot_is_refused(ann: Caller, body: dict[str, Any]) -> None:
    ann.post("/players/me/bots", body, 422)
    assert ann.get("/players/me/bots", 200).json == []


def test_an_owner_has_five_bots_and_a_bot_none(ann: Caller) -> None:
    bots = [make(ann, f"hal{number}") for number in range(5)]
    ann.post("/players/me/bots", {"handle": "hal5"}, 409)
    bots[0].post("/players/me/bots", {"handle": "grandson"}, 403)
    bots[0].call("PATCH", "/players/me", {"email": "hal@example.org"}, 403)
    bots[0].call("DELETE", "/players/me", None, 403)


def test_a_bot_is_seated_by_its_handle_and_shown_as_one(ann: Caller, ben: Caller, stranger: Caller) -> None:
    bot = make(ann)
    page = ben.post("/games", {"seats": 2, "bots": ["@hal"], "clock": {"turn_hours": 24}}, 201).json
    assert page["status"] == "running"
    assert seat_of(page, "@hal") == {
        "seat": 1, "player": bot.id, "name": "hal (bot)", "bot": "@hal", "bot_of": "Ann", "autopilot": False,
    }  # fmt: skip
    assert page["thinking"] is False
    [listed] = stranger.get("/games", 200).json
    assert seat_of(listed, "@hal")["bot_of"] == "Ann"
    assert bot.page(page["id"])["seat"] == 1
    for caller in (bot, ben):
        if caller.page(page["id"])["to_move"] == caller.page(page["id"])["seat"]:
            legal = caller.get(f"/games/{page['id']}/legal-moves", 200).json
            caller.post(f"/games/{page['id']}/moves", {"ply": legal["ply"], "moves": legal["moves"][:1]}, 201)
    ben.post(f"/games/{page['id']}/moves", {"ply": ben.page(page["id"])["ply"], "moves": ["resign"]}, 201)
    assert [one["bot"] for one in stranger.get(f"/replays/{page['id']}", 200).json["players"]] == [None, "@hal"]
    record = stranger.get(f"/replays/{page['id']}/record", 200).json
    assert record["players"][1]["name"] == "hal (bot)"
    again = ben.post("/games", {"seats": 3, "bots": ["@hal", "apprentice"]}, 201).json
    assert [place["bot"] for place in again["players"]] == [None, "@hal", "apprentice"]


def test_it_takes_a_free_seat_of_a_waiting_room(ann: Caller, ben: Caller) -> None:
    make(ann)
    game = ben.post("/games", {"seats": 3}, 201).json["id"]
    page = ben.post(f"/games/{game}/bots", {"bot": "@hal"}, 201).json
    assert (page["status"], page["players"][2]) == ("open", None)
    refused = ben.post(f"/games/{game}/bots", {"bot": "@hal"}, 409).json
    assert refused["errors"]["why"] == "it has a seat here already"
    assert ben.post(f"/games/{game}/bots", {}, 201).json["status"] == "running"


@SQLITE
@pytest.mark.parametrize(("rules", "game", "why"), [
    ({"who": "nobody"}, {}, "takes no games"),
    ({"who": "owner"}, {}, "only in its owner’s games"),
    ({"seats": [3, 4]}, {}, "games of 3 and 4 players"),
    ({"variants": ["basic"]}, {"options": {"tower": True}}, "only the basic game"),
    ({"variants": ["advanced"]}, {}, "only the advanced game"),
    ({"private": False}, {"private": True}, "no private games"),
    ({"without_clock": False}, {}, "only games with a clock"),
    ({"turn_hours_min": 12}, {"clock": {"turn_hours": 11}}, "at least 12 hours a turn"),
    ({"turn_hours_max": 24}, {"clock": {"turn_hours": 25}}, "at most 24 hours a turn"),
])  # fmt: skip
def test_a_challenge_beyond_its_rules_is_refused_with_the_reason(ann: Caller, ben: Caller, rules, game, why) -> None:
    make(ann, **rules)
    refused = ben.post("/games", {"seats": 2, "bots": ["@hal"], **game}, 409).json
    assert refused["type"].endswith("/bot-refuses")
    assert why in refused["errors"]["why"]
    assert "@hal of Ann" in refused["message"]
    assert ben.get("/games?player=me", 200).json == []
    ann.call("PATCH", "/players/me/bots/hal", {"rules": {
        "who": "everybody", "variants": ["basic", "advanced"], "seats": [2], "private": True, "without_clock": True,
        "turn_hours_min": 1, "turn_hours_max": 720,
    }}, 200)  # fmt: skip
    ben.post("/games", {"seats": 2, "bots": ["@hal"], **game}, 201)


def test_so_many_games_at_once_and_no_more(ann: Caller, ben: Caller) -> None:
    make(ann, games=2)
    games = [ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 201).json["id"] for _ in range(2)]
    assert "at once" in ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 409).json["errors"]["why"]
    ben.post(f"/games/{games[0]}/moves", {"ply": ben.page(games[0])["ply"], "moves": ["resign"]}, 201)
    ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 201)


def test_no_owner_sees_a_second_hand_of_a_game_in_which_others_sit(ann: Caller, ben: Caller) -> None:
    """Neither by seating a bot, nor by sitting down beside one, nor by two bots, whoever makes the game."""
    bot, other = make(ann, games=9), make(ann, "sal")
    ann.post("/games", {"seats": 3, "bots": ["@hal"]}, 403)
    assert ben.post("/games", {"seats": 3, "bots": ["@hal", "@sal"]}, 403).json["type"].endswith("/own-bot")
    bot.post("/games", {"seats": 3, "bots": ["@sal"]}, 403)
    # In somebody else's game.
    game = ben.post("/games", {"seats": 3, "bots": ["@hal"]}, 201).json["id"]
    ann.post(f"/games/{game}/players", {}, 403)
    ben.post(f"/games/{game}/bots", {"bot": "@sal"}, 403)
    assert [place and place["name"] for place in ben.page(game)["players"]] == ["Ben", "hal (bot)", None]
    # Her own, with a free seat left.
    game = ann.post("/games", {"seats": 3}, 201).json["id"]
    ann.post(f"/games/{game}/bots", {"bot": "@hal"}, 403)
    # One that a bot opened.
    game = bot.post("/games", {"seats": 3}, 201).json["id"]
    ann.post(f"/games/{game}/players", {}, 403)
    # Alone, they may.
    for who, bots in ((ann, ["@hal"]), (ann, ["@hal", "@sal"]), (ann, ["@hal", "master"]), (other, ["@hal"])):
        assert who.post("/games", {"seats": 1 + len(bots), "bots": bots}, 201).json["status"] == "running"
    two = bot.post("/games", {"seats": 2}, 201).json["id"]
    assert ann.post(f"/games/{two}/players", {}, 201).json["status"] == "running"


def test_a_bot_sees_its_seat_and_its_owner_nothing_more(ann: Caller, ben: Caller) -> None:
    bot = make(ann)
    game = ben.post("/games", {"seats": 2, "bots": ["@hal"], "private": True}, 201).json["id"]
    assert bot.page(game)["view"]["players"][1].get("hand") is not None
    ann.get(f"/games/{game}", 404)
    public = ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 201).json["id"]
    assert all(player.get("hand") is None for player in ann.page(public)["view"]["players"])
    ann.get(f"/games/{public}/legal-moves", 403)


def test_it_does_nothing_that_is_for_people(ann: Caller, ben: Caller) -> None:
    bot = make(ann)
    waiting = ben.post("/games", {"seats": 3}, 201).json["id"]
    bot.post(f"/games/{waiting}/players", {}, 403)
    ben.post(f"/games/{waiting}/bots", {"bot": "@hal"}, 201)
    bot.post(f"/games/{waiting}/invitations", {"address": "carl@example.org"}, 403)
    bot.post("/players/me/vacations", {"ends_at": "2027-01-01T00:00:00Z"}, 403)
    game = ben.post("/games", {"seats": 2, "bots": ["@hal"], "clock": {"turn_hours": 24}}, 201).json["id"]
    bot.call("POST", f"/games/{game}/pause", {}, 403)
    assert ben.call("POST", f"/games/{game}/pause", {}, 200).json["paused"] is True
    bot.call("DELETE", f"/games/{game}/pause", None, 403)
    refused = ben.post("/games", {"seats": 2, "bots": ["@hal", "master"]}, 422)
    assert "let one of them make the game" in refused.json["message"]


def test_a_game_without_people_left_is_given_up(store, ann: Caller, ben: Caller) -> None:
    """A bot with an account does not play on alone for nobody."""
    bot = make(ann)
    game = ben.post("/games", {"seats": 3, "bots": ["@hal", "apprentice"], "clock": {"turn_hours": 1}}, 201).json["id"]
    now = NOW
    for _ in range(40):
        page = ben.page(game)
        if page["status"] != "running":
            break
        if page["to_move"] == 1:
            bot.step(game)
        else:
            now += timedelta(days=400)
            timeouts.run_clocks(store, now)
            play_due(store, now)
    assert page["status"] == "abandoned"
    # And who leaves a waiting room to a bot alone gives it up.
    game = ben.post("/games", {"seats": 3, "bots": ["@hal"]}, 201).json["id"]
    ben.call("DELETE", f"/games/{game}/players/me", None, 204)
    assert ben.page(game)["status"] == "abandoned"


def test_bots_go_with_their_owner(store, ann: Caller, ben: Caller) -> None:
    bot, other = make(ann), make(ann, "sal")
    running = ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 201).json["id"]
    waiting = ben.post("/games", {"seats": 3, "bots": ["@sal"]}, 201).json["id"]
    assert guests.clean_up(store, NOW.replace(year=2030), NOW.replace(year=2030), NOW) == 0
    ann.call("DELETE", "/players/me", None, 204)
    for gone in (ann, bot, other):
        gone.get("/players/me", 401)
    page = ben.page(running)
    assert (page["status"], page["players"][1]["name"], page["players"][1]["bot"]) == (
        "finished",
        "Former player",
        None,
    )
    assert ben.page(waiting)["players"][1] is None


def test_a_rematch_asks_the_bot_again(ann: Caller, ben: Caller) -> None:
    make(ann, games=1)
    game = ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 201).json["id"]
    ben.post(f"/games/{game}/moves", {"ply": ben.page(game)["ply"], "moves": ["resign"]}, 201)
    page = ben.post(f"/games/{game}/rematch", None, 201).json
    assert (page["status"], page["players"][1]["bot"]) == ("running", "@hal")
    refused = ben.post("/games", {"seats": 2, "bots": ["@hal"]}, 409).json
    assert "at once" in refused["errors"]["why"]
