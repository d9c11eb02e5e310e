"""Files, directories and streams of records, read as texts in constant memory.

    for item in texts(["games/", "archive.jsonl.zst"]):
        item.source, item.text                 # or item.problem, where the text could not be had

Kinds, by name: `….json` holds one record (record.md §5), `….jsonl` one on each line; both also as `.gz` and `.zst`. A
directory stands for all such files under it, `-` for lines on standard input, `games.jsonl:17` for one line.
Compression is told by the file's first bytes, so a wrong suffix does no harm.

Nothing here trusts a file: `Limits` bounds what is held and what a compressed file may unpack to.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

from replays.errors import ReadError, ReplayError, Source

STDIN, STANDARD_INPUT = "-", "standard input"
_NOTHING_UNDER = "no records under this directory (*.ulm.json, *.jsonl, .gz, .zst)"
_NO_NAME = "not a name of records: *.ulm.json, *.jsonl, each also with .gz or .zst"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_COMPRESSED = (".gz", ".zst")
_PLACE = re.compile(r"(.+):([1-9]\d{0,8})", re.DOTALL)
_CHUNK = 1 << 16
_ZSTD_WINDOW = 1 << 27  # what `zstd` itself accepts without being told to; more is memory that a file asks for


class Limits(NamedTuple):
    """Bounds on what is read, in bytes but for the last.

    `record` bounds one record (a game with every digest takes some 20 000), `stream` all that a file unpacks to, and
    `ratio` how many times its own size that may be; a ratio is asked for only beyond `free` bytes.
    """

    record: int = 4 << 20
    stream: int = 64 << 30
    free: int = 16 << 20
    ratio: int = 200


LIMITS = Limits()


class Item(NamedTuple):
    """The text of one record, or the problem that stands in its place."""

    source: Source
    text: bytes | None
    problem: str | None = None


class Meter:
    """How much of some paths has been read, in bytes on the disk."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]] = ()) -> None:
        names = [os.fspath(path) for path in paths]
        piped = STDIN in names and not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
        self.total: int | None = None if piped else size_of(names)
        """How much there is; None where nobody knows, of a pipe."""
        self._before = 0
        self._open: Any = None

    @property
    def done(self) -> int:
        """How much of it has been read."""
        return self._before + (0 if self._open is None else self._open.tell())

    def begin(self, raw: IO[bytes]) -> None:
        """`raw`, an open file, is read from now on."""
        self._open = raw if raw.seekable() else None

    def end(self) -> None:
        """It has been read, and is about to be closed."""
        self._before, self._open = self.done, None


def texts(
    paths: Iterable[str | os.PathLike[str]], limits: Limits = LIMITS, meter: Meter | None = None
) -> Iterator[Item]:
    """Yield the text of every record in `paths`, in order; what cannot be read comes as an `Item` with its problem.

    `meter` is told how far that is.
    """
    meter = meter or Meter()
    for path in paths:
        name = os.fspath(path)
        if name == STDIN:
            meter.begin(sys.stdin.buffer)
            yield from _lines(Source(STANDARD_INPUT), sys.stdin.buffer, limits)
            meter.end()
        elif os.path.isdir(name):
            found = False
            for inner in _files_under(name):
                found = True
                yield from _texts_of(inner, limits, meter)
            if not found:
                yield Item(Source(name), None, _NOTHING_UNDER)
        else:
            whole, line = place(name)
            for item in _texts_of(whole, limits, meter):
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
        problem = _problem(name)
        if problem is None and not os.path.isdir(name):
            with open(name, "rb"):  # whether that is allowed, only trying tells
                pass
        if problem is not None:
            raise ReadError(Source(name), problem)


def _problem(name: str) -> str | None:
    if os.path.isdir(name):
        return None if any(True for _ in _files_under(name)) else _NOTHING_UNDER
    if not os.path.exists(name):
        return "there is no such file"
    if not os.path.isfile(name):
        return "not a regular file"
    return None if _bare(name).endswith((".json", ".jsonl", ".ndjson")) else _NO_NAME


