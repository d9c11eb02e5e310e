"""Files, directories and streams of records, read as texts in constant memory.

    for item in texts(["games/", "archive.jsonl.gz"]):
        item.source, item.text                 # or item.problem, where the text could not be had

Kinds, by name: `….json` holds one record (record.md §5), `….jsonl` or `….ndjson` one on each line; all also as `.gz` or
`.zst`. A directory stands for all such files under it, `-` for lines on standard input, `games.jsonl:17` for one line.
Nothing here trusts a file: what is held is bounded, and what a packed file may unpack to.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedIOBase
from typing import IO, NamedTuple, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


class Source(NamedTuple):
    """Where a record stands: a file, and for a stream of records the line in it (from 1)."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class ReplayError(Exception):
    """Something a tool cannot go on from; the command ends with its message."""


class ReadError(ReplayError):
    """A file or a record that cannot be read. `source` says where; `ply` and `rule` are None where none is at fault."""

    def __init__(self, source: Source, message: str, ply: int | None = None, rule: str | None = None) -> None:
        super().__init__(f"{source}: {message}" if ply is None else f"{source}: ply {ply}: {message}")
        self.source = source
        self.message = message
        self.ply = ply
        self.rule = rule


def printable(text: str) -> str:
    """Text from a file as it may go to a terminal: control characters, which could command it, are shown instead."""
    return "".join(c if c.isprintable() or c in "\n\t\u200c\u200d" else f"\\x{ord(c):02x}" for c in text)


STDIN, STANDARD_INPUT = "-", "standard input"
_NOTHING_UNDER = "no records under this directory (*.ulm.json, *.jsonl, *.ndjson, each also .gz or .zst)"
_NO_NAME = "not a name of records: *.ulm.json, *.jsonl, *.ndjson, each also .gz or .zst"
_LINES = (".jsonl", ".ndjson")
_PACKINGS: dict[bytes, Callable[[IO[bytes]], BufferedIOBase]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\x28\xb5": lambda raw: zstd.ZstdFile(raw),
}
"""What unpacks a file, by its first two bytes: a wrong suffix does no harm."""
_PLACE = re.compile(r"(.+):([1-9]\d{0,8})", re.DOTALL)
_CHUNK = 1 << 16


RECORD_MOST = 4 << 20
"""Bytes of one record: a game with every digest takes some 20 000."""
_TOO_LONG = "the record is longer than %d bytes"
_FREE, _RATIO = 16 << 20, 200
"""How many times its own size a packed file may unpack to, which is asked for only beyond so many bytes."""


class Item(NamedTuple):
    """The text of one record, or the problem that stands in its place."""

    source: Source
    text: bytes | None
    problem: str | None = None


def texts(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Item]:
    """Yield the text of every record in `paths`, in order; what cannot be read comes as an `Item` with its problem."""
    for path in paths:
        name, line = place(os.fspath(path))
        if name == STDIN:
            yield from _lines(Source(STANDARD_INPUT), cast("BufferedIOBase", sys.stdin.buffer))
        elif os.path.isdir(name):
            for inner in _files_under(name):
                yield from _texts_of(inner)
            if problem := _problem(name):
                yield Item(Source(name), None, problem)
        else:
            for item in _texts_of(name):
                if line in (None, item.source.line) or item.source.line is None:
                    yield item
                if line is not None and item.source.line == line:
                    break


