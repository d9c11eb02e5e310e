"""How a request is made and repeated, and a stream followed: what to do, without doing it.

A function here returns `Steps`: a generator that says what is to be done (`Send`, `Read`, `Wait`), is sent what came
of it, and returns the answer; what it hands out on its way is an `Item`. `drivers` carries the steps out.
"""

from __future__ import annotations

import email.utils
import functools
import json
import logging
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl, quote

from ulm_client.errors import NoAnswerError, UlmError, refusal

S = TypeVar("S")
T = TypeVar("T")
log = logging.getLogger("ulm_client")

LATER = (408, 425, 429, 500, 502, 503, 504)
"""Answers that pass. A request that is sent again does nothing twice: those that make something bear a key."""
SOON = 0.5
"""Seconds until a stream is opened again that has ended as streams do."""
LONGEST = 30.0
"""Seconds between two tries, unless the server asks for more."""


@dataclass(frozen=True)
class Send:
    """A request is to be sent. What comes of it is a `Reply`, or the exception that says why there is none."""

    method: str
    template: str
    """The path with the names of its parameters, as the API's description has it."""
    place: dict[str, object] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    accept: str = "application/json"
    streams: bool = False
    """The answer is wanted while it comes, by `Read`."""

    @property
    def path(self) -> str:
        return self.template.format_map({name: quote(str(value), safe="@") for name, value in self.place.items()})


class Reply(NamedTuple):
    """An answer; of a stream `chunks` stand for what `Read` reads."""

    status: int
    headers: Mapping[str, str]
    content: bytes = b""
    chunks: Any = None


@dataclass(frozen=True)
class Read:
    """The next bytes of a stream are wanted: None at its end, an exception where it broke off."""

    chunks: Any


