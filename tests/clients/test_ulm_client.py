"""`ulm-client` (clients/python) against a real server: whole games, blocking and awaiting, and every operation.

What it does in outages is proved beside it, by clients/python/tests, without a server of ours.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from flask.testing import FlaskClient
from ulm_client import AsyncClient, Client, IllegalMoveError, RefusedError
from ulm_client.drivers import Operation, Stream
from ulm_client.operations import Operations

from clients import make_types
from tests.live import LiveServer

ROOT = Path(__file__).parents[2]
TURNED = {"page", "page_size", "after", "v"}
"""What the client itself looks after: lists are read to their end."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def ann(server: LiveServer) -> Iterator[Client]:
    with Client(server.url) as stranger, Client(server.url, stranger.create_player(name="Ann")["token"]) as ann:
        yield ann


def choose(view: dict[str, Any], legal: list[str]) -> str:
    return "end" if "end" in legal else legal[0]


def test_a_game_blocking(server: LiveServer, ann: Client) -> None:
    """Played with one request for each move, looked at and checked with all that a program is likely to ask for."""
    game = ann.create_game(seats=2, bots=["random"], client_seed="a")["id"]
    for turn in ann.turns(game):
        assert turn.play(choose(turn.view, turn.legal))
    asked = re.findall(r" method=(\w+) path=/api/v1/games/\S+/(\w+) status=(\d+) ", server.log())
    assert set(asked) == {("POST", "moves", "201"), ("GET", "events", "200")}
    assert asked.count(("GET", "events", "200")) == 1
    assert ann.game(game)["status"] == "finished"
    record = ann.record(game)
    assert ann.verify(record)["plies"] == len(record["moves"])
    assert [state["ply"] for state in ann.states(game, to=20)] == list(range(21))
    assert game in [replay["id"] for replay in ann.replays(player="me", seats=2, from_="2020-01-01")]
    assert ann.verify(next(ann.export(player="me")))["plies"] == len(record["moves"])
    assert ann.index()["new_games"] == record["ruleset"]
    assert ann.board_picture(game, size=300).startswith("<svg")
    assert "<html" in ann.replay_page(game)


def test_a_game_awaiting(server: LiveServer, ann: Client) -> None:
    async def play() -> None:
        async with AsyncClient(server.url, ann.create_token(name="async")["token"]) as client:
            game = (await client.create_game(seats=2, bots=["random"], client_seed="b"))["id"]
            async for turn in client.turns(game):
                assert await turn.play(choose(turn.view, turn.legal))
            assert [state["ply"] async for state in client.states(game, from_=3, to=4)] == [3, 4]
            assert game in [listed["id"] async for listed in client.games(status="finished", player="me")]

    asyncio.run(play())


def test_an_illegal_move_says_why(ann: Client) -> None:
    game = ann.create_game(seats=2, bots=["random"], client_seed="c")["id"]
    turn = next(ann.turns(game))
    with pytest.raises(IllegalMoveError) as refused:
        turn.play("end")
    assert (refused.value.move, refused.value.index, refused.value.kind) == ("end", 0, "illegal-move")
    assert refused.value.rule
    assert set(refused.value.legal) <= set(turn.legal)
    assert turn.play(turn.legal[0])
    late = next(ann.turns(game))
    late.ply -= 1
    assert late.play(late.legal[0]) is None  # somebody was faster
    with pytest.raises(RefusedError, match="no such game") as nothing:
        ann.game("nowhere")
    assert (nothing.value.status, nothing.value.kind) == (404, "not-found")


TYPED = """
from ulm_client import AsyncClient, Client

async def of(client: Client, waiting: AsyncClient) -> None:
    reveal_type(client.game("k7m2")["ply"])
    reveal_type((await waiting.record("k7m2"))["seed"]["server"])
    reveal_type(next(client.turns()).view["round"])
    async for listed in waiting.games(status="open"):
        reveal_type(listed["seats"])
    client.create_game(seats="two")
    client.games(status="closed")
"""


@pytest.mark.slow
def test_what_comes_back_is_typed() -> None:
    """By the way in which two clients share each method it would be `Any` before anybody noticed."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--no-incremental", "-c", TYPED],
        env={**os.environ, "MYPYPATH": str(ROOT / "clients/python/src")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = re.findall(
        r"^<string>:(\d+): (?:note: Revealed type is \"(.*)\"|error: .*\[(.*)\])$", done.stdout, re.MULTILINE
    )
    assert told == [
        ("5", "int | None", ""), ("6", "str", ""), ("7", "int", ""), ("9", "int", ""), ("10", "", "arg-type"),
        ("11", "", "arg-type"),
    ], done.stdout  # fmt: skip


def test_every_operation_has_a_method(client: FlaskClient) -> None:
    """With each of its parameters and fields; but pages are turned by the client itself."""
    document = client.get("/api/v1/openapi.json").json
    theirs = {
        f"{method.upper()} {path}": taken(document, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    there = [method for part in Operations.__mro__ for method in vars(part).values()]
    ours = dict(asked(method) for method in there if isinstance(method, Operation | Stream))
    assert ours | {"GET /api/v1/events": ["include"]} == theirs  # `events` asks for it where no game is named


def taken(document: dict[str, Any], path: str, operation: dict[str, Any]) -> list[str]:
    """What an operation takes by the description: in its path, its query and its body."""

    def found(part: dict[str, Any]) -> dict[str, Any]:
        *_, group, name = part.get("$ref", "/").split("/")
        return document["components"][group][name] if name else part

    parameters = [found(part) for part in operation.get("parameters", [])]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    names = {part["name"] for part in parameters if part["in"] != "header"} | set(re.findall(r"{(\w+)}", path))
    return sorted((names | found(body).get("properties", {}).keys()) - TURNED)


def asked(method: Any) -> tuple[str, list[str]]:
    """Which operation a method asks for, when it is given all that it takes, and what of it is sent."""
    hints = get_type_hints(method.steps, include_extras=True)
    given: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(method.steps).parameters.items())[1:]:
        kind = get_args(hints[name])[0] if parameter.kind is parameter.VAR_KEYWORD else hints[name]
        fields = dict.fromkeys(getattr(kind, "__annotations__", ()), 7)
        given |= fields if parameter.kind is parameter.VAR_KEYWORD else {name: fields or 7}
    asking = Operations()
    asking.patience = 0
    send = next(method.steps(asking, **given))
    return f"{send.method} {send.template}", sorted({*send.place, *send.query, *(send.body or {})} - TURNED)


def test_the_types_are_those_of_the_description(client: FlaskClient) -> None:
    """`python clients/make_types.py` writes them anew."""
    document = client.get("/api/v1/openapi.json").json
    assert make_types.PYTHON.read_text("utf-8") == make_types.python(document["components"]["schemas"])