def require(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Raise `ReadError` for the first path that there is no reading: missing, not to be opened, without any record."""
    for path in paths:
        name, _line = place(os.fspath(path))
        if name == STDIN:
            continue
        if problem := _problem(name):
            raise ReadError(Source(name), problem)
        if not os.path.isdir(name):
            with open(name, "rb"):  # whether that is allowed, only trying tells
                pass


def place(path: str) -> tuple[str, int | None]:
    """Part `games.jsonl:17` into file and line; a name without a line, or that is itself a file, comes back whole."""
    found = _PLACE.fullmatch(path)
    return (path, None) if found is None or os.path.exists(path) else (found[1], int(found[2]))


def _problem(name: str) -> str | None:
    """What stands against reading a path, as far as its name tells."""
    if os.path.isdir(name):
        return None if any(True for _ in _files_under(name)) else _NOTHING_UNDER
    if not os.path.exists(name):
        return "there is no such file"
    if not os.path.isfile(name):
        return "not a regular file"
    return None if _bare(name).endswith((".json", *_LINES)) else _NO_NAME


def _bare(name: str) -> str:
    return name.lower().removesuffix(".gz").removesuffix(".zst")


def _files_under(directory: str) -> Iterator[str]:
    """Files of records under a directory, ordered by name; symbolic links to directories are not followed."""
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            if _bare(name).endswith((".ulm.json", *_LINES)):
                yield os.path.join(folder, name)


def _texts_of(name: str) -> Iterator[Item]:
    source = Source(name)
    if problem := _problem(name):
        yield Item(source, None, problem)
        return
    try:
        with open(name, "rb") as raw:
            unpack = _PACKINGS.get(raw.read(2))
            raw.seek(0)
            stream: BufferedIOBase = raw if unpack is None else _Unpacked(unpack(raw), raw, source)
            if _bare(name).endswith(_LINES):
                yield from _lines(source, stream)
                return
            text = stream.read(RECORD_MOST + 1)
        yield Item(source, None, _TOO_LONG % RECORD_MOST) if len(text) > RECORD_MOST else Item(source, text)
    except _UNREADABLE as error:
        yield Item(source, None, _why(error))


_UNREADABLE = (OSError, EOFError, zlib.error, zstd.ZstdError, ReadError)


def _why(error: Exception) -> str:
    """What stands against a file, without its name, for a message that begins with that."""
    if isinstance(error, ReadError):
        return error.message
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"damaged or cut off ({error})"


def _lines(source: Source, stream: BufferedIOBase) -> Iterator[Item]:
    """Each line of a stream that is not blank; a line that is too long is skipped, not held."""
    number, held = 1, b""  # of the line that what is held begins with
    try:
        while True:
            bare = held.lstrip()  # blank lines all at once: a small file may unpack to millions
            number += held.count(b"\n", 0, len(held) - len(bare))
            end = bare.find(b"\n")
            held = bare
            if max(end, len(held) if end < 0 else 0) > RECORD_MOST:
                yield Item(Source(source.path, number), None, _TOO_LONG % RECORD_MOST)
                while end < 0 and (held := stream.read1(_CHUNK)):
                    end = held.find(b"\n")
            elif end >= 0:
                yield Item(Source(source.path, number), held[: end + 1])
            else:
                more = stream.read1(_CHUNK)
                if not more and held:
                    yield Item(Source(source.path, number), held)
                if not more:
                    return
                held += more
                continue
            number, held = number + 1, held[end + 1 :] if end >= 0 else b""
    except _UNREADABLE as error:
        yield Item(Source(source.path, number), None, _why(error))


class _Unpacked(BufferedIOBase):
    """A packed file that raises `ReadError` once it has grown out of all proportion to what lies on the disk."""

    def __init__(self, stream: BufferedIOBase, raw: IO[bytes], source: Source) -> None:
        self._stream = stream
        self._source = source
        self._most = max(_FREE, os.fstat(raw.fileno()).st_size * _RATIO)

    def read(self, size: int | None = -1) -> bytes:
        """Read so many bytes. Raises `ReadError`."""
        return self._counted(self._stream.read(size))

    def read1(self, size: int = -1) -> bytes:
        """Read what there is, so many bytes at most. Raises `ReadError`."""
        return self._counted(self._stream.read1(size))

    def _counted(self, data: bytes) -> bytes:
        if self._stream.tell() > self._most:
            message = f"unpacks to more than {self._most} bytes: refused as a decompression bomb"
            raise ReadError(self._source, message)
        return data
