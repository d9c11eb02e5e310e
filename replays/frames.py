"""Boards of many plies as one small thing: taken apart at their groups, each part stored once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypedDict, Unpack

from replays.sight import sight, sights
from server.board.changes import changed
from server.board.svg import Style, board_svg
from server.engine.game import Game

_CUT = "\0"
"""Stands in no picture."""

Frames = TypedDict("Frames", {"from": int, "parts": list[str], "plies": list[list[int]]})
"""The first ply; the parts of all pictures; by ply the numbers of its parts, in order."""


def frames(replay: Game, first: int, last: int, seat: int | None = None, **options: Unpack[Style]) -> Frames:
    """The pictures of the plies `first` to `last`, what each ply changed marked.

    The picture of ply `from + i` is `parts` in the order that `plies[i]` names, joined. `seat` and `options` as of
    `picture.picture`. Raises `IndexError` when there is no such ply, `ValueError` for options that do not fit.
    """
    parts: list[str] = []
    plies = []
    for fresh, numbers in taken_apart(replay, first, last, seat, **options):
        parts += fresh
        plies.append(numbers)
    return {"from": first, "parts": parts, "plies": plies}


def taken_apart(
    replay: Game, first: int, last: int, seat: int | None = None, **options: Unpack[Style]
) -> Iterator[tuple[list[str], list[int]]]:
    """The same ply by ply, as `parts_of` says it."""
    return parts_of(_pictures(replay, first, last, seat, **options))


def parts_of(pictures: Iterable[str]) -> Iterator[tuple[list[str], list[int]]]:
    """Of each picture the parts that none before had, and the numbers of all of its parts. Of parts that were given out
    nothing is held but a hash, so that a long game takes no more memory than a short one."""
    known: dict[bytes, int] = {}
    for picture in pictures:
        fresh, numbers = [], []
        for part in _at_groups(picture):
            name = blake2b(part.encode(), digest_size=16).digest()
            number = known.get(name)
            if number is None:
                number = known[name] = len(known)
                fresh.append(part)
            numbers.append(number)
        yield fresh, numbers


def _at_groups(picture: str) -> list[str]:
    """The picture cut before and after each group. (A pattern that looks ahead takes twenty times as long.)"""
    before = picture.replace("<g ", f"{_CUT}<g ").replace("<g>", f"{_CUT}<g>")
    return before.replace("</g>", f"</g>{_CUT}").replace(_CUT * 2, _CUT).split(_CUT)


def _pictures(replay: Game, first: int, last: int, seat: int | None = None, **options: Unpack[Style]) -> Iterator[str]:
    before = sight(replay, first - 1, seat) if first else None
    for seen in sights(replay, first, last, seat):
        marked = changed(before, seen) if before is not None else None
        yield board_svg(seen, seat=seat, names=replay.names, highlight=marked, **options)
        before = seen
