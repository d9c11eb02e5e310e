"""The API's own description: complete, right, with examples, and readable without anything from elsewhere."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from server.routes import pages
from tests.routes.caller import BASE, Contract, contract

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
# What describes the API is no part of it.
_NOT_DESCRIBED = {"api-docs.openapi", "api-docs.page", "api-docs.asset"}
# Pages are for people.
_PAGES = {"pages", "spool", *(module.blp.name for module in pages.MODULES)}


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    return client.get(f"{BASE}/openapi.json").json


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]


def test_every_route_and_method_is_described(app: Flask, document: dict[str, Any]) -> None:
    described = {(method.upper(), path) for method, path, _ in operations(document)}
    served = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint not in _NOT_DESCRIBED and rule.endpoint.split(".")[0] not in _PAGES:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            served |= {(method, path) for method in rule.methods or () if method not in ("HEAD", "OPTIONS")}
    assert served == described
    assert {path for _, path in served if not f"{path}/".startswith("/api/v1/")} == {"/healthz", "/readyz"}


def test_every_operation_says_what_it_is(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"].endswith("."), where
        assert "\n" not in operation["summary"], where
        assert operation["tags"], where
        codes = set(operation["responses"])
        assert any(code.startswith("2") for code in codes), where
        assert "500" in codes, where
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= codes, where
        assert ("401" in codes) == bool(operation["security"]), where  # [] says that nobody is asked who they are


def test_generators_can_read_every_schema(document: dict[str, Any]) -> None:
    """What openapi-python-client, openapi-generator (Python) and openapi-typescript stumbled over;
    `tests/clients` asks themselves where they are."""
    schemas = document["components"]["schemas"]
    enums = {name: tuple(schema["enum"]) for name, schema in schemas.items() if "enum" in schema}
    assert len(set(enums.values())) == len(enums) > 15
    references = {f"#/components/schemas/{name}" for name in enums}

    def walk(part: Any, where: str, named: bool = False) -> None:
        for number, one in enumerate(part if isinstance(part, list) else ()):
            walk(one, f"{where}/{number}")
        if not isinstance(part, dict):
            return
        # Generators name an enumeration by its place, anew at each, unless it is one of the components.
        assert named or len(part["enum"] if isinstance(part.get("enum"), list) else ()) < 2, where
        # openapi-generator's Python fails on these when it reads an answer.
        for inner in (part.get("items", {}).get("items"), part.get("additionalProperties")):
            assert not isinstance(inner, dict) or inner.get("$ref") not in references, where
        if "prefixItems" in part:
            assert part["minItems"] == part["maxItems"] == len(part["prefixItems"]), where
        for name, one in part.items():
            if name != "example":
                walk(one, f"{where}/{name}", named=where == "/components/schemas" and name in enums)
        for name in {"phase", "origin"} & set(part.get("properties", ())):
            assert "$ref" in str(part["properties"][name]), f"{where}: {name} is one of a few words"

    walk(document, "")
    for method, path, operation in operations(document):
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            assert kind == "application/json"
            body = schemas[content["schema"]["$ref"].rpartition("/")[2]]
            for name, field in body["properties"].items():  # openapi-typescript takes those for required ones
                assert "default" not in field, f"{method} {path}: {name}"


def test_what_is_extended_has_no_nameless_object(document: dict[str, Any]) -> None:
    """openapi-python-client names it twice, and leaves out both schemas and all that takes or gives them."""
    schemas = document["components"]["schemas"]
    for base in (base for schema in schemas.values() for base in schema.get("allOf", ())):
        for name, field in schemas[base["$ref"].rpartition("/")[2]]["properties"].items():
            assert field.get("type") != "object", f"{base}: {name}"


def test_every_json_body_has_an_example_that_fits(client: FlaskClient, document: dict[str, Any]) -> None:
    judge: Contract = contract(client)
    bodies = 0
    for method, path, operation in operations(document):
        places = {"request": operation.get("requestBody", {})} | {
            code: judge.resolve(response) for code, response in operation["responses"].items()
        }
        for place, described in places.items():
            for kind, content in described.get("content", {}).items():
                if kind not in ("application/json", "application/problem+json"):
                    continue
                where = f"{method} {path} {place}"
                assert "example" in content, where
                judge.check_body(where, content["schema"], content["example"])
                bodies += 1
    assert bodies > 100


def test_the_examples_tell_no_secret_of_an_open_game(document: dict[str, Any]) -> None:
    page = document["paths"][f"{BASE}/games/{{game_id}}"]["get"]["responses"]["200"]["content"]["application/json"]
    others = [player for player in page["example"]["view"]["players"] if "hand" in player]
    assert len(others) == 1


def test_the_page_loads_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/api/docs")
    assert page.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "http" not in policy
    scripts = re.findall(r"<script([^>]*)>", page.text)
    assert scripts
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)
    assert "style=" not in page.text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(addresses) >= 4
    for address in addresses:
        assert address.startswith("/"), address
        with client.get(address) as asset:
            assert asset.status_code == 200, address
    assert re.search(r"<script[^>]*>[^<]*" + re.escape(f'"{BASE}/openapi.json"'), page.text)


def test_the_nonce_is_new_each_time(client: FlaskClient) -> None:
    policies = {client.get("/api/docs").headers["Content-Security-Policy"] for _ in range(3)}
    assert len(policies) == 3


def test_only_the_assets_of_the_page_are_served(client: FlaskClient) -> None:
    for name in ("index.html", "oauth2-redirect.html", "../__init__.py", "%2e%2e/__init__.py", "swagger-ui.js"):
        assert client.get(f"/api/docs/{name}").status_code == 404


def test_the_document_has_an_etag(client: FlaskClient) -> None:
    first = client.get(f"{BASE}/openapi.json")
    again = client.get(f"{BASE}/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""
