"""Who sits where, before the first move. A bot's owner sees what it sees, so both play only each other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from server.language import gettext as _
from server.service.accounts import bot_accounts, bot_rules, contacts
from server.service.accounts.players import Player
from server.service.common import checks, naming, preferences
from server.service.common.errors import Conflict, Forbidden, Unprocessable, bad_field
from server.service.common.naming import ServerName
from server.service.common.preferences import Preferences
from server.service.common.quotas import BOT_GAMES
from server.service.games import bots
from server.service.games.model import Game, Seat
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import Kind, News
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_OFFER = """
    INSERT INTO invitation (game_id, inviter_id, address, invited_id, created_at) VALUES (?, ?, '', ?, ?)
    ON CONFLICT DO NOTHING RETURNING id"""


def offer(store: Store, game: Game, by: Player, players: Sequence[str], now: datetime) -> None:
    """Offer seats of a game to players (by their ids), once each, in the running write transaction: it is on their
    first page, and in a mail where mail reaches them and they do not keep away who offers it."""
    kind: Kind = "invited" if game.rematch_of is None else "rematch"
    away = contacts.kept_away_by(store, by.id, players)
    news = []
    for player in players:
        for (number,) in sql.rows(store, _OFFER, game.id, by.id, player, utc(now)):
            key = f"{kind}:{game.id}:{player}"
            news.append(News(kind, player, key, game.id, data={"invitation": number}))
    tell(store, [one for one in news if one.player not in away], now)


AT = "@"  # What the handle of a bot with an account begins with, where a bot is named


def check_bots(names: Sequence[str | None] | None, seats: int) -> list[str | None]:
    """The bots for the seats from 1 on (None: a person), or for all where nobody plays. Raises `Unprocessable`."""
    if names is None:
        return []
    if not isinstance(names, list) or len(names) > seats or (len(names) == seats and None in names):
        message = f"give a list of at most {seats - 1} names, for seat 0 is yours, or of {seats} to look on"
        raise bad_field("bots", message)
    known = bots.names()
    for name in names:
        if name is not None and (not isinstance(name, str) or (name not in known and not name.startswith("@"))):
            raise bad_field("bots", f"known bots are {', '.join(known)}, and @HANDLE of one with an account")
    return list(names)


def name_at(game: Game, name: str) -> str:
    """The name on a seat for somebody who sits down now: see `free_name`."""
    return free_name(name, [seat.name for seat in game.seats if seat.name is not None])


def free_name(name: str, taken: list[str]) -> str:
    """The name on a seat, with a number where somebody at this table is called alike."""
    candidates = (name if number == 1 else _numbered(name, number) for number in range(1, len(taken) + 2))
    return next(wanted for wanted in candidates if not any(checks.alike(wanted, other) for other in taken))


def _numbered(name: str, number: int) -> str:
    return name.numbered(number) if isinstance(name, ServerName) else f"{name} ({number})"


_SEAT_DOWN = """
    UPDATE seat SET player_id = ?, bot = ?, name = ?, name_kind = ?, client_seed = ?, named_after_id = NULL,
        note = NULL, mail = NULL, push = NULL, webhook = NULL, read_message = 0
    WHERE id = ?"""


def seat_down(store: Store, seat: Seat) -> None:
    """Store who has a seat now, and find there neither note nor wishes of who had it before."""
    kind = naming.kind_of(seat.name)
    sql.execute(store, _SEAT_DOWN, seat.player, seat.bot, seat.name, kind, seat.client_seed, seat.row)


def note_preferences(seat: Seat, wishes: Preferences) -> None:
    """Note in a seat what its player wishes of the game, as loading it does."""
    seat.auto_draw, seat.time_zone = wishes["auto_draw"], wishes["time_zone"]


def present_preferences(store: Store, player: Player) -> Preferences:
    """The player's preferences as they are stored now. Raises `Forbidden` when the account is gone."""
    found = sql.row(store, "SELECT preferences FROM player WHERE id = ?", player.id)
    if found is None:
        raise Forbidden(_("your account is gone: make a new one with POST /api/v1/players"))
    return preferences.read(found[0])


def is_handle(bot: str | None) -> bool:
    """Whether this names a bot with an account."""
    return bot is not None and bot.startswith(AT)


def seat_bot(store: Store, game: Game, seat: Seat, bot: str, by: Player) -> None:
    """Let a bot take a free seat, not stored yet. Raises `Unprocessable` (no such bot), `Conflict` (it refuses)."""
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
    """Raise `Forbidden` where somebody would see two hands of a game with others; before a new seat is stored."""
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


_BOTS_ALONE = """
    SELECT COUNT(*) FROM bot_turn b JOIN game g ON g.id = b.game_id
    WHERE g.creator_id = ? AND g.status = 'running' AND b.alone = 1"""
_UNFINISHED = """
    SELECT COUNT(*) FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.status IN ('open', 'running')"""


def require_room_for_bots(store: Store, player: Player) -> None:
    """Raise `Conflict` when as many games of bots alone are under way that the player made."""
    found = sql.value(store, _BOTS_ALONE, player.id) or 0
    if found >= BOT_GAMES:
        raise Conflict(
            _("%(number)s games of bots alone that you made are being played: wait for them to end", number=found),
            kind="limit-reached",
        )


def require_room(store: Store, player: Player, most: int | None) -> None:
    """Raise `Conflict` when the player sits in `most` unfinished games. (Some at the same time may slip through.)"""
    found = 0 if most is None else sql.value(store, _UNFINISHED, player.id) or 0
    if most is not None and found >= most:
        raise Conflict(
            _("you sit in %(number)s unfinished games: finish or leave some before you make another", number=found),
            kind="limit-reached",
        )
