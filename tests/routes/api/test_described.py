"""The description says what the server really takes and sends: sizes, names of bots, bodies, pages of lists, events."""

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.service.chat import messages, notes
from server.service.games.bots import names
from tests.routes.caller import BASE, Caller, contract, new_game, players
from tests.routes.conftest import SQLITE

pytestmark = SQLITE


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    return client.get(f"{BASE}/openapi.json").json


def operation(document: dict[str, Any], method: str, path: str) -> dict[str, Any]:
    return document["paths"][BASE + path][method]


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    return document["components"]["schemas"][name]["properties"]


def test_texts_are_as_long_as_described_and_no_longer(client: FlaskClient, document: dict[str, Any]) -> None:
    """maxLength said 4000 where 1000 was taken."""
    ann, _ = callers = players(client, 2)
    game = new_game(callers)
    for path, method, field, name, most in (
        ("messages", "POST", "text", "NewMessage", messages.TEXT_MAX),
        ("note", "PUT", "note", "ChangedNote", notes.NOTE_MAX),
    ):  # fmt: skip
        assert schema(document, name)[field]["maxLength"] == most
        for length, good in ((most, True), (most + 1, False)):
            answer = ann.call(method, f"/games/{game}/{path}", {field: "x" * length})
            assert (answer.status_code in (200, 201)) == good, (path, length)
            if not good:
                assert set(answer.json["errors"]["json"]) == {field}


def test_bots_are_listed_wherever_they_can_be_named(ann: Caller, document: dict[str, Any]) -> None:
    known = names()
    for field in (
        schema(document, "NewGame")["bots"]["items"],
        schema(document, "Fill")["bot"],
        schema(document, "Branch")["bots"]["items"],
    ):  # those of packages and accounts are nobody's to list: a closed list would refuse `@handle`
        assert "string" in field["type"]
        assert "enum" not in field
        assert "GET /bots/accounts" in field["description"]
    for name in known:
        ann.post("/games", {"seats": 2, "bots": [name]}, 201)
    for body in ({"seats": 2, "bots": ["Steady"]}, {"seats": 2, "bots": [None]}):
        refused = ann.post("/games", body, 422).json
        assert set(refused["errors"]["json"]) == {"bots"}
        assert body["bots"] == [None] or all(name in refused["message"] for name in known)


def test_a_body_is_needed_where_it_is_described_so(client: FlaskClient, document: dict[str, Any]) -> None:
    """All bodies were called required; those without a needed field may be left out."""
    ann, ben = players(client, 2)
    private = ann.post("/games", {"seats": 3}, 201).json["id"]
    running = new_game([ann, ben])
    optional = set()
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            if method == "parameters" or "requestBody" not in described:
                continue
            address = path.replace("{game_id}", private if path.endswith(("/players", "/bots")) else running)
            for name, value in (
                ("token_id", "nobody"),
                ("which", "today"),
                ("player_id", "a" * 16),
                ("tournament_id", "a1"),
            ):
                address = address.replace(f"{{{name}}}", value)
            answer = (ben if path.endswith("/players") else ann).call(method.upper(), address.removeprefix(BASE))
            missing = answer.status_code == 422 and answer.json["type"].endswith(("invalid-field", "invalid-record"))
            assert described["requestBody"]["required"] == missing, (method, path, answer.text)
            optional |= set() if missing else {path.removeprefix(BASE)}
    assert optional == {
        "/players/me/tokens", "/games/{game_id}/players", "/games/{game_id}/bots", "/games/{game_id}/pause",
        "/games/{game_id}/return", "/players/me/bots/{handle}", "/players/me/channels/{channel_id}/trials",
        "/tournaments/{tournament_id}/entries", "/tournaments/{tournament_id}/season",
    }  # fmt: skip


def test_queries_are_not_said_to_hold_null(document: dict[str, Any]) -> None:
    queries = [
        parameter["schema"]
        for methods in document["paths"].values()
        for method, described in methods.items() if method != "parameters"
        for parameter in described.get("parameters", ()) if parameter.get("in") == "query"
    ]  # fmt: skip
    assert len(queries) > 40
    for query in queries:
        assert isinstance(query.get("type", ""), str)
        assert "anyOf" not in query
        assert None not in query.get("enum", ())
        assert query.get("default", 0) is not None


def links(answer: Any) -> dict[str, str]:
    found = re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers["Link"])
    return {name: address for address, name in found}


@pytest.mark.parametrize("path", ["/games?status=finished&page_size=2&player=me", "/replays?origin=played&page_size=2"])
def test_lists_link_to_their_other_pages(client: FlaskClient, path: str) -> None:
    ann, ben = players(client, 2)

    def play() -> str:
        game = new_game([ann, ben])
        ann.play(game, "resign", status=201)
        return game

    games = {play() for _ in range(5)}
    second = links(ann.get(f"{BASE}{path}&page=2"))
    assert set(second) == {"first", "prev", "next", "last"}
    assert set(links(ann.get(second["last"]))) == {"first", "prev", "last"}
    assert links(ann.get(f"{BASE}{path}&page=9"))["prev"] == second["last"]
    seen: list[str] = []
    address: str | None = f"{BASE}{path}"
    while address is not None:
        page = ann.get(address)
        again = ann.get(address, 304, headers={"If-None-Match": page.headers["ETag"]})
        assert again.headers["Link"] == page.headers["Link"]
        seen += [item["id"] for item in page.json]
        play()  # what comes in between makes nothing come twice, from the first page on
        address = links(page).get("next") if len(seen) < 20 else None
    assert len(seen) == len(set(seen))
    assert games <= set(seen)
    assert set(links(ann.get("/games?status=abandoned"))) == {"first", "last"}


