"""What changed in a game, told to who follows it: made of what they would be shown, so a hidden draw tells nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, NamedTuple, NotRequired, TypedDict, cast

import orjson

from server.engine.ulm1.shapes import UtcTime, View
from server.engine.ulm1.turn import DRAW
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.common.errors import ServiceError
from server.service.games import loading, move_log
from server.service.games.model import SANDBOX
from server.service.lists import game_lists, game_page, list_pages
from server.service.seating import invitations
from server.service.views import turn_page
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc


class GameGlance(TypedDict):
    """A game at a glance. `tag` differs when anything on its page does; `messages` is the number of the newest."""

    tag: Annotated[str, "Names all that the caller sees."]
    ply: int
    round: int | None
    status: list_pages.Status
    seat: Annotated[int | None, "The caller's own."]
    to_move: int | None
    messages: Annotated[int | None, "Number of the newest message, for members."]


class ToldGame(GameGlance, game_page.Further):
    """The same with what programs want to know of the newest move, and with what else was asked for."""

    moved: Annotated[int | None, "Seat that made the newest move that the caller sees; draws of the server aside."]
    own: Annotated[bool, "That move was the caller's own request: what is told may be an echo of it."]
    finished_at: Annotated[UtcTime | None, "When it ended."]
    view: NotRequired[Annotated[View | None, "With `include`: as GET shows it."]]


class GamesGlance(TypedDict):
    """The same of all games of a player; `turns` is in how many of them somebody waits for them."""

    tag: str
    turns: int


BEAT_SECONDS = 15.0
"""Between two heartbeats: proxies give up what is silent for long, and a watcher who went away is noticed."""


class Newest(NamedTuple):
    """The numbers of the newest message of a game, and of what happened at its table, that somebody may read."""

    words: int | None = None
    event: int | None = None


_NEWEST = f"""
    SELECT MAX(CASE WHEN m.kind IS NULL THEN m.id END), MAX(CASE WHEN m.kind IS NULL THEN NULL ELSE m.id END)
    FROM message m WHERE m.game_id = ? AND {contacts.HEARD}"""  # noqa: S608


def newest_message(store: Store, page: game_page.GamePage, player: Player | None) -> Newest:
    """Those that `player`, whose `page` it is, reads: none for who sits elsewhere."""
    found = None if page["seat"] is None or player is None else sql.row(store, _NEWEST, page["id"], player.id)
    return Newest() if found is None else Newest(*found)


def describe(page: game_page.GamePage, newest: Newest) -> GameGlance:
    """The glance of a page and of the newest message."""
    return {
        "tag": sha256(f"{game_page.etag(page)} {newest.words} {newest.event}".encode()).hexdigest()[:32],
        "ply": page["ply"],
        "round": page["round"],
        "status": page["status"],
        "seat": page["seat"],
        "to_move": page["to_move"],
        "messages": newest.words,
    }


def glance(store: Store, game_id: str, player: Player | None) -> GameGlance:
    """What there is to know at a glance, for the eyes of `player` (None: a stranger). Raises `NotFound`."""
    with store.read():
        page = game_page.page(store, game_id, player)
        return describe(page, newest_message(store, page, player))


def told(store: Store, game_id: str, player: Player | None, include: Collection[str]) -> ToldGame:
    """What programs are told of a game: what `player` sees at a glance, and what `include` (of `game_page.INCLUDES`)
    asks for. Raises `NotFound`."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_visible(player)
        page = game_page.describe(game, player)
        glance, seat = describe(page, newest_message(store, page, player)), page["seat"]
        # The server may have drawn for the caller after it; a draw of somebody else is never the newest that they see.
        newest = move_log.told_log(store, game, seat, max(0, page["ply"] - 2))
        newest = [entry for entry in newest if not (entry.automatic and entry.move == DRAW)]
        further = game_page.further(store, game, seat, include)
    moved = newest[-1] if newest else None
    own = moved is not None and seat is not None and not moved.automatic
    if moved is not None and own:
        own = game.seats[moved.seat].bot is None if game.origin == SANDBOX else moved.seat == seat
    newest_move = {"moved": None if moved is None else moved.seat, "own": own, "finished_at": page["finished_at"]}
    view = {"view": page["view"]} if "view" in include else {}
    return cast("ToldGame", {**glance, **newest_move, **further, **view})


