"""Bots that sit down: those of the house at once, those with an account where their owner's rules take the game.

Whoever owns a bot sees what it sees. So an owner and a bot of theirs, or two of their bots, have one pair of eyes and
two hands: they may play each other, and nobody else may sit there.
"""

from __future__ import annotations

from server.language import gettext as _
from server.service.accounts import bot_accounts, bot_rules
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, Forbidden, Unprocessable
from server.service.games import bots
from server.service.games.model import Game, Seat
from server.service.seating.seats import name_at
from server.storage.database import Store

AT = "@"
"""What the handle of a bot with an account begins with, where a bot is named."""


def is_handle(bot: str | None) -> bool:
    """Whether this names a bot with an account."""
    return bot is not None and bot.startswith(AT)


def seat_bot(store: Store, game: Game, seat: Seat, bot: str, by: Player) -> None:
    """Let a bot take a free seat, in the running write transaction; stored is nothing yet.

    Raises `Unprocessable` where there is no bot of that handle, and `Conflict` where it refuses, with the reason.
    """
    if not is_handle(bot):
        seat.bot, seat.name = bot, name_at(game, bots.seat_name(bot))
        return
    found = bot_accounts.find(store, bot.removeprefix(AT), locked=True)
    if found is None:
        message = _("there is no bot %(handle)s here; GET /api/v1/bots/accounts lists them", handle=bot)
        raise Unprocessable(message, {"bot": [message]}, "invalid-field")
    why = _refusal(store, game, found, by)
    if why is not None:
        raise Conflict(
            _("%(name)s of %(owner)s does not take this game: %(why)s", name=bot, owner=found.owner_name, why=why),
            {"why": why},
            "bot-refuses",
        )
    seat.player, seat.name = found.player, name_at(game, found.name)
    seat.handle, seat.bot_of = found.handle, found.owner_name


def _refusal(store: Store, game: Game, bot: bot_accounts.BotAccount, by: Player) -> str | None:
    """Why a bot does not take a game; None when it does."""
    if bot_accounts.is_closed(store, bot.player):
        return _("the operator of this server has closed its account")
    if any(seat.player == bot.player for seat in game.seats):
        return _("it has a seat here already")
    hours = None if game.clock is None else game.clock["turn_hours"]
    own = bot_accounts.hands(store, [by.id]) == [bot.owner]
    why = bot_rules.against(bot.rules, game.seat_count, game.options, game.private, hours, own)
    if why is None and bot_accounts.playing(store, bot.player) >= bot.rules["games"]:
        return _("it plays at most %(number)s games at once, and is doing so", number=bot.rules["games"])
    return why


def require_own_hands(store: Store, game: Game) -> None:
    """Raise `Forbidden` where somebody would look into two hands of a game in which others sit, or may yet sit down.
    Inside a transaction, after somebody took a seat and before that is stored."""
    eyes = bot_accounts.hands(store, [seat.player for seat in game.seats if seat.player is not None])
    alone = len(set(eyes)) == 1 and not any(seat.free for seat in game.seats)
    if len(set(eyes)) < len(eyes) and not alone:
        raise Forbidden(
            _(
                "whoever owns a bot sees its hand: an owner and their bots play only each other, or bots of the "
                "house, in a game without a free seat"
            ),
            kind="own-bot",
        )
