"""A finished game to be watched on a page. Who may see the game is asked each time; what was made is kept."""

from __future__ import annotations

import gzip
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock

import orjson
from cachetools import LRUCache, cached

import server.language as language
from replays.analysis import results
from replays.analysis.results import MomentInWords
from replays.picture import frames, picture
from replays.sight import Chapter, chapters
from server import engine
from server.engine.errors import UlmError
from server.language import LANGUAGES, N_, capital
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.archive import analyses, replay_lists, replays
from server.service.archive.analyses import AnalysisUnderWay, KeptAnalysis
from server.service.archive.replay_lists import ReplaySummary
from server.service.common.cache_edition import edition
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.common.render_queue import RenderQueue
from server.service.explain import game_words
from server.service.games.model import SANDBOX
from server.storage.database import Store

CHUNK = 40  # Plies whose boards come together: some 35 kB packed, and a third of a second of work the first time

PREFIXES = {"wide": "wide", "narrow": "ulm"}  # What the ids of a board begin with, by layout: both stand on one page

_KEPT_CHUNKS, _KEPT_LOGS, _KEPT_BOARDS = 96, 32, 64  # 4 MB, 10 MB, 6 MB
IN_LINE, _WAIT_SECONDS = 3, 10.0
_THEME = "page"


@dataclass(frozen=True, slots=True)
class Log:
    """A whole game in words, for one reader; never changed."""

    chapters: list[Chapter]
    turns: list[int]  # the last ply of each turn
    rounds: list[int]  # the last ply of each round
    vp: list[list[int]]  # the points by seat, from ply 0 on


@dataclass(frozen=True, slots=True)
class Watched:
    """A replay at one ply, for one reader."""

    summary: ReplaySummary
    private: bool
    commitment: str | None
    """What the server showed when the game was made; None where nothing was promised (imported games, sandboxes)."""
    names: list[str]
    plies: int
    ply: int
    seat: int | None  # whose knowledge is shown; None: nothing is withheld
    log: Log
    boards: dict[str, str]
    version: str  # changes with whatever the boards show: names, words, and how they are drawn


def watch(store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None) -> Watched:
    """The replay at `ply` (None: the first), in the language in force. Raises `NotFound`."""
    at = ply or 0
    with store.read():
        game = replays.find(store, game_id, player)
        replay = replays.replay_of(store, game, at, seat, language.current())
        summary = replay_lists.summary_of(store, game)
    seen = edition(replay.record.name, replay.names)
    promised = game.origin not in ("imported", SANDBOX)
    try:
        log = _log((store.number, game_id, seat, language.current(), seen), replay, seat)
        boards = _draw((store.number, game_id, at, seat, language.current(), seen), replay, at, seat)
    except UlmError as error:
        raise replays.broken() from error
    return Watched(
        summary={**summary, "name": spoken(summary["name"])},
        private=game.private,
        commitment=game.commitment if promised else None,
        names=[name or _("Player %(number)s", number=seat + 1) for seat, name in enumerate(replay.names)],
        plies=replay.plies,
        ply=at,
        seat=seat,
        log=log,
        boards=boards,
        version=seen,
    )


def chunk(
    store: Store, game_id: str, number: int, seat: int | None, layout: str, words: str, player: Player | None
) -> tuple[bytes, str]:
    """The boards of the plies from `number * CHUNK` on as gzipped JSON (see `replays.picture`), and their version.
    `layout` is one of `PREFIXES`, `words` the language. Raises `NotFound`, also for what there is not, and
    `BusyError`."""
    if layout not in PREFIXES or words not in LANGUAGES:
        raise NotFound(_("there are no boards of that kind"))
    replay = replays.replay_at(store, game_id, number * CHUNK, seat, player, words)
    first = number * CHUNK
    last = min(first + CHUNK - 1, replay.plies)
    seen = edition(replay.record.name, replay.names)
    name = (store.number, game_id, number, seat, layout, words, seen)

    def make() -> bytes:
        made = frames(replay, first, last, seat, layout=layout, language=words, theme=_THEME, prefix=PREFIXES[layout])
        return gzip.compress(orjson.dumps(made), 6, mtime=0)

    try:
        return line.made(name, make), seen
    except UlmError as error:
        raise replays.broken() from error


def places(watched: Watched) -> dict[str, int]:
    """Where one can step to: by name of the step its ply (`first`, `round-back`, `turn-back`, `back`, `on`, …)."""
    ply, log = watched.ply, watched.log

    def before(stops: list[int]) -> int:
        return max((stop for stop in stops if stop < ply), default=0)

    def after(stops: list[int]) -> int:
        return min((stop for stop in stops if stop > ply), default=watched.plies)

    return {
        "first": 0,
        "round-back": before(log.rounds),
        "turn-back": before(log.turns),
        "back": max(0, ply - 1),
        "on": min(watched.plies, ply + 1),
        "turn-on": after(log.turns),
        "round-on": after(log.rounds),
        "last": watched.plies,
    }


# All that is made follows from what it is `named`.
@cached(LRUCache(_KEPT_LOGS), lambda named, *_: named, Lock())
def _log(named: Hashable, replay: engine.Game, seat: int | None) -> Log:
    told = [_spoken(chapter) for chapter in chapters(replay, seat, game_words.speaker(replay.record.rules))]
    first = [player.vp for player in replay.state(0).players]
    return Log(
        chapters=told,
        turns=[chapter.lines[-1].ply for chapter in told],
        rounds=[
            chapter.lines[-1].ply
            for chapter, after in zip(told, [*told[1:], None], strict=True)
            if after is None or after.round != chapter.round
        ],
        vp=[first, *(line.vp for chapter in told for line in chapter.lines)],
    )


def _spoken(chapter: Chapter) -> Chapter:
    """A turn in sentences that begin with a capital, however a seat writes its name."""
    lines = [line._replace(text=[capital(text) for text in line.text]) for line in chapter.lines]
    return chapter._replace(lines=lines)


@cached(LRUCache(_KEPT_BOARDS), lambda named, *_: named, Lock())
def _draw(named: Hashable, replay: engine.Game, ply: int, seat: int | None) -> dict[str, str]:
    return {
        layout: picture(replay, ply, seat, layout=layout, language=language.current(), theme=_THEME, prefix=prefix)
        for layout, prefix in PREFIXES.items()
    }


# Whoever leafs through many games leaves the processor, and most of the server's threads, to those who play.
line = RenderQueue(
    IN_LINE, _WAIT_SECONDS, N_("other boards are being drawn: try again in a little while"), LRUCache(_KEPT_CHUNKS)
)
"""Of those who want boards drawn."""


@dataclass(frozen=True, slots=True)
class ShownAnalysis:
    """What there is: nothing that anybody asked for, something under way, or what was found."""

    found: KeptAnalysis | None
    under_way: AnalysisUnderWay | None
    moments: list[MomentInWords]  # in the language in force, in the order of the game


def analysis_of(store: Store, game_id: str, player: Player | None) -> ShownAnalysis:
    """What there is for `player`. Raises `NotFound`."""
    there = analyses.of_game(store, game_id, player)
    if there is None:
        return ShownAnalysis(None, None, [])
    if "status" in there:
        return ShownAnalysis(None, there, [])
    with store.read():
        game = replays.find(store, game_id, player)
        replay = replays.replay_of(store, game, 0, None, language.current())
    try:
        return ShownAnalysis(
            there, None, list(results.moments(replay, there["moments"], game_words.speaker(replay.record.rules)))
        )
    except UlmError as error:
        raise replays.broken() from error
