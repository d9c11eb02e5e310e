"""The API's own description: `/api/v1/openapi.json`, and `/api/docs`, a page that needs nothing from elsewhere."""

import secrets
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, render_template, request, send_from_directory, url_for
from flask_smorest import Api

from server.routes.api.openapi import completed
from server.routes.http import caching
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import SECURITY_SCHEMES
from server.routes.http.request_parsing import KEY_PATTERN

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
"""
_PARAMETERS = (
    ("IF_NONE_MATCH", "If-None-Match", "The ETag of what you have; 304 when nothing has changed.", '"0123abcd"'),
    ("PREFER_WAIT", "Prefer",
     "`wait=N`: with If-None-Match, wait up to N seconds for a change. A busy server answers at once.", "wait=30"),
    ("LAST_EVENT_ID", "Last-Event-ID",
     "The id of the last event that came: the next comes when there is something new.", "0123abcd"),
    ("IDEMPOTENCY_KEY", "Idempotency-Key",
     "1 to 128 letters, digits or . _ : ~ + / = -. A repeat with the same word is answered as the first time.",
     "turn-17-a")
)  # fmt: skip
_HEADERS = {
    "LOCATION": "Address of what was made.",
    "CONTENT_DISPOSITION": "The usual name of the file.",
    "CHALLENGE": "How to say who asks: `Bearer`.",
    "ETAG": "Tag of the answer, for If-None-Match.",
    "LINK": "Addresses of other pages of the list (RFC 8288): `first`, `last`, `prev`, `next` where there are such.",
    "REQUEST_ID": "Under this id the server's log has the request.",
    "RETRY_AFTER": "Seconds after which trying again makes sense.",
}
_PAGINATION: dict[str, object] = {
    "total": 45, "total_pages": 3, "total_exact": True, "first_page": 1, "last_page": 3, "page": 1, "next_page": 2,
    "next_after": "MjAyNi0xMS0yMVQwOTozMDowMFogQUJDREVGR0hKS0xN"
}  # fmt: skip
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
    """Add what operations refer to by name."""
    components = api.spec.components
    for name, scheme in SECURITY_SCHEMES.items():
        components.security_scheme(name, scheme)
    # flask-smorest's own: ours says more of the first, none names the second, the third is sent as JSON.
    components.parameters.pop("IF_NONE_MATCH", None)
    for lazy, name in (("parameters", "IF_NONE_MATCH"), ("headers", "ETAG"), ("headers", "PAGINATION")):
        getattr(components, f"{lazy}_lazy").pop(name, None)
    for name, header, text, example in _PARAMETERS:
        schema = {"type": "string", **({"pattern": f"^{KEY_PATTERN}$"} if name == "IDEMPOTENCY_KEY" else {})}
        described = {"name": header, "description": text, "schema": schema, "example": example}
        components.parameter(name, "header", described, lazy=True)
    for name, text in _HEADERS.items():
        components.header(name, {"description": text, "schema": {"type": "string"}})
    pagination = {"schema": {"$ref": "#/components/schemas/Pagination"}, "example": _PAGINATION}
    described = {"description": "Where the page is in the list, as JSON.", "content": {"application/json": pagination}}
    components.header("PAGINATION", {**described, "required": True})


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
