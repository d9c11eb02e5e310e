"""The API's own description: `/api/v1/openapi.json`, and `/api/docs`, with what flask-smorest does not know."""

import json
import secrets
from functools import lru_cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, render_template, request, send_from_directory, url_for
from flask_smorest import Api

from server.routes.api import response_schemas
from server.routes.http import caching
from server.routes.http.answers import JSON_TYPE, answer
from server.routes.http.problem_details import MEDIA_TYPE, error_body
from server.routes.http.streams import EVENTS

SPEC_PATH = "/api/v1/openapi.json"
PAGE_PATH = "/api/docs"
# Of the package's files only these: it also brings a page for OAuth that nobody needs here.
_ASSETS = {"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"}
_DESCRIPTION = """\
A turn server for the rules of the board game Ulm.

Make an account with `POST /api/v1/players` and send its token as `Authorization: Bearer TOKEN`. Then make a game
(`POST /api/v1/games`) or take a seat in one; it starts when all seats are taken. While it is your turn, choose from
`legal-moves` and send your choice to `moves`, together with the `ply` that you saw.

Every error has the same shape, `{code, status, message, errors}`, and its message says what to do.

**What you may rely on.** What is here stays as long as `v1` is answered. Fields, parameters that may be left out,
operations, values of enumerations and names of events may come at any time: ignore those that you do not know, and send
ids, cursors and tags back as they came. What is to go is marked `deprecated` here, and its answers have the headers
`Deprecation` and `Sunset`, for a year before (docs/promises.md).
"""
# Of the page: its own script, its own style, its own server.
_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; "  # Swagger UI writes style attributes on its elements
    "img-src 'self' data:; "  # the icons in its style sheet
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def spec_arguments() -> dict[str, Any]:
    """Return what flask-smorest is to be told about the document as a whole."""
    return {
        "title": "Ulm by mail",
        "version": "1",
        "openapi_version": "3.1.0",
        "info": {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
    }


def add_components(api: Api) -> None:
    """Add what operations refer to by name: `components.json`."""
    components, ours = api.spec.components, read("components.json")
    for name, scheme in ours["securitySchemes"].items():
        components.security_scheme(name, scheme)
    # flask-smorest's own: ours says more of the first, none names the second, the third is sent as JSON.
    components.parameters.pop("IF_NONE_MATCH", None)
    components.parameters_lazy.pop("IF_NONE_MATCH", None)
    for name in ("ETAG", "PAGINATION"):
        components.headers_lazy.pop(name, None)
    for name, parameter in ours["parameters"].items():
        components.parameter(name, "header", parameter, lazy=True)
    for name, header in ours["headers"].items():
        components.header(name, header)


def register(app: Flask, api: Api) -> None:
    """Add the document and the page to `app`."""
    blp = Blueprint("api-docs", __name__, template_folder="templates")
    dist = Path(str(files("flask_swagger_ui"))) / "dist"

    @lru_cache(maxsize=1)  # 4 ms each time
    def document() -> dict[str, Any]:
        return completed(api.spec.to_dict())

    @blp.get(SPEC_PATH)
    @caching.conditional
    def openapi() -> Response:
        found = {**document(), "servers": [{"url": request.script_root or "/"}]}
        return answer(found, headers={"Cache-Control": "private, max-age=300"})

    @blp.get(PAGE_PATH, strict_slashes=False)
    def page() -> Response:
        nonce = secrets.token_urlsafe(16)
        html = render_template("api_docs.html", title=api.spec.title, spec=url_for("api-docs.openapi"), nonce=nonce)
        return Response(
            html, headers={"Content-Security-Policy": _POLICY.format(nonce=nonce), "Cache-Control": "no-store"}
        )

    @blp.get(f"{PAGE_PATH}/<any({', '.join(repr(name) for name in sorted(_ASSETS))}):name>")
    def asset(name: str) -> Response:
        return send_from_directory(dist, name, max_age=86400)

    app.register_blueprint(blp)


_ALWAYS = ("X-Request-Id", "REQUEST_ID")
# Headers of every answer with the status.
_OF_STATUS = {"401": ("WWW-Authenticate", "CHALLENGE"), "429": ("Retry-After", "RETRY_AFTER"),
              "503": ("Retry-After", "RETRY_AFTER")}  # fmt: skip
_NEVER_EMPTY = ("ChangedProfile", "NewInvitation")  # a rule of the whole body, which its fields do not tell
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
    requested: dict[str, Any] = parts["schemas"]
    parts["schemas"] = schemas = {**response_schemas.components(written), "Error": error, **requested}
    # By schema; by operation and status what of it is otherwise there.
    examples = read("examples.json")
    for schema in requested.values():
        _without_defaults(schema)
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
    enums: dict[str, dict[str, Any]] = {}
    named: dict[str, Any] = response_schemas.with_named_enums(document, enums)
    named["components"]["schemas"] |= enums
    return named


def _complete(operation: dict[str, Any], schemas: dict[str, Any], shared: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "query":
            _never_null(parameter["schema"])
    if body := operation.get("requestBody"):
        schema = schemas[_name(body["content"][JSON_TYPE]["schema"])]
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
        if content := holder.get("content", {}).get(JSON_TYPE):
            schema = content["schema"]
            one = schema["items"] if schema.get("type") == "array" else schema.get("anyOf", [schema])[0]
            example = examples[_name(one)] | examples.get(f"{operation['operationId']} {place}", {})
            content["example"] = [example] if schema.get("type") == "array" else example


def _add_header(response: dict[str, Any], name: str, component: str) -> None:
    response.setdefault("headers", {})[name] = {"$ref": f"#/components/headers/{component}"}


def _without_defaults(schema: dict[str, Any]) -> None:
    """Say in words what holds where a field of a body is left out: openapi-typescript takes fields with defaults for
    required ones."""
    for field in schema["properties"].values():
        default = field.pop("default", None)
        if default is not None and default != "":
            said = f"Left out: `{json.dumps(default)}`."
            field["description"] = f"{field['description']} {said}" if "description" in field else said


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
