"""Answers that are the same for everybody, which the server gives again without asking the application: files.

The application marks one (`environ["ulm.keep"]`). Asked for the same by the same address and the same
`Accept-Encoding`, the loop answers with the same headers and bytes, or with 304. All else goes to the application,
conditions other than `If-None-Match` too.

Hand-written: granian's own files have no packed forms, no tags and no headers but one (its issue 577), and whitenoise
is an application that needs a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cachetools import LRUCache

Header = tuple[bytes, bytes]
Count = Callable[[str, int, float], None]
"""Is told of each answer: the method, the status, the seconds that it took."""

_MOST_BYTES = 8_000_000
_SPARE = 1000  # bytes that an entry takes beside its body
_OF_ONE_REQUEST = (b"x-request-id", b"connection")
_OF_CONTENT = (b"content-length", b"content-type", b"content-encoding")
_OTHER_WISHES = frozenset(
    (b"authorization", b"content-length", b"expect", b"if-match", b"if-modified-since", b"if-range",
     b"if-unmodified-since", b"origin", b"range", b"transfer-encoding")
)  # fmt: skip
_METHODS = ("GET", "HEAD")


class KeptAnswer(NamedTuple):
    """An answer of the application, with what counts those that are given in its place."""

    headers: list[Header]
    body: bytes
    tag: bytes
    counted: Count


class KeptAnswers:
    """The answers of one process; the loop alone looks here."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._answers: LRUCache[tuple[bytes, bytes, bytes], KeptAnswer] = LRUCache(
            most_bytes, getsizeof=lambda kept: len(kept.body) + _SPARE
        )
        self._paths: set[bytes] = set()

    def keep(self, scope: dict[str, Any], headers: Iterable[Header], body: bytes, count: Count) -> None:
        """Keep what the application has answered to GET, if it has a tag and is not too large."""
        shown = [header for header in headers if header[0] not in _OF_ONE_REQUEST]
        tag = dict(shown).get(b"etag")
        if any(name == b"set-cookie" for name, _ in shown) or b"%" in scope["raw_path"]:
            return  # it is for one alone, or its address can be written in any number of ways
        if tag is not None and scope["method"] == "GET" and len(body) + _SPARE <= self._answers.maxsize:
            self._answers[_key(scope, dict(scope["headers"]))] = KeptAnswer(shown, body, tag, count)
            self._paths.add(scope["raw_path"])

    def find(self, scope: dict[str, Any]) -> tuple[int, list[Header], bytes, Count] | None:
        """Status, headers and body of the answer to a request, and what counts it; None when none is kept."""
        if scope["raw_path"] not in self._paths or scope["method"] not in _METHODS:
            return None
        asked: dict[bytes, bytes] = dict(scope["headers"])
        if len(asked) != len(scope["headers"]) or b"host" not in asked or not _OTHER_WISHES.isdisjoint(asked):
            return None
        kept = self._answers.get(_key(scope, asked))
        if kept is None:
            return None
        if _names(asked.get(b"if-none-match", b""), kept.tag):
            return 304, [header for header in kept.headers if header[0] not in _OF_CONTENT], b"", kept.counted
        return 200, list(kept.headers), b"" if scope["method"] == "HEAD" else kept.body, kept.counted


def _key(scope: dict[str, Any], asked: dict[bytes, bytes]) -> tuple[bytes, bytes, bytes]:
    return scope["raw_path"], scope["query_string"], asked.get(b"accept-encoding", b"")


def _names(given: bytes, tag: bytes) -> bool:
    """Whether `If-None-Match` names the tag (weak comparison, RFC 9110). No tag of ours has a comma in it."""
    return any(one.strip().removeprefix(b"W/") in (tag, b"*") for one in given.split(b",")) if given else False