def place(path: str) -> tuple[str, int | None]:
    """Part `games.jsonl:17` into file and line; a name without a line, or that is itself a file, comes back whole."""
    found = _PLACE.fullmatch(path)
    if found is None or os.path.exists(path):
        return path, None
    return found[1], int(found[2])


def is_stream(name: str) -> bool:
    """Whether a file of this name holds a record on each line."""
    return _bare(name).endswith((".jsonl", ".ndjson"))


def size_of(paths: Iterable[str | os.PathLike[str]]) -> int:
    """The bytes on disk of all files in `paths`, for a progress bar."""
    total = 0
    for path in paths:
        name = place(os.fspath(path))[0]
        if name == STDIN:
            total += os.fstat(sys.stdin.fileno()).st_size
        for inner in _files_under(name) if os.path.isdir(name) else (name,):
            total += os.path.getsize(inner) if os.path.isfile(inner) else 0
    return total


def _bare(name: str) -> str:
    lower = name.lower()
    for suffix in _COMPRESSED:
        lower = lower.removesuffix(suffix)
    return lower


def _files_under(directory: str) -> Iterator[str]:
    """Files of records under a directory, ordered by name; symbolic links to directories are not followed."""
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            if _bare(name).endswith((".ulm.json", ".jsonl", ".ndjson")):
                yield os.path.join(folder, name)


def _texts_of(name: str, limits: Limits, meter: Meter) -> Iterator[Item]:
    source = Source(name)
    if not _bare(name).endswith((".json", ".jsonl", ".ndjson")):
        yield Item(source, None, _NO_NAME)
        return
    try:
        with ExitStack() as stack:
            stream = open_stream(name, limits, stack, meter)
            if is_stream(name):
                yield from _lines(source, stream, limits)
                return
            text = stream.read(limits.record + 1)
        yield Item(source, None, _too_long(limits)) if len(text) > limits.record else Item(source, text)
    except (OSError, EOFError, zlib.error, ReadError) as error:
        yield Item(source, None, why(error))


def why(error: Exception) -> str:
    """What stands against a file, without its name, for a message that begins with that."""
    if isinstance(error, ReadError):
        return error.message
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"damaged or cut off ({error})"


def _too_long(limits: Limits) -> str:
    return f"the record is longer than {limits.record} bytes"


def _lines(source: Source, stream: IO[bytes], limits: Limits) -> Iterator[Item]:
    """Each line of a stream that is not blank; a line that is too long is skipped, not held."""
    number = 0
    try:
        while line := stream.readline(limits.record + 1):
            number += 1
            here = Source(source.path, number)
            if len(line) > limits.record and not line.endswith(b"\n"):
                yield Item(here, None, _too_long(limits))
                while line and not line.endswith(b"\n"):
                    line = stream.readline(_CHUNK)
            elif line.strip():
                yield Item(here, line)
    except (OSError, EOFError, zlib.error, ReadError) as error:
        yield Item(Source(source.path, number + 1), None, why(error))


def open_stream(name: str, limits: Limits, stack: ExitStack, meter: Meter) -> IO[bytes]:
    """Open a file for reading, unpacked; what is opened is closed with `stack`. Raises `OSError` and `ReadError`."""
    if not os.path.isfile(name):
        raise ReadError(Source(name), _problem(name) or "not a regular file")
    raw = stack.enter_context(Path(name).open("rb"))
    meter.begin(raw)
    stack.callback(meter.end)
    first = raw.read(4)
    raw.seek(0)
    if first.startswith(_GZIP):
        inner: Any = stack.enter_context(gzip.GzipFile(fileobj=raw))
    elif first == _ZSTD:
        reader = _zstandard(name).ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        inner = stack.enter_context(reader.stream_reader(raw, read_across_frames=True, closefd=False))
    else:
        return raw
    guarded = _Guarded(inner, Source(name), os.path.getsize(name), limits)
    return stack.enter_context(io.BufferedReader(guarded, _CHUNK))


