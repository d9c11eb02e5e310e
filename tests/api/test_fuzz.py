"""schemathesis reads the OpenAPI document and sends what it allows, and what it does not; kept short."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tests.api.caller import BASE, contract, new_game, players

EXAMPLES = 10


class Request(NamedTuple):
    """A request that was made up, by parts that know neither a game nor a token."""

    method: str
    template: str
    query: dict[str, str]
    headers: dict[str, str]
    body: dict[str, Any]


@pytest.fixture(scope="module")
def requests(application: Flask) -> list[Request]:
    """Requests for every operation, such as fit the document and others.

    They follow from the document alone, and to make them up takes most of the time: it is done once for all databases.
    """
    schema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", application)
    made: list[Request] = []

    def keep(case: Any) -> None:
        arguments = case.as_transport_kwargs()
        headers = _sendable(dict(case.headers or {}))
        headers.pop("Prefer", None)  # nobody changes the game while one waits
        body = {key: arguments[key] for key in ("data", "json") if key in arguments}
        if "json" in body:
            body = {"data": json.dumps(body["json"]), "content_type": "application/json"}
        query = {str(key): str(value) for key, value in dict(case.query or {}).items()}
        made.append(Request(case.operation.method.upper(), case.operation.path, query, headers, body))

    for operation in [result.ok() for result in schema.get_all_operations()]:
        for mode in GenerationMode:
            generated = operation.as_strategy(generation_mode=mode)
            run = settings(
                max_examples=EXAMPLES,
                phases=(Phase.explicit, Phase.generate),
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            )(given(generated)(keep))
            # An operation without parameters cannot be called wrongly.
            with suppress(Unsatisfiable):
                run()
    # Who deletes the account is nobody afterwards: that comes last.
    return sorted(made, key=lambda one: (one.method, one.template) == ("DELETE", f"{BASE}/players/me"))


def test_generated_requests_are_answered_as_described(client: FlaskClient, requests: list[Request]) -> None:
    """Never a 500; every status, body and header as documented, for requests that fit the document and for others."""
    callers = players(client, 2)
    game = new_game(callers)
    judge = contract(client)
    codes: dict[str, set[int]] = {}
    for request in requests:
        path = request.template.replace("{game_id}", game).replace("{ply}", "1")
        headers = {"Authorization": f"Bearer {callers[0].token}"} | request.headers
        response = client.open(path, method=request.method, query_string=request.query, headers=headers, **request.body)
        assert response.status_code < 500, (request, response.text)
        judge.check(request.method, path, response)
        codes.setdefault(f"{request.method} {request.template}", set()).add(response.status_code)
    assert len(codes) >= 20
    assert any(422 in seen for seen in codes.values())
    assert [name for name, seen in codes.items() if seen == {401}] == [], "they were asked by nobody"


def _sendable(headers: dict[str, Any]) -> dict[str, str]:
    """Headers as a server can receive them: Latin-1, no line breaks."""
    return {
        name: str(value).encode("latin-1", "ignore").decode("latin-1").replace("\n", "").replace("\r", "")
        for name, value in headers.items()
        if name.replace("-", "").isalnum() and name.isascii()
    }
