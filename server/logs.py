"""Log lines on stderr, without anything secret.

Each is one line, `time level logger message key=value …`, or one JSON object with the same in it.

Requests are logged with their path template (`/api/v1/games/<game_id>`), never with a query string, header or body, so
that neither tokens nor addresses nor invitations get into a log. A traceback keeps its frames; the text of a database
error is left out of it, because drivers quote the row that they refuse.

Hand-written: that part is most of it, and would be as long with structlog.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from server import request_ids

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

access = logging.getLogger("ulm.access")

REQUEST_ID = "X-Request-Id"
_GIVEN_ID = "HTTP_X_REQUEST_ID"
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_QUOTING_MODULES = ("peewee", "psycopg", "sqlite3")


class Formatter(logging.Formatter):
    """One record, one line: for people, with control characters escaped, or a JSON object for programs."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._json = form == "json"

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment, message, told = _moment(record), record.getMessage(), dict(_told(record))
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = _trace(record.exc_info[1])
        if self._json:
            said = {"time": moment, "level": record.levelname, "logger": record.name, "message": message, **told}
            return json.dumps(said, ensure_ascii=False, default=str)
        words = [f"{key}={_value(value)}" for key, value in told.items()]
        return " ".join([moment, record.levelname, record.name, _plain(message), *words])


def configure(level: str, stream: IO[str] | None = None, form: str = "text") -> None:
    """Send the log of this process to `stream` (stderr), in place of what was configured before."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Formatter(form))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # These speak of their own inner life at levels that operators need for the server's.
    logging.getLogger("apscheduler").setLevel(max(logging.WARNING, root.level))
    logging.getLogger("asyncio").setLevel(max(logging.WARNING, root.level))
    logging.getLogger("peewee").setLevel(max(logging.WARNING, root.level))  # at DEBUG it prints the parameters


def request_id(environ: WSGIEnvironment, believed: bool) -> str:
    """An id for a request: its own where a proxy in front is `believed` and has given it a plain word."""
    given = environ.get(_GIVEN_ID, "") if believed else ""
    return given if _PLAIN_ID.fullmatch(given) else secrets.token_hex(8)


def log_request(number: str, method: str, rule: str, status: int, seconds: float) -> None:
    """Write the line of a request that is being answered."""
    if access.isEnabledFor(logging.INFO):
        fields = {"id": number, "method": method, "path": rule, "status": status, "ms": round(seconds * 1000, 1)}
        access.info("request", extra={"fields": fields})


def _told(record: logging.LogRecord) -> dict[str, object]:
    """What a record says beside its message, and for which request; that of a request itself has its id in any case."""
    fields: dict[str, object] = getattr(record, "fields", {})
    request_id = None if record.name == access.name else request_ids.present()
    return fields if request_id is None else {**fields, "request": request_id}


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(text: str) -> str:
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def _value(value: object) -> str:
    text = _plain(str(value))
    return text if text and not set(text) & set(' "=') else '"' + text.replace('"', '\\"') + '"'


def _trace(error: BaseException) -> str:
    """The chain of errors, oldest first, each with its frames; database errors without their words."""
    parts: list[str] = []
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        kind = type(link)
        words = "" if kind.__module__.split(".")[0] in _QUOTING_MODULES else f": {link}"
        frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(link.__traceback__)]
        parts.append(f"{kind.__module__}.{kind.__qualname__}{words} at {' < '.join(reversed(frames)) or '-'}")
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return " after ".join(parts)


def places(error: BaseException, most: int = 4) -> str:
    """Where an error came from, the innermost place first; its words are left out, which may quote a hand."""
    found = reversed(traceback.extract_tb(error.__traceback__))
    return " < ".join([f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in found][:most])
