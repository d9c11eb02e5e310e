"""Styles, scripts and pictures of ours, at addresses that change with their content."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Response, request, url_for

from server.routes.http.caching import FOREVER

FOLDER = Path(__file__).parent.parent / "static"


def asset(filename: str) -> str:
    """The address of a file of ours; it changes with the content, so that browsers may keep it for ever."""
    return _address(filename, request.script_root)


@lru_cache  # 0.36 ms a page, which names eight files
def _address(filename: str, root: str) -> str:
    # `root` is where the application lies.
    return url_for("pages.static", filename=filename, v=version(filename))


def keep_forever(response: Response) -> Response:
    """An address with the content's version never has another content."""
    filename = (request.view_args or {}).get("filename", "")
    if response.status_code == 200 and filename and request.args.get("v") == version(filename):
        response.headers["Cache-Control"] = f"public, {FOREVER}"
    return response


@lru_cache  # 0.1 ms each time
def version(filename: str) -> str:
    """What changes with the content of a file of ours."""
    return hashlib.sha256((FOLDER / filename).read_bytes()).hexdigest()[:12]
