"""Playing again with the same people."""

from __future__ import annotations

from datetime import datetime

from server.language import gettext as _
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.common import idempotency
from server.service.common.errors import Conflict
from server.service.games import loading
from server.service.games.bots import CHOSEN_FIRST, names
from server.service.lists.game_page import GamePage
from server.service.outbox import addressees
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.seating import creating, joining
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_INVITE = """
    INSERT INTO invitation (game_id, inviter_id, address, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING id"""
_THERE = "SELECT 1 FROM game WHERE id = ? AND status <> 'abandoned'"


def offer(
    store: Store, player: Player, game_id: str, now: datetime, asked: idempotency.Asked | None = None
) -> GamePage:
    """Open a private game like one that is over, bots included, and offer its seats to the others by mail. Where one of
    them has done so already, and it was not given up, `player` takes a seat in that game; against bots alone, what was
    `asked` before is the game that it made. Returns the page of the new game; its `invitation` lets those in who get no
    mail. Raises `NotFound`, `Forbidden` (no seat), `Conflict` (not over), and what `creating.create` and `joining.join`
    raise."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_seated(player)
    if game.started_at is None or game.status not in ("finished", "abandoned"):
        raise Conflict(_("a rematch is for a game that was played and is over"))
    others = [seat.player for seat in game.seats if seat.player not in (None, player.id) and seat.is_person]
    # Whoever is first, it is one and the same request.
    once = idempotency.asked("rematch", None, game_id=game.id) if others else asked
    if others:
        _forget_what_is_gone(store, once)
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
        asked=once,
        hints=game.hints,
    )
    if page["seat"] is None:  # another one has offered it
        with store.read():
            invitation = loading.for_reader(store, page["id"], None).invitation
        return joining.join(store, player, page["id"], "", invitation, now)
    with store.write():
        news = []
        away = contacts.kept_away_by(store, player.id, others)
        for other in filter(None, others):
            if other in away:
                continue
            address = addressees.reached_at(store, other)
            if address is None:
                continue
            made = sql.row(store, _INVITE, page["id"], player.id, address, utc(now))
            number = None if made is None else made[0]
            news.append(
                News("rematch", other, f"rematch:{page['id']}:{other}", page["id"], data={"invitation": number})
            )
        tell(store, news, now)
    return page


def _forget_what_is_gone(store: Store, once: idempotency.Asked | None) -> None:
    """Let a rematch that was given up, or is deleted, be offered anew."""
    with store.write():
        told = idempotency.before(store, once)
        if once is not None and told is not None and sql.row(store, _THERE, told.kept["game"]) is None:
            idempotency.forget(store, once)
