"""What makes the site an app on a phone: its manifest and icons, and the worker that shows pushes."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from server import language
from server.language import gettext as _
from server.routes.http.answers import answer
from server.routes.pages.shared import static_files

blp = Blueprint("app-pages", __name__)
SIZES = ("192", "512")


@blp.get("/worker.js")
def worker() -> Response:
    """The service worker. It stands at the top, since it minds all pages below its address."""
    response = static_files.send("worker.js")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    return response


@blp.get("/manifest.webmanifest")
def manifest() -> Response:
    """How the site looks as an app."""
    icons = [
        {
            "src": url_for("app-pages.icon", size=size),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for size in SIZES
        for purpose in ("any", "maskable")
    ]
    found = {
        "id": f"{request.script_root}/",
        "name": "Ulm by mail",
        "short_name": "Ulm",
        "description": _("The board game Ulm, at one table or by mail"),
        "lang": language.current(),
        "start_url": f"{request.script_root}/",
        "scope": f"{request.script_root}/",
        "display": "standalone",
        "background_color": "#f4e9d2",
        "theme_color": "#b5533c",
        "icons": icons,
    }
    response = answer(found)
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


@blp.get("/icon-<any('192', '512'):size>.png")
def icon(size: str) -> Response:
    """The icon, so many pixels wide, with room around for systems that round it."""
    data = (static_files.FOLDER / f"icon-{size}.png").read_bytes()
    return Response(data, mimetype="image/png", headers={"Cache-Control": "public, max-age=86400"})
