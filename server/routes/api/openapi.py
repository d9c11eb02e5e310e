"""What flask-smorest does not know of the API and the OpenAPI document is to say: schemas of answers, headers, bodies
that may be left out, queries that cannot hold null, examples."""

import json
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from server.routes.api import response_schemas
from server.routes.http.answers import JSON_TYPE as _JSON
from server.routes.http.problem_details import MEDIA_TYPE, error_body
from server.routes.http.streams import EVENTS

_ALWAYS = ("X-Request-Id", "REQUEST_ID")
# Headers of every answer with the status.
_OF_STATUS = {"401": ("WWW-Authenticate", "CHALLENGE"), "429": ("Retry-After", "RETRY_AFTER"),
              "503": ("Retry-After", "RETRY_AFTER")}  # fmt: skip
_NEVER_EMPTY = ("ChangedProfile",)  # a rule of the whole body, which its fields do not tell
_TAGGED = {"$ref": "#/components/parameters/IF_NONE_MATCH"}


def read(name: str) -> dict[str, Any]:
    """Return what a file beside this one holds."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(name).read_text("utf-8"))
    return found


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the schemas of answers, with examples, and with what can be told from itself."""
    parts = document["components"]
    written = read("components.json")["schemas"]
    error = written.pop("Error")
    parts["schemas"] = schemas = {**response_schemas.components(written), "Error": error, **parts["schemas"]}
    # By schema; by operation and status what of it is otherwise there.
    examples = read("examples.json")
    for name in _NEVER_EMPTY:
        schemas[name]["minProperties"] = 1
    for name, response in parts["responses"].items():
        _add_header(response, *_ALWAYS)
        if "content" in response:
            response["content"][MEDIA_TYPE]["example"] = error_body(HTTPStatus[name], None, None)
    for path in document["paths"].values():
        for method, operation in path.items():
            if method != "parameters":
                _complete(operation, schemas, parts["responses"])
                _add_examples(operation, examples)
    return document


def _complete(operation: dict[str, Any], schemas: dict[str, Any], shared: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "query":
            _never_null(parameter["schema"])
    if body := operation.get("requestBody"):
        schema = schemas[_name(body["content"][_JSON]["schema"])]
        body["required"] = bool(schema.get("required") or schema.get("minProperties"))
    tagged = _TAGGED in operation.get("parameters", ())
    for code, response in operation["responses"].items():
        # What several operations answer alike is described once.
        owned = shared[_name(response)] if "$ref" in response else response
        _add_header(owned, *_ALWAYS)
        if code in _OF_STATUS:
            _add_header(owned, *_OF_STATUS[code])
        if tagged and code in ("200", "304"):
            _add_header(owned, "ETag", "ETAG")


def _add_examples(operation: dict[str, Any], examples: dict[str, Any]) -> None:
    for place, holder in {"request": operation.get("requestBody", {}), **operation["responses"]}.items():
        if stream := holder.get("content", {}).get(EVENTS):
            stream["example"] = "\n".join(examples[f"{operation['operationId']} {place}"])
        if content := holder.get("content", {}).get(_JSON):
            schema = content["schema"]
            one = schema["items"] if schema.get("type") == "array" else schema.get("anyOf", [schema])[0]
            example = examples[_name(one)] | examples.get(f"{operation['operationId']} {place}", {})
            content["example"] = [example] if schema.get("type") == "array" else example


def _add_header(response: dict[str, Any], name: str, component: str) -> None:
    response.setdefault("headers", {})[name] = {"$ref": f"#/components/headers/{component}"}


def _never_null(schema: dict[str, Any]) -> None:
    """A query cannot hold null: what is null without it is left out."""
    if schema.get("default", "") is None:
        del schema["default"]
    if isinstance(schema.get("type"), list):
        [schema["type"]] = [name for name in schema["type"] if name != "null"]
    if "enum" in schema:
        schema["enum"] = [value for value in schema["enum"] if value is not None]


def _name(reference: dict[str, Any]) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name