@dataclass(frozen=True)
class Wait:
    """Nothing is to be done for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Item(Generic[T]):
    """Something for whoever follows a stream."""

    value: T


Step: TypeAlias = Send | Read | Wait
Steps: TypeAlias = Generator[Step, Any, T]
"""What is to be done for a T."""
Items: TypeAlias = Generator[Step | Item[T], Any, None]
"""What is to be done, with a T handed out now and then."""


class Event(NamedTuple):
    """An event of a stream. Of a `game`, `data` are an `AccountGlance` or a `Glance` (`ulm_client.types`)."""

    name: str
    data: dict[str, Any]
    id: str = ""


def request(
    method: str, template: str, values: Mapping[str, Any], query: Mapping[str, Any] | None = None, **more: Any
) -> Send:
    """A request: of `values`, those that `template` names go into the path, the others into the query of a GET and into
    the body of what changes something. In a query None is left out, and a list parted by commas; `from_` is `from`."""
    named = set(re.findall(r"{(\w+)}", template))
    place = {name: value for name, value in values.items() if name in named}
    rest = {name.rstrip("_"): value for name, value in values.items() if name not in named and name != "self"}
    asked = {**(query or {}), **(rest if method == "GET" else {})}
    asked = {name: ",".join(value) if isinstance(value, list) else value for name, value in asked.items()}
    return Send(
        method,
        template,
        place,
        query={name: value for name, value in asked.items() if value is not None},
        body=rest if method in ("POST", "PUT", "PATCH") else None,
        headers={"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {},
        **more,
    )


def ask(send: Send, patience: float) -> Steps[Any]:
    """Send a request until it is answered; return what the answer holds: JSON, text, bytes, None for nothing."""
    reply = yield from answered(send, patience)
    return content(reply)


def answered(send: Send, patience: float, pauses: Iterator[float] | None = None) -> Steps[Reply]:
    """Send a request until it is answered. Raises `RefusedError`, and `NoAnswerError` after `patience` seconds."""
    waited = 0.0
    for pause in pauses or growing():
        reply: Reply | Exception = yield send
        if isinstance(reply, Reply) and "Deprecation" in reply.headers:
            warn_of_end(f"{send.method} {send.template}", reply.headers.get("Sunset"), reply.headers.get("Link"))
        if isinstance(reply, Reply) and reply.status < 300 and (reply.chunks or fits(send, reply)):
            return reply
        error = trouble(send, reply)
        if isinstance(reply, Reply) and reply.status >= 300 and reply.status not in LATER:
            raise error
        seconds = max(pause, retry_after(reply))
        waited += seconds
        if waited > patience:
            raise error
        log.warning("%s %s: %s; again in %.0f s", send.method, send.path, error, seconds)
        yield Wait(seconds)
    raise AssertionError("pauses have no end")


@functools.cache
def warn_of_end(operation: str, sunset: str | None, link: str | None) -> None:
    """Warn of an operation that will go (docs/promises.md): once, for it is called with the same again and again."""
    log.warning("%s is deprecated and may go on %s: %s", operation, sunset, link)


def growing() -> Iterator[float]:
    """Pauses that grow, without end, each a little else: not all clients come back at the same moment."""
    seconds = 1.0
    while True:
        yield seconds * random.uniform(0.5, 1)  # noqa: S311 - no secret
        seconds = min(2 * seconds, LONGEST)


def fits(send: Send, reply: Reply) -> bool:
    """Whether an answer is of the kind that was asked for: a proxy may have put a page in its place."""
    if reply.status == 204:
        return True
    told = reply.headers.get("Content-Type", "")
    if not told.startswith(send.accept):
        return False
    try:
        content(reply)
    except ValueError:
        return False
    return True


def content(reply: Reply) -> Any:
    """What an answer holds. Raises `ValueError` for JSON that is none."""
    kind = reply.headers.get("Content-Type", "").partition(";")[0]
    if not reply.content:
        return None
    if kind.endswith("json"):
        return json.loads(reply.content)
    return reply.content.decode() if kind.startswith("text/") or kind.endswith("xml") else reply.content


def trouble(send: Send, reply: Reply | Exception) -> UlmError:
    """Why a request has not been answered."""
    if isinstance(reply, Exception):
        return NoAnswerError(str(reply) or type(reply).__name__)
    if reply.status >= 300 and "Location" in reply.headers:
        return refusal(reply.status, {"message": f"the address of this server is {reply.headers['Location']}"})
    if reply.status < 300:
        return NoAnswerError(f"{send.accept} was asked for, and something else came")
    try:
        return refusal(reply.status, content(reply))
    except ValueError:
        return refusal(reply.status, None)


def retry_after(reply: Reply | Exception) -> float:
    """The seconds for which `Retry-After` asks, told in seconds or as a time."""
    told = "" if isinstance(reply, Exception) else reply.headers.get("Retry-After", "")
    if told.isdigit():
        return float(told)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(told).timestamp() - time.time())
    except ValueError:
        return 0.0


def pages(send: Send, patience: float) -> Items[Any]:
    """Hand out what a list holds, page by page."""
    following: Send | None = send
    while following:
        reply = yield from answered(following, patience)
        for row in content(reply):
            yield Item(row)
        following = next_page(following, reply)


def next_page(send: Send, reply: Reply) -> Send | None:
    """The request for what follows, as the header `Link` has it; None at the end. The token goes nowhere else: of the
    address only the query is taken."""
    found = re.search(r'<[^>?]*\?([^>]*)>; *rel="?next', reply.headers.get("Link", ""))
    return replace(send, query=dict(parse_qsl(found[1]))) if found else None


def rows(send: Send, patience: float, behind: Callable[[Any], dict[str, Any]]) -> Items[Any]:
    """Hand out the lines of JSON that an answer consists of, over all its pages. Where one breaks off it is asked again
    for what is `behind` the last line: so the query says it."""
    following: Send | None = replace(send, streams=True, accept="application/x-ndjson")
    pauses = growing()
    while following:
        reply = yield from answered(following, patience, pauses)
        lines, whole = Lines(), False
        while chunk := (yield Read(reply.chunks)):
            if isinstance(chunk, Exception):
                break
            for line in lines.feed(chunk):
                row = json.loads(line)
                following, pauses = replace(following, query={**following.query, **behind(row)}), growing()
                yield Item(row)
        else:
            whole = not lines.rest
        if whole:
            following = next_page(following, reply)
        else:
            yield Wait(next(pauses))


def handed_out(steps: Steps[T]) -> Items[T]:
    """Hand out what steps come to."""
    yield Item((yield from steps))


def events(send: Send, patience: float, over: Callable[[Event], bool]) -> Items[Event]:
    """Hand out the events of a stream until one that is the last, through all its ends: it goes on where it was."""
    last, pauses = "", growing()
    while True:
        headers = {"Last-Event-ID": last} if last else {}
        stream = replace(send, headers=headers, accept="text/event-stream", streams=True)
        reply = yield from answered(stream, patience, pauses)
        parser, heard = Events(), False
        while chunk := (yield Read(reply.chunks)):
            if isinstance(chunk, Exception):
                break
            heard = True
            for event in parser.feed(chunk):
                last = event.id or last
                yield Item(event)
                if over(event):
                    return
        if heard:
            pauses = growing()
        yield Wait(SOON if heard else next(pauses))


class Lines:
    """Bytes that come in pieces, line by line."""

    def __init__(self) -> None:
        self.rest = b""

    def feed(self, chunk: bytes) -> list[str]:
        """Return the lines that are whole now."""
        *whole, self.rest = (self.rest + chunk).split(b"\n")
        return [line.decode().rstrip("\r") for line in whole]


class Events:
    """Server-sent events that come in pieces. One that is cut off is none."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._fields: dict[str, str] = {}

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yield the events that are whole now."""
        for line in self._lines.feed(chunk):
            name, _, value = line.partition(":")
            if line:
                self._fields[name] = value.removeprefix(" ")
                continue
            found, self._fields = self._fields, {}
            if "data" in found:
                yield Event(found.get("event", "message"), json.loads(found["data"]), found.get("id", ""))


def carry(steps: Items[S], then: Callable[[S], Items[T]]) -> Items[T]:
    """Take the steps, and those of `then` for each item instead of handing it out."""
    came: Any = None
    while True:
        try:
            step = steps.send(came)
        except StopIteration:
            return
        if isinstance(step, Item):
            came = None
            yield from then(step.value)
        else:
            came = yield step
