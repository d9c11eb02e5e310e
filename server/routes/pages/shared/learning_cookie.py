"""Where a visitor has left off in the guided first game: their browser keeps it, the server does not."""

from __future__ import annotations

from typing import NamedTuple

from flask import url_for

from server.routes.http import browser_session
from server.service.learning import walk
from server.service.learning.lessons import LAST
from server.service.learning.walk import Place
from server.service.views import drafts

COOKIE = "ulm_learn"
_WRITTEN = str.maketrans(" ,", "~.")  # neither is in a move: quarters have "_" in their names, cards "-"
_READ = str.maketrans("~.", " ,")


class LeftOff(NamedTuple):
    """The lesson, and where it goes on; `over`: there is nothing left to learn."""

    number: int
    href: str
    over: bool


def kept(place: Place) -> str:
    """What the browser keeps: the place, or the next lesson where this one is over."""
    number, moves = place.number, place.moves
    if place.over and number < LAST:
        number, moves = walk.next_place(place)
    return f"{number}.{drafts.write(moves).translate(_WRITTEN)}"


def left_off() -> LeftOff | None:
    """Where the visitor has left off; None for who never began. What the cookie holds may be nonsense."""
    kept = (browser_session.cookie(COOKIE) or "")[: walk.LONGEST]
    head, _dot, tail = kept.partition(".")
    if not (head.isascii() and head.isdigit() and len(head) < 3):
        return None
    place = walk.at(int(head), tail.translate(_READ))
    if place.number == 1 and not place.moves:
        return None
    href = url_for("learn-pages.lesson", lesson=place.number, moves=place.text or None)
    return LeftOff(place.number, href, place.over and place.number == LAST)
