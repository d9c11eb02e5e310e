"""A caller of the API for tests: speaks HTTP through Flask's client and holds each answer to the OpenAPI document."""

import copy
import random
import re
from functools import lru_cache
from json import dumps, loads
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

BASE = "/api/v1"
# Schemas whose objects may hold more than they name: records keep unknown keys, errors have details of all kinds.
_OPEN = {"Record", "RecordSeed", "RecordPlayer"}


class Contract:
    """The OpenAPI document, as a judge of answers. Object schemas are closed: an answer may hold nothing unnamed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._components = copy.deepcopy(document["components"])
        for name, schema in self._components["schemas"].items():
            if name not in _OPEN:
                _close(schema)
        self._routes = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$"), methods)
            for path, methods in document["paths"].items()
        ]
        self._routes.sort(key=lambda route: route[0].pattern.count("[^/]+"))
        self._validators: dict[str, Any] = {}

    def check(self, method: str, path: str, response: TestResponse) -> None:
        """Assert that the document knows this operation, this status, and a body and headers like these."""
        operation = self.operation(method, path)
        if operation is None:
            assert response.status_code in (404, 405), f"{method} {path} is not documented: {response.status}"
            assert_error(response)
            return
        where = f"{operation['operationId']} {response.status_code}"
        described = operation["responses"].get(str(response.status_code))
        assert described is not None, f"{where}: this status is not documented: {response.text[:300]}"
        described = self.resolve(described)
        for name in described.get("headers", {}):
            assert name in response.headers, f"{where}: no header {name}"
        content = described.get("content")
        if content is None:
            assert response.data == b"", f"{where}: a body that is not documented"
        else:
            assert response.mimetype in content, f"{where}: {response.mimetype} is not documented"
            if response.is_json:
                self.check_body(where, content[response.mimetype]["schema"], response.json)
        if response.status_code >= 400:
            assert_error(response)

    def operation(self, method: str, path: str) -> dict[str, Any] | None:
        """The description of the operation, None for one that there is not."""
        path = path.split("?")[0]
        for pattern, methods in self._routes:
            if pattern.match(path):
                return methods.get("get" if method == "HEAD" else method.lower())
        return None

    def resolve(self, item: dict[str, Any]) -> dict[str, Any]:
        """`item`, or what its $ref points to."""
        while "$ref" in item:
            found: Any = {"components": self._components}
            for part in item["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            item = found
        return item

    def check_body(self, where: str, schema: dict[str, Any], body: Any) -> None:
        """Assert that `body` is as `schema` says."""
        key = repr(schema)
        if key not in self._validators:
            whole = {**schema, "components": self._components}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        problems = [
            f"{list(error.instance_path)}: {error.message[:300]}" for error in self._validators[key].iter_errors(body)
        ]
        assert not problems, f"{where}: {problems[:5]}"


def _close(schema: Any) -> None:
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            _close(value)
    elif isinstance(schema, list):
        for value in schema:
            _close(value)


def assert_error(response: TestResponse) -> None:
    """Assert the one shape of errors: the project's own members, and those of RFC 9457 beside them."""
    assert response.mimetype == "application/problem+json", response.text[:300]
    error = response.json
    assert set(error) == {"code", "status", "message", "errors", "type", "title", "detail", "instance"}, error
    assert error["code"] == response.status_code
    assert error["type"] == "about:blank" or re.fullmatch(r"(/\w+)?/api/v1/problems/[a-z-]+", error["type"]), error
    assert error["detail"] == error["message"]
    assert error["title"]
    assert error["instance"].startswith("/")
    assert "?" not in error["instance"]
    assert_places(error["errors"])
    assert isinstance(error["status"], str)
    assert isinstance(error["errors"], dict)
    assert isinstance(error["message"], str)
    assert len(error["message"]) > 10
    assert "Traceback" not in response.text
    if response.status_code == 401:
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


@lru_cache(maxsize=1)
def _contract(document: bytes) -> Contract:
    return Contract(loads(document))


def contract(client: FlaskClient) -> Contract:
    """The contract of the application behind `client`; the same document is read once."""
    return _contract(client.get(f"{BASE}/openapi.json").data)


PLACES = {"json", "query", "path", "headers"}
_DETAILS = {"ply", "message", "index", "move", "rule", "legal", "request_id", "id", "why"}


def assert_places(errors: dict[str, Any]) -> None:
    """Assert that what an error says of fields stands below the place where the request has them, as nested lists of
    sentences; and that it says nothing else but details of moves, records, plies and faults."""
    assert set(errors) <= PLACES | _DETAILS, errors

    def walk(item: Any) -> None:
        if isinstance(item, dict):
            for inner in item.values():
                walk(inner)
        else:
            assert isinstance(item, list), errors
            assert item, errors
            assert all(isinstance(said, str) for said in item), errors

    for place in PLACES & set(errors):
        assert isinstance(errors[place], dict), errors
        walk(errors[place])


