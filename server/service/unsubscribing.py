"""Fewer mails, by the link that stands in each: without signing in, and by the one click of RFC 8058."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from server.language import gettext as _
from server.service import links, own_notices, preferences, sql
from server.service.called import TITLE, spoken, title_of
from server.service.errors import Unprocessable
from server.service.links import BadLinkError
from server.storage.database import Store

WISHES = ("game", "all", "again")
"""No mail about this game; none of any game; at once again, of every game."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the holder of a link hears of. `game_name` is None when the mail was about no game of theirs."""

    name: str
    mode: str
    game_name: str | None
    game_mode: str | None


_PLAYER = "SELECT name, preferences FROM player WHERE id = ?"
_GAME = f"SELECT {TITLE}, s.mail FROM seat s JOIN game g ON g.id = s.game_id WHERE g.id = ? AND s.player_id = ?"  # noqa: S608


def look(store: Store, token: str, now: datetime) -> Wishes:
    """What the player hears of now; changes nothing. Raises `BadLinkError`."""
    player_id, game_id = _claims(store, token, now)
    with store.read():
        player = sql.row(store, _PLAYER, player_id)
        game = None if game_id is None else sql.row(store, _GAME, game_id, player_id)
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone: no more mail will come"))
    mode = str(preferences.read(player[1])["mail"])
    if game is None:
        return Wishes(player[0], mode, None, None)
    *title, mail = game
    return Wishes(player[0], mode, spoken(title_of(*title)[1]), mail or mode)


def change(store: Store, token: str, wish: str, now: datetime) -> None:
    """Do as the holder wishes (`WISHES`); twice is as once. Raises `BadLinkError`, `Unprocessable`, `Forbidden`."""
    player_id, game_id = _claims(store, token, now)
    if wish not in WISHES or (wish == "game" and game_id is None):
        raise Unprocessable(_("choose one of the buttons of the page"))
    if wish == "all":
        own_notices.stop_all(store, player_id)
    elif wish == "again":
        own_notices.go_on(store, player_id)
    elif game_id is not None:
        with store.write():
            own_notices.set_wish(store, game_id, player_id, "mute")


def _claims(store: Store, token: str, now: datetime) -> tuple[str, str | None]:
    claims = links.read(store, token, "unsubscribe", now=now)
    return claims["player"], claims.get("game")
