"""Records from texts, strictly: the first defect raises.

for source, record in records(["games.jsonl.gz"]): ...      # read, and with verify=True replayed as well
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from replays import sandbox
from replays.files import STANDARD_INPUT, STDIN, Item, ReadError, Source, place, texts
from server.engine import own_values, rulesets
from server.engine import record as records_
from server.engine.errors import IllegalMoveError, RecordError
from server.engine.record import Record
from server.engine.ulm1.state import State

own_rulesets: list[str] = []
"""The files, as texts, whose rulesets were added: a process that is begun to help has to add them, too."""


def register(text: str) -> None:
    """Let the engine know the ruleset of a file's text. Raises `TOMLDecodeError`, `OwnValuesError`."""
    rulesets.register(own_values.ruleset_of(tomllib.loads(text)).rules)
    own_rulesets.append(text)


class Read(NamedTuple):
    """A record and where it was found."""

    source: Source
    record: Record


def records(paths: Iterable[str | os.PathLike[str]], verify: bool = False) -> Iterator[Read]:
    """Yield every record of `paths` in order, one at a time in memory. Raises `ReadError` at the first that cannot be
    read or is no record; with `verify` also at the first with an illegal move, a wrong digest or a wrong result."""
    for item in texts(paths):
        record = parse(item)
        if verify:
            verified(item.source, record)
        yield Read(item.source, record)


def parse(item: Item) -> Record:
    """The record, or sandbox, of one text, not yet replayed. Raises `ReadError`."""
    if item.text is None:
        raise ReadError(item.source, item.problem or "cannot be read")
    try:
        return sandbox.loads(item.text) if sandbox.looks_like(item.text) else records_.loads(item.text)
    except RecordError as error:
        raise ReadError(item.source, error.message, error.ply) from error


def verified(source: Source, record: Record) -> State:
    """Replay a record; return the last state. Raises `ReadError` naming ply and rule."""
    try:
        return records_.verify(record)
    except RecordError as error:
        cause = error.__cause__
        rule = cause.rule if isinstance(cause, IllegalMoveError) else None
        raise ReadError(source, error.message, error.ply, rule) from error


def text_of(path: str) -> Item:
    """The text of the one record that `path` names: a file of one, or one line of a stream as `FILE:LINE`. Raises
    `ReadError`, also when there are several to choose from."""
    name, line = place(path)
    found: Item | None = None
    for item in texts([path]):
        if found is not None:
            raise ReadError(Source(name), f"holds several records: name one, as in {found.source}")
        found = item
    if found is None:
        raise ReadError(Source(STANDARD_INPUT if path == STDIN else name, line), "there is no record here")
    if line is not None and found.source.line is None and found.text is not None:
        raise ReadError(Source(name, line), "this file holds one record, not one on each line: leave the line out")
    if found.text is None:
        raise ReadError(found.source, found.problem or "cannot be read")
    return found


def one(path: str) -> Read:
    """The one record or sandbox that `path` names, as of `text_of`. Not replayed. Raises `ReadError`."""
    item = text_of(path)
    return Read(item.source, parse(item))