class Caller:
    """Somebody who calls the API: with a token, or a stranger without one."""

    def __init__(self, client: FlaskClient, name: str | None = None, **account: Any) -> None:
        self.client, self.contract = client, contract(client)
        self.token = self.id = None
        if name is not None:
            made = self.post("/players", {"name": name, **account}).json
            self.token, self.id = made["token"], made["id"]

    def call(self, method: str, path: str, json: Any = None, status: int | None = None, **kwargs: Any) -> TestResponse:
        """Call `path` (below /api/v1 unless it is outside) and check the answer; assert `status` if given."""
        headers = {**kwargs.pop("headers", {})}
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        address = path if path.startswith(("/api", "/healthz", "/readyz")) else BASE + path
        if json is not None:
            # The standard library's JSON can say lone surrogates.
            kwargs |= {"data": dumps(json), "content_type": "application/json"}
        response = self.client.open(address, method=method, headers=headers, **kwargs)
        if response.mimetype != "text/event-stream":
            response.get_data()  # to its end, as whoever asks for it does
        self.contract.check(method, address, response)
        assert status is None or response.status_code == status, (
            f"{method} {path}: {response.status} {response.text[:500]}"
        )
        return response

    def get(self, path: str, status: int | None = 200, **kwargs: Any) -> TestResponse:
        return self.call("GET", path, status=status, **kwargs)

    def post(self, path: str, json: Any = None, status: int | None = None, **kwargs: Any) -> TestResponse:
        response = self.call("POST", path, json, status, **kwargs)
        assert status is not None or response.status_code in (200, 201), f"POST {path}: {response.text[:500]}"
        return response

    def page(self, game: str) -> dict[str, Any]:
        """The game as this caller sees it."""
        return self.get(f"/games/{game}").json

    def legal(self, game: str) -> list[str]:
        """This caller's legal moves."""
        return self.get(f"/games/{game}/legal-moves").json["moves"]

    def play(self, game: str, *moves: str, status: int | None = None, **kwargs: Any) -> TestResponse:
        """Play moves on the ply that this caller sees."""
        ply = kwargs.pop("ply", None)
        ply = self.page(game)["ply"] if ply is None else ply
        return self.post(f"/games/{game}/moves", {"ply": ply, "moves": list(moves)}, status, **kwargs)

    def step(self, game: str) -> None:
        """End the turn, or go on with it where it cannot be ended."""
        legal = self.legal(game)
        self.play(game, "end" if "end" in legal else legal[0], status=201)


def new_game(callers: list[Caller], **request: Any) -> str:
    """A running game of these callers, in the order of seats; its id."""
    game = callers[0].post("/games", {"seats": len(callers), "client_seed": "first", **request}, 201).json["id"]
    for caller in callers[1:]:
        body = {"client_seed": f"from {caller.id}"}
        caller.post(f"/games/{game}/players", body, 201)
    return game


def players(client: FlaskClient, count: int, auto_draw: bool = True) -> list[Caller]:
    """Callers with accounts."""
    callers = [Caller(client, name) for name in ("Ann", "Ben", "Cleo", "Dan")[:count]]
    if not auto_draw:
        for caller in callers:
            caller.call("PATCH", "/players/me", {"preferences": {"auto_draw": False}}, 200)
    return callers


def game_until(callers: list[Caller], stop: Any) -> tuple[str, dict[str, Any]]:
    """A game with the Tower that comes to `stop(page, legal)`, as of `play_on`, and the page there.

    The shuffle is the server's: where now and then nobody comes to a card, others are begun.
    """
    for number in range(20):
        game = new_game(callers, options={"tower": True})
        page = play_on(callers, game, random.Random(number), stop=stop)
        if page["status"] == "running":
            return game, page
    raise AssertionError("no game comes to such a position")


def play_on(
    callers: list[Caller], game: str, rng: random.Random, stop: Any = None, limit: int = 3000
) -> dict[str, Any]:
    """Play random legal moves until the game is over, or until `stop(page, legal)` of the one to move is true.

    Returns the last page of the one who was to move.
    """
    current = callers[0]
    page = current.page(game)
    for _ in range(limit):
        if page["status"] != "running":
            return page
        # The one to move as this caller sees it: a hidden draw does not change whose turn it is.
        if callers[page["to_move"]] is not current:
            current = callers[page["to_move"]]
            page = current.page(game)
            if page["status"] != "running":
                return page
        legal = current.legal(game)
        assert legal, page
        if stop is not None and stop(page, legal):
            return page
        choice = (
            rng.choice([move for move in legal if move != "end"] or legal) if rng.random() < 0.75 else rng.choice(legal)
        )
        current.play(game, choice, status=201, ply=page["ply"])
        page = current.page(game)
    raise AssertionError("the game does not end")
