"""The API's own description: `/api/v1/openapi.json`, and `/api/docs`, a page that needs nothing from elsewhere."""

import secrets
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, render_template, request, send_from_directory, url_for
from flask_smorest import Api

from server.routes.api.openapi import completed, read
from server.routes.http import caching
from server.routes.http.answers import answer

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