def by_link(store: Store, token: str, now: datetime) -> GameGlance:
    """The same for the eyes that the link of a turn has. Raises `BadLinkError`."""
    with store.read():
        game_id, player = turn_page.eyes(store, token, now)
        # The link itself opens a private game, for a spectator's eyes at least.
        page = game_page.describe(loading.for_reader(store, game_id, player), player)
        return describe(page, newest_message(store, page, player))


def own_games(store: Store, player: Player | None) -> GamesGlance:
    """What there is to know of all games that the player sits in or is invited to. For a stranger no game."""
    shown: list[object] = []
    turns: list[str] = []
    if player is not None:
        shown += map(tuple, game_lists.standings(store, player, list_pages.PAGE_SIZE_MAX))
        shown += [one["game"] for one in invitations.to_player(store, player)]
        turns = game_lists.waiting_for(store, player.id)
    return {"tag": sha256(orjson.dumps(shown)).hexdigest()[:32], "turns": len(turns)}


_OVER = ("finished", "abandoned")
_GAMES = """
    SELECT s.player_id, g.id FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id IN {marks} AND g.status IN ('open', 'running') AND g.origin <> 'imported'
    ORDER BY g.created_at, g.id"""


def unfinished_games(store: Store, players: list[str]) -> list[tuple[str, str]]:
    """The games that are not over in which these players sit, oldest first: player and game."""
    rows = sql.rows(store, _GAMES.format(marks=sql.marks(players)), *players)
    return [(player, game) for player, game in rows]


_ENDED = ("finished", "abandoned", "sandbox finished", "sandbox abandoned")  # as seats are listed
_NEWEST_END = f"SELECT MAX(finished_at) FROM seat WHERE player_id = ? AND listed IN {_ENDED}"  # noqa: S608 - of ours
_ENDED_SINCE = f"""
    SELECT game_id FROM seat WHERE player_id = ? AND listed IN {_ENDED} AND finished_at >= ?
    ORDER BY finished_at DESC, game_id LIMIT ?"""  # noqa: S608 - of ours
ENDED_MAX = 100
"""So many games that ended meanwhile are told to who comes back."""
_LATE = timedelta(minutes=1)
"""So much later than its time an end may have been stored."""


class LiveEvent(NamedTuple):
    """What a follower is told: the name of the event, the tag to go on from (None: that comes with a later one)."""

    event: str
    tag: str | None
    data: Mapping[str, object]


class Subscription(ABC):
    """What `player` (None: a stranger) looks at, and what they know of it already."""

    account: str | None = None  # whose games are followed, those too that they join later

    def __init__(self, store: Store, player: Player | None, include: Collection[str] | None = None) -> None:
        """`include` is what of `game_page.INCLUDES` is told of games; None: no more than pages need."""
        self._store, self._player = store, player
        self._include = None if include is None else frozenset(include)

    def begin(self) -> None:
        """Find out which games there are."""
        return

    @abstractmethod
    def games(self) -> Collection[str]:
        """The games that are followed now."""

    def eyes(self, members: set[str]) -> object:
        """Through whose eyes a game with these players is seen: who has the same is shown the same."""
        own = self._player.id if self._player is not None and self._player.id in members else None
        return own if self._include is None else (self._include, own)

    def glance(self, game: str) -> GameGlance:
        """The game. Raises `ServiceError` where it may not be seen, or no longer."""
        if self._include is None:
            return glance(self._store, game, self._player)
        return told(self._store, game, self._player, self._include)

    def shown(self, game: str) -> GameGlance | ServiceError:
        """The game, or why it is not to be seen."""
        try:
            return self.glance(game)
        except ServiceError as error:
            return error

    @abstractmethod
    def first(self, seen: str | None) -> list[LiveEvent]:
        """What is told at the beginning, to whom the tag `seen` is known. Raises as `glance` does."""

    @abstractmethod
    def news(self, game: str, shown: GameGlance | ServiceError) -> list[LiveEvent] | None:
        """What is to be told of what is shown now; None: nothing is to be seen any more."""