def test_links_of_lists_stay_below_a_prefix_and_keep_no_stranger_text_unescaped(client: FlaskClient) -> None:
    answer = client.get(f"{BASE}/games?player=%3E%3B%20rel%3Dx%22", base_url="http://localhost/ulm")
    assert set(links(answer)) == {"first", "last"}
    assert all(address.startswith(f"/ulm{BASE}/games?player=%3E%3B") for address in links(answer).values())


def test_pagination_is_described_as_it_is_sent(ann: Caller, document: dict[str, Any]) -> None:
    """It was described as an object in the style of a header, and sent as JSON."""
    header = document["components"]["headers"]["PAGINATION"]
    [(kind, content)] = header["content"].items()
    assert kind == "application/json"
    assert "schema" not in header
    judge = contract(ann.client)
    for page in ("", "?page=3"):
        sent = json.loads(ann.get(f"/games{page}").headers["X-Pagination"])
        judge.check_body("X-Pagination", content["schema"], sent)
    judge.check_body("example", content["schema"], content["example"])


@pytest.mark.parametrize("path", ["/games/{game_id}/events", "/events"])
def test_events_are_described_and_are_as_described(client: FlaskClient, document: dict[str, Any], path: str) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    content = operation(document, "get", path)["responses"]["200"]["content"]["text/event-stream"]
    item = content["schema"]["contentSchema"]["items"]
    judge = contract(client)
    headers = {"Authorization": f"Bearer {callers[0].token}"}
    with client.get(BASE + path.format(game_id=game), headers=headers) as stream:
        told = next(iter(stream.response)).decode()
    events = [part for text in (told, content["example"]) for part in text.split("\n\n") if part.startswith("event")]
    assert len(events) >= 2
    for text in events:
        event = dict(line.split(": ", 1) for line in text.splitlines())
        judge.check_body("an event", item, {**event, "data": json.loads(event["data"])})


def test_states_are_described_line_by_line(client: FlaskClient, document: dict[str, Any]) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    callers[0].play(game, "resign", status=201)
    content = operation(document, "get", "/replays/{game_id}/states")["responses"]["200"]["content"]
    item = content["application/x-ndjson"]["schema"]["contentSchema"]["items"]
    lines = client.get(f"{BASE}/replays/{game}/states").data.splitlines()
    for line in lines:
        contract(client).check_body("a line", item, json.loads(line))
    assert len(lines) > 1


def test_replays_name_the_players_by_id(client: FlaskClient) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben])
    ann.play(game, "resign", status=201)
    bots = ann.post("/games", {"seats": 2, "bots": ["random"]}, 201).json["id"]
    ann.play(bots, "resign", status=201)
    stranger = Caller(client)
    assert [one["player"] for one in stranger.get(f"/replays/{game}").json["players"]] == [ann.id, ben.id]
    assert [one["player"] for one in stranger.get(f"/replays/{bots}").json["players"]] == [ann.id, None]
    assert {one["id"]: one["players"] for one in ann.get("/replays").json}[game][1]["player"] == ben.id
    record = stranger.get(f"/replays/{game}/record").json
    kept = ann.post("/replays", {**record, "name": "Copy"}, 201).json
    assert [one["player"] for one in kept["players"]] == [None, None], "whose record it is, nobody can tell"
    ben.call("DELETE", "/players/me", status=204)
    assert [one["player"] for one in stranger.get(f"/replays/{game}").json["players"]] == [ann.id, None]


def test_what_was_made_has_an_address(ann: Caller, document: dict[str, Any]) -> None:
    made = ann.post("/players/me/tokens", {}, 201)
    ann.call("PATCH", made.headers["Location"], {"name": "phone"}, 200)
    vacation = ann.post("/players/me/vacations", {"ends_at": "2027-01-01T00:00:00Z"}, 201)
    ann.call("DELETE", vacation.headers["Location"], status=204)
    game = ann.post("/games", {"seats": 2}, 201).headers["Location"]
    assert ann.get(game).json["status"] == "open"
    nowhere = {
        (method, path.removeprefix(BASE))
        for path, methods in document["paths"].items()
        for method, described in methods.items()
        if method != "parameters" and "201" in described["responses"]
        and "Location" not in described["responses"]["201"].get("headers", {})
    }  # fmt: skip
    of_games = {("post", f"/games/{{game_id}}/{name}") for name in ("moves", "messages", "invitations")}
    parts = {("post", "/replays/{game_id}/comments"), ("post", "/tournaments/{tournament_id}/entries")}
    assert nowhere == of_games | parts
