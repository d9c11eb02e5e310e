"""What changed in a game, told to those who watch it: pages and programs that keep a stream open, or ask now and then.

One rule runs through it, that of `game_page`: what is told is made of what the watcher would be shown, and nothing
else. While somebody's draw is hidden from them, tag, numbers and heartbeats go on as if it had not happened.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Annotated, TypedDict

import orjson

from server.engine.ulm1.shapes import JsonSchema
from server.service.accounts.players import Player
from server.service.games import loading
from server.service.lists import game_lists, game_page, list_pages
from server.service.views import turn_links
from server.storage import sql
from server.storage.database import Store


class GameGlance(TypedDict):
    """What there is to know of a game at a glance. `tag` names all that its page shows, so that it differs when
    anything there does; `messages` is the number of the newest."""

    tag: Annotated[str, "Names all that the caller sees."]
    ply: int
    round: int | None
    status: Annotated[str, JsonSchema(enum=list_pages.STATUSES)]
    seat: Annotated[int | None, "The caller's own."]
    to_move: int | None
    messages: Annotated[int | None, "Number of the newest message, for members."]


class GamesGlance(TypedDict):
    """The same of all games of a player; `turns` is in how many of them it is their turn."""

    tag: str
    turns: int


BEAT_SECONDS = 15.0
"""Between two heartbeats: proxies give up what is silent for long, and a watcher who went away is noticed."""

_NEWEST_MESSAGE = "SELECT MAX(id) FROM message WHERE game_id = ?"


def newest_message(store: Store, page: game_page.GamePage) -> int | None:
    """The number of the newest message of a game that the reader of `page` may read; None for who sits elsewhere."""
    if page["seat"] is None:
        return None
    with store.read():
        found = sql.row(store, _NEWEST_MESSAGE, page["id"])
    return None if found is None else found[0]


def describe(page: game_page.GamePage, messages: int | None) -> GameGlance:
    """The glance of a page and of the newest message."""
    return {
        "tag": sha256(f"{game_page.etag(page)} {messages}".encode()).hexdigest()[:32],
        "ply": page["ply"],
        "round": page["round"],
        "status": page["status"],
        "seat": page["seat"],
        "to_move": page["to_move"],
        "messages": messages,
    }


def glance(store: Store, game_id: str, player: Player | None) -> GameGlance:
    """What there is to know at a glance, for the eyes of `player` (None: a stranger). Raises `NotFound`."""
    with store.read():
        page = game_page.page(store, game_id, player)
        return describe(page, newest_message(store, page))


def by_link(store: Store, token: str, now: datetime) -> GameGlance:
    """The same for the eyes that the link of a turn has. Raises `BadLinkError`."""
    with store.read():
        game_id, player = turn_links.eyes(store, token, now)
        # The link itself opens a private game, for a spectator's eyes at least.
        page = game_page.describe(loading.for_reader(store, game_id, player), player)
        return describe(page, newest_message(store, page))


def own_games(store: Store, player: Player | None) -> GamesGlance:
    """What there is to know of all games that the player sits in. For a stranger no game."""
    listed: list[game_lists.Standing] = []
    if player is not None:
        listed = game_lists.standings(store, player, list_pages.PAGE_SIZE_MAX)
    turns = sum(game.status == "running" and game.to_move == game.seat for game in listed)
    shown = [game[:-1] for game in listed]
    return {"tag": sha256(orjson.dumps(shown)).hexdigest()[:32], "turns": turns}