class GameSubscription(Subscription):
    """One game: the eyes are those of a player of it, or of everybody else."""

    def __init__(self, store: Store, game: str, player: Player | None, include: Collection[str] | None = None) -> None:
        super().__init__(store, player, include)
        self._game, self._seen, self.status, self.seated = game, "", "", False

    def games(self) -> Collection[str]:
        return (self._game,)

    def first(self, seen: str | None) -> list[LiveEvent]:
        self._seen = seen or ""
        shown = self.glance(self._game)
        self.status, self.seated = shown["status"], shown["seat"] is not None
        return self.news(self._game, shown) or []

    def news(self, game: str, shown: GameGlance | ServiceError) -> list[LiveEvent] | None:
        if isinstance(shown, ServiceError):
            return None
        if shown["tag"] == self._seen:
            return []
        self._seen = shown["tag"]
        return [LiveEvent("game", shown["tag"], shown)]


class PageSubscription(GameSubscription):
    """The page of one game as `player` sees it, without messages. That it is not to be seen any more is news, too."""

    def eyes(self, members: set[str]) -> object:
        return "page", super().eyes(members)

    def glance(self, game: str) -> GameGlance:
        page = game_page.page(self._store, game, self._player)
        return {**describe(page, Newest()), "tag": game_page.etag(page)}

    def news(self, game: str, shown: GameGlance | ServiceError) -> list[LiveEvent] | None:
        return [LiveEvent("game", None, {})] if isinstance(shown, ServiceError) else super().news(game, shown)


class LinkSubscription(GameSubscription):
    """One game through the eyes of a turn's link: `look` raises when the link is good no more."""

    def __init__(self, store: Store, game: str, look: Callable[[], GameGlance]) -> None:
        super().__init__(store, game, None)
        self._look = look

    def eyes(self, members: set[str]) -> object:
        return self

    def glance(self, game: str) -> GameGlance:
        return self._look()


class AccountSubscription(Subscription):
    """All games in which a player sits and that are not over, those too that they come to sit in meanwhile; and to who
    comes back those that have ended since."""

    def __init__(self, store: Store, player: Player, include: Collection[str] = ()) -> None:
        super().__init__(store, player, include)
        self.account = self._own = player.id
        self._tags: dict[str, str] = {}
        self._ended = ""  # when the newest end was of which the player knows

    def begin(self) -> None:
        self._tags = {game: "" for _player, game in unfinished_games(self._store, [self._own])}
        self._ended = sql.value(self._store, _NEWEST_END, self._own) or ""

    def games(self) -> Collection[str]:
        return list(self._tags)

    def first(self, seen: str | None) -> list[LiveEvent]:
        """All of them, and what has ended since `seen`, unless nothing is otherwise than then; the last one bears the
        tag."""
        ended = self._ended_since(seen)
        told = [one for game in self.games() for one in self.news(game, self.shown(game))]
        if self.tag() == seen:
            return []
        known = {one.data["game"] for one in told}
        told = [*(one for one in ended if one.data["game"] not in known), *told]
        return [one._replace(tag=None) for one in told[:-1]] + [one._replace(tag=self.tag()) for one in told[-1:]]

    def _ended_since(self, seen: str | None) -> list[LiveEvent]:
        """The games that have ended since the tag `seen`, in that order."""
        _games, dot, since = (seen or "").partition(".")
        if not dot or since == self._ended:
            return []
        try:
            first = utc(parse_utc(since) - _LATE) if since else ""
        except ValueError:
            return []
        found = [row[0] for row in sql.rows(self._store, _ENDED_SINCE, self._own, first, ENDED_MAX)]
        shown = [(game, self.shown(game)) for game in reversed(found)]
        return [
            LiveEvent("game", None, {"game": game, **one}) for game, one in shown if not isinstance(one, ServiceError)
        ]

    def news(self, game: str, shown: GameGlance | ServiceError) -> list[LiveEvent]:
        """How the game stands, if that is not known; or that it is the player's no more (`left`)."""
        known = self._tags.get(game)
        if isinstance(shown, ServiceError) or shown["seat"] is None:
            self._tags.pop(game, None)
            return [LiveEvent("left", self.tag(), {"game": game})] if known else []
        over = shown["status"] in _OVER
        if shown["tag"] == known or (over and known is None):
            return []
        self._tags[game] = shown["tag"]
        if over:
            del self._tags[game]
            self._ended = max(self._ended, str(shown.get("finished_at") or ""))
        return [LiveEvent("game", self.tag(), {"game": game, **shown})]

    def tag(self) -> str:
        """A name for how all of them stand, and when the newest end was."""
        games = " ".join(f"{game} {tag}" for game, tag in sorted(self._tags.items()))
        return f"{sha256(games.encode()).hexdigest()[:32]}.{self._ended}"
