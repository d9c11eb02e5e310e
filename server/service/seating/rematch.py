"""Playing again with the same people."""

from __future__ import annotations

from datetime import datetime

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import idempotency
from server.service.common.errors import Conflict
from server.service.games import loading
from server.service.games.bots import CHOSEN_FIRST, names
from server.service.lists.game_page import GamePage
from server.service.outbox import addressees
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_INVITE = """
    INSERT INTO invitation (game_id, inviter_id, address, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING id"""
_OFFERED = 'SELECT 1 FROM game WHERE id IN (SELECT game_id FROM mail WHERE "key" = ?)'


def offer(
    store: Store, player: Player, game_id: str, now: datetime, asked: idempotency.Asked | None = None
) -> GamePage:
    """Open a private game like one that is over, and offer its seats to the others by mail.

    Bots take part again. What was `asked` before under the same key is the game that it made. Returns the page of the
    new game; its `invitation` lets those in who get no mail. Raises `NotFound`, `Forbidden` (no seat), `Conflict`
    (not over, a rematch was offered), and what `creating.create` raises.
    """
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_seated(player)
        if game.started_at is None or game.status not in ("finished", "abandoned"):
            raise Conflict(_("a rematch is for a game that was played and is over"))
        people = [seat.player for seat in game.seats if seat.player is not None and seat.is_person]
        repeated = idempotency.carried_out(store, asked)
        for one in people:
            if not repeated and sql.row(store, _OFFERED, _key(game.id, one)):
                raise Conflict(_("a rematch of this game was offered already: look at your mail"))
    # One that is not here any more is replaced.
    bots = [
        seat.called_bot if seat.bot is None or seat.bot in names() else CHOSEN_FIRST
        for seat in game.seats
        if seat.called_bot is not None and seat.player != player.id
    ]
    # The date to start by was that of the game before.
    clock = None if game.clock is None else {**game.clock, "start_by": None}
    page = creating.create(
        store,
        player,
        game.seat_count,
        None,
        game.options,
        "",
        bots,
        True,
        now,
        clock=clock,
        title=game.title,
        asked=asked,
        hints=game.hints,
    )
    with store.write():
        news = []
        for other in people:
            if other == player.id:
                continue
            address = addressees.reached_at(store, other)
            if address is None:
                continue
            made = sql.row(store, _INVITE, page["id"], player.id, address, utc(now))
            number = None if made is None else made[0]
            news.append(News("rematch", other, _key(game.id, other), page["id"], data={"invitation": number}))
        tell(store, news, now)
    return page


def _key(game_id: str, player_id: str) -> str:
    return f"rematch:{game_id}:{player_id}"
