"""What the replay tools raise. The message is for the person at the terminal: it says what is wrong and where."""

from __future__ import annotations

from typing import NamedTuple


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
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)
