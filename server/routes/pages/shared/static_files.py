"""Styles, scripts and pictures of ours: how they are sent, and how a page gets them.

Each has an address that changes with its content, for browsers to keep for ever. Styles and scripts go out without
their comments, and as small as can be: they are packed once, not for each request.

A style sheet that the browser does not have yet stands in the page itself: on a slow network a file is waited for as
long as the page was, and nothing is painted before it. The browser fetches the file when the page is there, and a
cookie notes which it has: the next page names it. Scripts import each other at such addresses too, and what they import
is fetched beside them, not after them."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import lru_cache
from pathlib import Path

import brotli
import orjson
import rcssmin
import rjsmin
from flask import Response, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from server.board.stylesheet import stylesheet
from server.routes.http.browser_session import cookie, cookie_name, cookie_path, is_secure
from server.routes.http.caching import FOREVER

FOLDER = Path(__file__).parent.parent / "static"
BOARD = "board.css"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def asset(filename: str) -> str:
    """The address of a file of ours; it changes with the content, so that browsers may keep it for ever."""
    return _address(filename, request.script_root)


@lru_cache  # 0.36 ms a page, which names eight files
def _address(filename: str, root: str) -> str:
    # `root` is where the application lies.
    return url_for("pages.static", filename=filename, v=version(filename))


@lru_cache
def source(filename: str) -> str:
    """A file of ours as it is written; the style sheet of the board is made of the themes."""
    return stylesheet() if filename == BOARD else (FOLDER / filename).read_text("utf-8")


@lru_cache  # 0.1 ms each time
def version(filename: str) -> str:
    """What changes with the content of a file of ours."""
    return hashlib.sha256(source(filename).encode()).hexdigest()[:12]


def send(filename: str) -> Response:
    """Answer with a file of ours (`GET /static/<filename>`). NotFound when there is none of that name."""
    path = Path(filename)
    if (
        path.suffix not in _TYPES
        or path.is_absolute()
        or ".." in path.parts
        or not (filename == BOARD or (FOLDER / path).is_file())
    ):
        raise NotFound
    answer = Response(mimetype=_TYPES[path.suffix])
    answer.vary.add("Accept-Encoding")
    answer.set_etag(version(filename))
    answer.make_conditional(request)
    if answer.status_code == 304:
        return answer
    if request.args.get("v") == version(filename):  # then it never has another content
        answer.headers["Cache-Control"] = f"public, {FOREVER}"
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
    text = source(filename)
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


COOKIE = "ulm_sheets"
"""Which style sheets the browser has: their marks, with points between them."""
MARKS_MOST = 40
"""Of sheets and their versions: then it is begun anew."""
_A_MARK = re.compile(r"[a-z-]{1,30}-[0-9a-f]{4}")
_IMPORTED = re.compile(r'^(?:import|\} from)\b[^;]*?"\./([\w-]+\.js)";', re.M)


class PageFiles:
    """What a page's template asks for its style sheets and scripts, each time it is made."""

    def __init__(self, nonce: str, framed: bool = False) -> None:
        """`nonce` is that of the page's policy. A page in the frame of another site (`framed`) keeps no cookie."""
        self._nonce = nonce
        # What a script fetches is parsed under the policy of the page that it is on, which has another nonce.
        self._fetched = request.headers.get("Sec-Fetch-Dest", "document") not in ("document", "iframe")
        self._framed = framed
        # What else a cookie holds is none of ours, and not to be given back.
        self._known = frozenset(filter(_A_MARK.fullmatch, (cookie(COOKIE) or "").split(".")))
        self._fresh: list[str] = []
        self._named: set[str] = set()
        self._mapped = False

    def sheet(self, filename: str) -> Markup:
        """What gives the page a style sheet of ours."""
        address, mark = asset(filename), _mark(filename)
        if self._framed or self._fetched or mark in self._known:
            return Markup('<link rel="stylesheet" href="%s">') % address
        self._fresh.append(mark)
        return Markup('<style nonce="%s" data-sheet="%s">%s</style>\n<link rel="prefetch" as="style" href="%s">') % (
            self._nonce, address, Markup(small(filename)), address,  # noqa: S704 - ours
        )  # fmt: skip

    def script(self, *filenames: str) -> Markup:
        """What gives the page scripts of ours (modules), with what they import, by an import map."""
        found = [] if self._mapped else [self._import_map()]
        self._mapped = True
        for filename in filenames:
            for other in imported(filename):
                if other not in self._named:
                    self._named.add(other)
                    preload = Markup('<link rel="modulepreload" href="%s" nonce="%s">')
                    found.append(preload % (asset(other), self._nonce))
        tag = Markup('<script type="module" src="%s" nonce="%s"></script>')
        return Markup("\n").join([*found, *(tag % (asset(filename), self._nonce) for filename in filenames)])

    def _import_map(self) -> Markup:
        return Markup('<script type="importmap" nonce="%s">%s</script>') % (self._nonce, _map(request.script_root))

    def remember(self, response: Response) -> None:
        """Let the browser note what it has when it has got the page."""
        if self._fresh and not self._framed:
            known = [] if len(self._known) > MARKS_MOST else sorted(self._known)
            # As long as the browser is open: afterwards its cache may have forgotten some.
            response.set_cookie(
                cookie_name(COOKIE),
                ".".join([*known, *self._fresh]),
                path=cookie_path(),
                secure=is_secure(),
                httponly=True,
                samesite="Lax",
            )


@lru_cache
def imported(filename: str) -> tuple[str, ...]:
    """The scripts of ours that a script needs, directly or by others, in order."""
    found: dict[str, None] = {}
    for name in _IMPORTED.findall(source(filename)):
        other = f"js/{name}"
        if other not in found:
            found |= dict.fromkeys([other, *imported(other)])
    return tuple(found)


@lru_cache
def _map(root: str) -> Markup:
    scripts = sorted(path.name for path in (FOLDER / "js").glob("*.js"))
    needed = dict.fromkeys(other for name in scripts for other in imported(f"js/{name}"))
    addresses = {asset(other).partition("?")[0]: asset(other) for other in needed}
    return Markup(orjson.dumps({"imports": addresses}).decode())  # noqa: S704 - addresses of our own files


@lru_cache
def _mark(filename: str) -> str:
    """A short name for a style sheet of a version."""
    return f"{filename.removesuffix('.css')}-{version(filename)[:4]}"
