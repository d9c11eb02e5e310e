"""Fewer mails, or pushes, by the link in each, without signing in (RFC 8058): for a player or a stranger."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from server.language import gettext as _
from server.service.accounts import links
from server.service.accounts.links import BadLinkError
from server.service.chat import notice_wishes
from server.service.common import preferences
from server.service.common.errors import Forbidden, Unprocessable
from server.service.common.naming import TITLE, spoken, title_of
from server.service.common.preferences import Channel
from server.service.outbox import stranger_mail
from server.storage import sql
from server.storage.database import Store

WISHES = ("game", "all", "again")
"""No mail about this game; none of any game (of a stranger: none at all); at once again, of every game."""


class Wishes(NamedTuple):
    """What the holder of a link hears of, by the channel that it came by. `game_name` is None when the news were about
    no game of theirs."""

    channel: Channel
    name: str
    mode: str
    game_name: str | None
    game_mode: str | None


class Stranger(NamedTuple):
    """Somebody to whose mailbox a link came, with an account or without. `blocked`: they want no mail from here."""

    blocked: bool


_PLAYER = "SELECT name, preferences FROM player WHERE id = ?"
_GAME = f"""
    SELECT {TITLE}, s.mail, s.push, s.webhook FROM seat s JOIN game g ON g.id = s.game_id
    WHERE g.id = ? AND s.player_id = ?"""  # noqa: S608


def wishes_of_link(store: Store, token: str, now: datetime) -> Wishes | Stranger:
    """What the reader hears of now; changes nothing. Raises `BadLinkError`."""
    claims = links.read(store, token, "unsubscribe", now=now)
    if "mailbox" in claims:
        return Stranger(stranger_mail.is_blocked(store, claims["mailbox"]))
    player_id, game_id = claims["player"], claims.get("game")
    with store.read():
        player = sql.row(store, _PLAYER, player_id)
        game = None if game_id is None else sql.row(store, _GAME, game_id, player_id)
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone: no more mail will come"))
    channel: Channel = claims.get("channel", "mail")
    mode = preferences.read(player[1])[channel]
    if game is None:
        return Wishes(channel, player[0], mode, None, None)
    *title, mail, push, webhook = game
    wish = {"mail": mail, "push": push, "webhook": webhook}[channel]
    return Wishes(channel, player[0], mode, spoken(title_of(*title)[1]), wish or mode)


def change(store: Store, token: str, wish: str, now: datetime) -> None:
    """Do as the holder wishes (`WISHES`); twice is as once. Raises `BadLinkError`, `Unprocessable`, `Forbidden`."""
    claims = links.read(store, token, "unsubscribe", now=now)
    mailbox, player_id, game_id = claims.get("mailbox"), claims.get("player"), claims.get("game")
    channel: Channel = claims.get("channel", "mail")
    if wish not in WISHES or (wish == "game" and game_id is None):
        raise Unprocessable(_("choose one of the buttons on the page"))
    if mailbox is not None:
        (stranger_mail.block if wish == "all" else stranger_mail.unblock)(store, mailbox, now)
    elif player_id is None:
        raise BadLinkError
    elif wish == "all":
        notice_wishes.set_all(store, player_id, "mute", channel)
    elif wish == "again":
        notice_wishes.set_all(store, player_id, "at_once", channel)
    elif game_id is not None:
        with store.write():
            notice_wishes.set_wish(store, game_id, player_id, "mute", channel)


def one_click(store: Store, token: str, now: datetime) -> None:
    """What the button of a mail program does (RFC 8058): no mail any more about what the mail was about, its game; of
    mails about none, and to strangers, no mail at all. Twice is as once. Raises `BadLinkError`."""
    claims = links.read(store, token, "unsubscribe", now=now)
    try:
        change(store, token, "game" if claims.get("game") is not None else "all", now)
    except Forbidden:
        return  # who has left the game hears nothing of it


def stranger_token(store: Store, address: str, now: datetime) -> str:
    """The token by which whoever reads mail at `address` ends it for good, whoever causes it."""
    return links.make(store, "unsubscribe", now=now, mailbox=stranger_mail.claim(address))
