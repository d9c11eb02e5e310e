"""A finished game as one file: a page, an animation, a picture. One is made at a time in a process, some are kept."""

from __future__ import annotations

from collections.abc import Iterator

from cachetools import LRUCache

from replays import picture, report
from replays.files import ReplayError
from server.board.svg import Style
from server.engine import rulesets
from server.engine.game import Game
from server.language import N_
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.archive import analyses, game_collections
from server.service.archive.analyses import KeptAnalysis
from server.service.archive.game_collections import Entry
from server.service.archive.replays import replay_at
from server.service.common.errors import ServiceError
from server.service.common.naming import spoken
from server.service.common.render_queue import RenderQueue
from server.service.explain import game_words
from server.storage.database import Store

ROOM = 4_000_000  # bytes of what was made last
PREVIEW = 1200  # pixels wide: what programs that show a link ask for
IN_LINE, OF_ONE, WAIT_SECONDS = 6, 2, 20.0
EACH = ("turn", "round")


class NotInstalledError(ServiceError):
    """This server was installed without what the answer needs."""

    kind = "not-installed"


line = RenderQueue(
    IN_LINE, WAIT_SECONDS, N_("another export is being made: try again in a little while"), LRUCache(ROOM, len), OF_ONE
)
"""Of those who want an export."""


def names(replay: Game) -> tuple[str, ...]:
    """What may change of a finished game: what it and its players are called. Names go when their accounts do."""
    return (replay.record.name, *replay.names)


def html(
    store: Store,
    game_id: str,
    seat: int | None,
    theme: str,
    language: str,
    player: Player | None,
    network: str | None = None,
) -> Iterator[bytes]:
    """One page in pieces, nothing in it comes from elsewhere; with every hand open or as `seat` saw the game, in a
    language of `LANGUAGES`. `close` it when no more is wanted; `network` is where it is wanted. Raises `NotFound`,
    `BusyError`."""
    replay, found = _with_analysis(store, game_id, seat, language, player)
    speaker = game_words.speaker_of(language, replay.record.rules)
    pieces = (piece.encode() for piece in report.html(replay, seat, theme, language, speaker, found))
    version = None if found is None else found["version"]
    name = (store.number, "html", game_id, seat, theme, language, version, *names(replay))
    return line.pieces(name, lambda: pieces, network)


def collection(
    store: Store, collection_id: str, theme: str, language: str, network: str | None = None
) -> Iterator[bytes]:
    """A collection as one page in pieces, as `html`: with the games that everybody may watch, since the file goes from
    hand to hand. Raises `NotFound`, `BusyError`."""
    shown, games = game_collections.read(store, collection_id, None)

    def part(entry: Entry) -> tuple[str, str, Iterator[str]]:
        replay, found = _with_analysis(store, entry["game"], None, language, None)
        words, ply = game_words.speaker_of(language, replay.record.rules), entry["ply"] or 0
        page = report.html(replay, None, theme, language, words, found, ply)
        return spoken(games[entry["game"]]["name"] or entry["game"], language), entry["remark"], page

    parts, speaker = map(part, shown["entries"]), game_words.speaker_of(language, rulesets.NEWEST)
    pieces = report.collection(shown["title"], shown["name"], shown["text"], parts, theme, language, speaker)
    told = [(one["game"], one["ply"], one["remark"], games[one["game"]]["edition"]) for one in shown["entries"]]
    analysed = analyses.versions(store, list(games)).items()
    name = (store.number, "collection", theme, language, shown["title"], shown["name"], shown["text"], *told, *analysed)
    return line.pieces(name, lambda: (piece.encode() for piece in pieces), network)


def _with_analysis(
    store: Store, game_id: str, seat: int | None, language: str, player: Player | None
) -> tuple[Game, KeptAnalysis | None]:
    """A replay, with what an analysis has found where nothing is withheld. Raises `NotFound`."""
    there = analyses.of_game(store, game_id, player) if seat is None else None
    return replay_at(store, game_id, 0, seat, player, language), None if there is None or "status" in there else there


def gif(
    store: Store, game_id: str, seat: int | None, theme: str, language: str, width: int, each: str,
    player: Player | None, network: str | None = None,
) -> Iterator[bytes]:  # fmt: skip
    """An animation, one picture for each `turn` or `round`, `width` pixels wide; in pieces, as `html`. Raises
    `NotFound`, `BusyError`, and `NotInstalledError` without the extra `export`."""
    replay = replay_at(store, game_id, 0, seat, player, language)

    def make() -> Iterator[bytes]:
        plies = picture.plies_of(replay, each)
        look: Style = {"layout": "wide", "theme": theme, "language": language}
        pngs = (picture.png(picture.picture(replay, ply, seat, **look), width) for ply in plies)
        try:
            yield from picture.gif_pieces(pngs)
        except ReplayError as error:
            raise NotInstalledError(_("this server makes no animations: %(error)s", error=error)) from None

    name = (store.number, "gif", game_id, seat, theme, language, width, each, *names(replay))
    return line.pieces(name, make, network)


def png(store: Store, game_id: str, ply: int, language: str, player: Player | None, network: str | None) -> bytes:
    """The board at a ply with nothing withheld, `PREVIEW` pixels wide, for programs that show what a link leads to.
    Raises `NotFound`, `BusyError`, and `NotInstalledError` without the extra `pictures`."""
    replay = replay_at(store, game_id, ply, None, player, language)

    def make() -> Iterator[bytes]:
        try:
            yield picture.png(picture.picture(replay, ply, layout="wide", language=language), PREVIEW)
        except ReplayError as error:
            raise NotInstalledError(_("this server draws no pictures: %(error)s", error=error)) from None

    return b"".join(line.pieces((store.number, "png", game_id, ply, language, *names(replay)), make, network))
