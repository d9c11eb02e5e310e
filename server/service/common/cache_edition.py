"""A short name for what a game and its players are called and for the code that words and draws it. What stands at an
address with it may be kept for ever; when a name goes, the address that is handed out from then on is another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_MADE_BY = ("server.engine", "server.board", "replays")


def edition(title: str, names: Sequence[str]) -> str:
    """The edition of a game that is called `title`, with players of these names."""
    return sha256("\0".join([_made_by(), title, *names]).encode("utf-8", "replace")).hexdigest()[:12]


@lru_cache(maxsize=1)  # 1.5 ms and the reading of many files, at each page of a game twice
def _made_by() -> str:
    """Changes with the code of boards, sentences and records: another release may show the same game otherwise."""
    sources = [file for package in _MADE_BY for file in _within(files(package)) if file.name.endswith(".py")]
    return sha256(b"".join(file.read_bytes() for file in sorted(sources, key=str))).hexdigest()


def _within(folder: Traversable) -> Iterator[Traversable]:
    """The files of a folder and of all in it: each ruleset has one of its own."""
    for one in folder.iterdir():
        yield from _within(one) if one.is_dir() else (one,)
