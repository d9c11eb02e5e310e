"""schemathesis reads the OpenAPI document and sends what it allows, and what it does not; kept short."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tests.api.caller import BASE, contract, new_game, players

EXAMPLES = 10


def operations(app: Flask) -> list[Any]:
    schema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", app)
    return [result.ok() for result in schema.get_all_operations()]


def test_generated_requests_are_answered_as_described(app: Flask, client: FlaskClient) -> None:
    """Never a 500; every status, body and header as documented, for requests that fit the document and for others."""
    callers = players(client, 2)
    game = new_game(callers)
    judge = contract(client)
    codes: dict[str, set[int]] = {}

    def send(case: Any) -> None:
        operation, arguments = case.operation, case.as_transport_kwargs()
        path = operation.path.replace("{game_id}", game).replace("{ply}", "1")
        headers = {"Authorization": f"Bearer {callers[0].token}"} | _sendable(dict(case.headers or {}))
        headers.pop("Prefer", None)  # nobody changes the game while one waits
        body = {key: arguments[key] for key in ("data", "json") if key in arguments}
        if "json" in body:
            body = {"data": json.dumps(body["json"]), "content_type": "application/json"}
        query = {str(key): str(value) for key, value in dict(case.query or {}).items()}
        response = client.open(path, method=operation.method, query_string=query, headers=headers, **body)
        assert response.status_code < 500, response.text
        judge.check(operation.method.upper(), path, response)
        codes.setdefault(f"{operation.method} {operation.path}", set()).add(response.status_code)

    for operation in operations(app):
        for mode in GenerationMode:
            generated = operation.as_strategy(generation_mode=mode)
            run = settings(
                max_examples=EXAMPLES,
                phases=(Phase.explicit, Phase.generate),
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            )(given(generated)(send))
            # An operation without parameters cannot be called wrongly.
            with suppress(Unsatisfiable):
                run()
    assert len(codes) >= 20
    assert any(422 in seen for seen in codes.values())


def _sendable(headers: dict[str, Any]) -> dict[str, str]:
    """Headers as a server can receive them: Latin-1, no line breaks."""
    return {
        name: str(value).encode("latin-1", "ignore").decode("latin-1").replace("\n", "").replace("\r", "")
        for name, value in headers.items()
        if name.replace("-", "").isalnum() and name.isascii()
    }
