"""Playing again with the same people."""

from __future__ import annotations

from datetime import datetime

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import idempotency
from server.service.common.errors import Conflict
from server.service.games import loading
from server.service.games.bots import names
from server.service.games.server_moves import STAND_IN
from server.service.lists.game_page import GamePage
from server.service.outbox import addressees
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.models.games import Invitation

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
        table = loading.for_reader(store, game_id, player)
        table.require_visible(player)
        table.require_seat(player)
        if table.started_at is None or table.status not in ("finished", "abandoned"):
            raise Conflict(_("a rematch is for a game that was played and is over"))
        people = [place.player for place in table.places if place.player is not None and place.is_person]
        repeated = idempotency.carried_out(store, asked)
        for one in people:
            if not repeated and sql.row(store, _OFFERED, _key(table.id, one)):
                raise Conflict(_("a rematch of this game was offered already: look at your mail"))
    # One that is not here any more is replaced.
    bots = [
        place.called_bot if place.bot is None or place.bot in names() else STAND_IN
        for place in table.places
        if place.called_bot is not None and place.player != player.id
    ]
    # The date to start by was that of the game before.
    clock = None if table.clock is None else {**table.clock, "start_by": None}
    page = creating.create(
        store,
        player,
        table.seats,
        None,
        table.options,
        "",
        bots,
        True,
        now,
        clock=clock,
        title=table.title,
        asked=asked,
        hints=table.hints,
    )
    with store.write():
        news = []
        for other in people:
            if other == player.id:
                continue
            address = addressees.reached_at(store, other)
            if address is None:
                continue
            number = (
                Invitation.insert(game=page["id"], inviter=player.id, address=address, created_at=now)
                .on_conflict_ignore()
                .execute()
            )
            news.append(News("rematch", other, _key(table.id, other), page["id"], data={"invitation": number}))
        tell(store, news, now)
    return page


def _key(game_id: str, player_id: str) -> str:
    return f"rematch:{game_id}:{player_id}"