class _Guarded(io.RawIOBase):
    """An unpacked file that raises `ReadError` once it has grown out of all proportion to what lies on the disk."""

    def __init__(self, inner: Any, source: Source, packed: int, limits: Limits) -> None:  # noqa: ANN401
        self._inner, self._source, self._read = inner, source, 0
        self._most = min(limits.stream, max(limits.free, packed * limits.ratio))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        try:
            data = self._inner.read(len(buffer))
        except Exception as error:  # zstandard has an error class of its own, not there without it
            if isinstance(error, (OSError, EOFError, zlib.error)) or type(error).__name__ == "ZstdError":
                raise ReadError(self._source, f"damaged or cut off ({error})") from error
            raise
        self._read += len(data)
        if self._read > self._most:
            raise ReadError(self._source, f"unpacks to more than {self._most} bytes: refused as a decompression bomb")
        buffer[: len(data)] = data
        return len(data)


def _zstandard(name: str) -> Any:  # noqa: ANN401
    try:
        import zstandard
    except ImportError:
        message = "a .zst file needs the zstandard package: pip install 'ulm-by-mail[zstd]'"
        raise ReadError(Source(name), message) from None
    return zstandard


class Writer:
    """Writes records to one place; use it in a `with`.

    `target` is `-` (lines on standard output), a name of records as above, or a directory (there already, or a name
    that ends in a slash), which gets `ID.ulm.json` for each record. A file takes its name only when it is complete: an
    interrupted run leaves what was there before. Raises `ReplayError` for a name that is none, `OSError`.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.written = 0
        self._directory = target.endswith("/") or os.path.isdir(target)
        self._stack = ExitStack()
        self._stream: Any = None
        self._half = ""

    def __enter__(self) -> Writer:
        if self._directory:
            os.makedirs(self.target, exist_ok=True)
        elif self.target == STDIN:
            self._stream = sys.stdout.buffer
        else:
            if not _bare(self.target).endswith((".json", ".jsonl", ".ndjson")):
                raise ReplayError(f"{self.target}: name it *.ulm.json, *.jsonl, either with .gz or .zst, or DIRECTORY/")
            self._half = f"{self.target}.part"
            self._stream = self._open(self._half, self.target.lower())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stack.close()
        if self._half and kind is None:
            os.replace(self._half, self.target)
        elif self._half:
            Path(self._half).unlink(missing_ok=True)
        if self._stream is sys.stdout.buffer:
            self._stream.flush()

    def write(self, identity: str, text: str) -> None:
        """Add the record `text`, one line of JSON; `identity` is its id, which names the file in a directory."""
        data = text.encode() + b"\n"
        if self._directory:
            self._write_file(os.path.join(self.target, f"{_file_name(identity, self.written)}.ulm.json"), data)
        elif self.written and self.target != STDIN and not is_stream(self.target):
            raise ReplayError(f"{self.target}: holds one record; name it *.jsonl or DIRECTORY/ for several")
        else:
            self._stream.write(data)
        self.written += 1

    def _write_file(self, name: str, data: bytes) -> None:
        if os.path.exists(name):
            raise ReplayError(f"{name}: is there already")
        with open(f"{name}.part", "wb") as file:
            file.write(data)
        os.replace(f"{name}.part", name)

    def _open(self, name: str, kind: str) -> Any:  # noqa: ANN401
        raw = self._stack.enter_context(Path(name).open("wb"))
        if kind.endswith(".gz"):
            # Neither name nor time inside: the same records give the same bytes.
            return self._stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        if kind.endswith(".zst"):
            compressor = _zstandard(self.target).ZstdCompressor(level=9)
            return self._stack.enter_context(compressor.stream_writer(raw, closefd=False))
        return raw


def _file_name(identity: str, number: int) -> str:
    """A safe file name for a record's id: ids come from files and may hold anything."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in identity)[:80].lstrip(".")
    return safe or f"record-{number + 1}"
