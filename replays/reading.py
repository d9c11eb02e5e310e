"""Records from texts: the strict reader raises at the first defect, the lenient one (`damage`) reports all.

for source, record in records(["games.jsonl.gz"]): ...      # read, and with verify=True replayed as well
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from replays import sandbox, variations
from replays.errors import ReadError, Source, rule_of
from replays.files import LIMITS, STANDARD_INPUT, STDIN, Item, Limits, place, texts
from replays.nesting import DEPTH, too_deep
from server.engine import record as records_
from server.engine.errors import RecordError
from server.engine.record import Record
from server.engine.ulm1.state import State


class Read(NamedTuple):
    """A record and where it was found."""

    source: Source
    record: Record


def records(paths: Iterable[str | os.PathLike[str]], limits: Limits = LIMITS, verify: bool = False) -> Iterator[Read]:
    """The strict reader: yield every record of `paths` in order, one at a time in memory.

    Raises `ReadError` at the first that cannot be read or is no record; with `verify` also at the first with an illegal
    move, a wrong digest or a wrong result.
    """
    for item in texts(paths, limits):
        record = parse(item)
        if verify:
            verified(item.source, record)
        yield Read(item.source, record)


def parse(item: Item) -> Record:
    """The record of one text, not yet replayed. Raises `ReadError`."""
    if item.text is None:
        raise ReadError(item.source, item.problem or "cannot be read")
    try:
        return loads(item.text)
    except RecordError as error:
        raise ReadError(item.source, error.message, error.ply) from error


def loads(text: bytes | str) -> Record:
    """As `server.engine.record.loads`, and refuse what is nested deeper than `DEPTH`. Raises `RecordError`."""
    record = records_.loads(text)
    for part in (record.extra, record.seed_extra, record.players, record.result):
        if too_deep(part):
            raise RecordError(0, f"lists and objects are nested more than {DEPTH} deep")
    return record


def verified(source: Source, record: Record) -> State:
    """Replay a record, its variations too; return the last state. Raises `ReadError` naming ply and rule."""
    try:
        state = records_.verify(record)
        variations.verify(record)
    except RecordError as error:
        raise ReadError(source, error.message, error.ply, rule_of(error)) from error
    return state


def text_of(path: str, limits: Limits = LIMITS) -> tuple[Source, bytes]:
    """The text of the one record that `path` names: a file of one, or one line of a stream as `FILE:LINE`.

    Raises `ReadError`, also when there are several to choose from.
    """
    name, line = place(path)
    found: Item | None = None
    for item in texts([path], limits):
        if found is not None:
            raise ReadError(Source(name), f"holds several records: name one, as in {found.source}")
        found = item
    if found is None:
        raise ReadError(Source(STANDARD_INPUT if path == STDIN else name, line), "there is no record here")
    if line is not None and found.source.line is None and found.text is not None:
        raise ReadError(Source(name, line), "this file holds one record, not one on each line: leave the line out")
    if found.text is None:
        raise ReadError(found.source, found.problem or "cannot be read")
    return found.source, found.text


def one(path: str, limits: Limits = LIMITS) -> Read:
    """The one record or sandbox that `path` names, as of `text_of`. Not replayed. Raises `ReadError`."""
    source, text = text_of(path, limits)
    if sandbox.looks_like(text):
        try:
            return Read(source, sandbox.loads(text))
        except RecordError as error:
            raise ReadError(source, error.message, error.ply) from error
    return Read(source, parse(Item(source, text)))
