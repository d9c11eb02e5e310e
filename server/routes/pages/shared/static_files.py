"""Styles, scripts and pictures of ours, at addresses that change with their content.

Styles and scripts go out without their comments, and as small as can be: they are packed once, not for each request,
and on a slow network each kilobyte is waited for. `ulm serve` asks for each once and gives it again by itself.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

import brotli
import rcssmin
import rjsmin
from flask import Response, request, url_for
from werkzeug.exceptions import NotFound

from server.routes.http.caching import FOREVER

FOLDER = Path(__file__).parent.parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


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


def send(filename: str) -> Response:
    """Answer with a file of ours (`GET /static/<filename>`). NotFound when there is none of that name."""
    path = Path(filename)
    if path.suffix not in _TYPES or path.is_absolute() or ".." in path.parts or not (FOLDER / path).is_file():
        raise NotFound
    answer = Response(mimetype=_TYPES[path.suffix])
    answer.vary.add("Accept-Encoding")
    answer.set_etag(version(filename))
    answer.make_conditional(request)
    if answer.status_code == 304:
        return answer
    named = request.headers.get("Accept-Encoding", "")
    encoding = next((one for one in ("br", "gzip") if one in named and request.accept_encodings[one]), None)
    answer.data = packed(filename, encoding)
    if encoding:
        answer.headers["Content-Encoding"] = encoding
        answer.set_etag(f"{version(filename)}:{encoding}")  # as it stands in compression.py: other bytes, another tag
    return answer


@lru_cache
def small(filename: str) -> str:
    """A file of ours; style sheets and scripts without what only their readers need: comments, most spaces."""
    text = (FOLDER / filename).read_text("utf-8")
    if filename.endswith(".svg"):
        return text
    made: str = rcssmin.cssmin(text) if filename.endswith(".css") else rjsmin.jsmin(text)
    return made


@lru_cache
def packed(filename: str, encoding: str | None) -> bytes:
    """The bytes of `small`, compressed by Brotli (`br`), by `gzip`, or as they are (None). Some 20 ms, once."""
    plain = small(filename).encode()
    if encoding == "br":
        return bytes(brotli.compress(plain, quality=11))
    return gzip.compress(plain, 9, mtime=0) if encoding == "gzip" else plain
