"""A finished game as one file for people: a page that replays it without a network, or an animation.

Making one takes seconds of work, so each process makes one at a time and keeps the last few.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

from replays import picture, report
from replays.errors import ReplayError
from replays.replay import Replay
from server.language import gettext as _
from server.service import speech
from server.service.accounts import Player
from server.service.errors import ServiceError
from server.service.kept import ByStore, Kept
from server.service.replays import replay_at
from server.storage.database import Store

KEPT = 8
WAIT_SECONDS = 20.0
IN_LINE = 3
"""So many at most wait or are at work: each holds a thread of the server, and those who play need some too."""
EACH = ("turn", "round")


class NotInstalledError(ServiceError):
    """This server was installed without what the answer needs."""

    status = 501


class BusyError(ServiceError):
    """Another export is being made; trying again soon makes sense."""

    status = 503


_made: ByStore[Kept[bytes]] = ByStore(lambda: Kept(KEPT))
_making = threading.Lock()
_line = threading.BoundedSemaphore(IN_LINE)


def require(store: Store, game_id: str, seat: int | None, player: Player | None) -> Replay:
    """The replay to be exported. Raises `NotFound`."""
    return replay_at(store, game_id, 0, seat, player)


def html(store: Store, game_id: str, seat: int | None, theme: str, language: str, player: Player | None) -> bytes:
    """One page, nothing in it comes from elsewhere; with every hand open or as `seat` saw the game.

    `language` is a code of `LANGUAGES`. Raises `NotFound`, `BusyError`.
    """
    replay = require(store, game_id, seat, player)
    name = ("html", game_id, seat, theme, language, *replay.names)  # which go when their accounts do
    speaker = speech.speaker_of(language)
    return _kept(store, name, lambda: report.html(replay, seat, theme, language, speaker).encode())


def gif(
    store: Store, game_id: str, seat: int | None, theme: str, language: str, width: int, each: str,
    player: Player | None,
) -> bytes:  # fmt: skip
    """An animation, one picture for each `turn` or `round`, `width` pixels wide.

    Raises `NotFound`, `BusyError`, and `NotInstalledError` without the extra `export`.
    """
    replay = require(store, game_id, seat, player)

    def make() -> bytes:
        plies = picture.plies_of(replay, each)
        look = {"layout": "wide", "theme": theme, "language": language}
        svgs = (picture.picture(replay, ply, seat, **look) for ply in plies)
        target = io.BytesIO()
        try:
            picture.gif(picture.pngs(svgs, width, jobs=1), target)
        except ReplayError as error:
            raise NotInstalledError(_("this server makes no animations: %(error)s", error=error)) from None
        return target.getvalue()

    return _kept(store, ("gif", game_id, seat, theme, language, width, each, *replay.names), make)


def _kept(store: Store, name: tuple[Any, ...], make: Callable[[], bytes]) -> bytes:
    made = _made.of(store)
    known = made.get(name)
    if known is not None:
        return known
    if not _line.acquire(blocking=False):
        raise _busy()
    try:
        if not _making.acquire(timeout=WAIT_SECONDS):
            raise _busy()
        try:
            return made.made(name, make)
        finally:
            _making.release()
    finally:
        _line.release()


def _busy() -> BusyError:
    return BusyError(_("another export is being made: try again in a little while"))
