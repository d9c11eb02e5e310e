"""What flask-smorest does not know of the API and the OpenAPI document is to say: headers, bodies that may be left out,
queries that cannot hold null."""

from typing import Any

from server.routes.api import response_schemas

_ALWAYS = ("X-Request-Id", "REQUEST_ID")
# Headers of every answer with the status.
_OF_STATUS = {"401": ("WWW-Authenticate", "CHALLENGE"), "429": ("Retry-After", "RETRY_AFTER"),
              "503": ("Retry-After", "RETRY_AFTER")}  # fmt: skip
_NEVER_EMPTY = ("ChangedProfile",)  # a rule of the whole body, which its fields do not tell
_TAGGED = {"$ref": "#/components/parameters/IF_NONE_MATCH"}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the schemas of answers, and with what can be told from itself."""
    document["components"]["schemas"] = schemas = {**response_schemas.components(), **document["components"]["schemas"]}
    shared = document["components"]["responses"]
    for name in _NEVER_EMPTY:
        schemas[name]["minProperties"] = 1
    for response in shared.values():
        _add_header(response, *_ALWAYS)
    for path in document["paths"].values():
        for method, operation in path.items():
            if method != "parameters":
                _complete(operation, schemas, shared)
    return document


def _complete(operation: dict[str, Any], schemas: dict[str, Any], shared: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "query":
            _never_null(parameter["schema"])
    body = operation.get("requestBody")
    if body is not None:
        schema = _found(body["content"]["application/json"]["schema"], schemas)
        body["required"] = bool(schema.get("required") or schema.get("minProperties"))
    tagged = _TAGGED in operation.get("parameters", ())
    for code, response in operation["responses"].items():
        # What several operations answer alike is described once.
        owned = shared[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
        _add_header(owned, *_ALWAYS)
        if code in _OF_STATUS:
            _add_header(owned, *_OF_STATUS[code])
        if tagged and code in ("200", "304"):
            _add_header(owned, "ETag", "ETAG")


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


def _found(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    return schema
