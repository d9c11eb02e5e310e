"""Playing again with the same people."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from server.language import gettext as _
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.common import idempotency
from server.service.common.errors import Conflict
from server.service.games import loading
from server.service.games.bots import CHOSEN_FIRST, names
from server.service.games.model import Game
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox.addressees import HEARS
from server.service.seating import creating, joining
from server.storage import sql
from server.storage.database import Store


def offer(
    store: Store, player: Player, game_id: str, now: datetime, asked: idempotency.Asked | None = None
) -> GamePage:
    """Open a private game like one that is over, bots included, and offer its seats to the others. Where one of them
    has done so, and it is open or under way, `player` takes a seat in that game; what was `asked` before is the game
    that it made. Returns the page of the new game. Raises `NotFound`, `Forbidden` (no seat), `Conflict` (not over), and
    what `creating.create` and `joining.join` raise."""
    game = _over(store, player, game_id)
    if game.rematch is not None:
        return _joined(store, player, game.rematch, now)
    # One that is not here any more is replaced.
    bots = [
        seat.called_bot if seat.bot is None or seat.bot in names() else CHOSEN_FIRST
        for seat in game.seats
        if seat.called_bot is not None and seat.player != player.id
    ]
    try:
        return creating.create(
            store,
            player,
            game.seat_count,
            None,
            game.options,
            "",
            bots,
            True,
            now,
            # The date to start by was that of the game before.
            clock=None if game.clock is None else {**game.clock, "start_by": None},
            title=game.title,
            asked=asked,
            hints=game.hints,
            rematch_of=game.id,
            offered=[other for seat in game.seats if (other := seat.player) and seat.is_person and other != player.id],
        )
    except Conflict:
        rematch = _over(store, player, game_id).rematch
        if rematch is None:
            raise
        return _joined(store, player, rematch, now)  # somebody else was faster


def _over(store: Store, player: Player, game_id: str) -> Game:
    """The game, which is over. Raises `NotFound`, `Forbidden`, `Conflict`."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_seated(player)
    if game.deal is not None:
        raise Conflict(_("a deal is played once: make a new game with the same players instead"))
    if game.started_at is None or game.status not in ("finished", "abandoned"):
        raise Conflict(_("a rematch is for a game that was played and is over"))
    return game


def _joined(store: Store, player: Player, game_id: str, now: datetime) -> GamePage:
    with store.read():
        rematch = loading.for_reader(store, game_id, player)
        kind = contacts.kind_of(store, player.id, rematch.creator or "")
    if rematch.seat_of(player) is not None:
        return game_page.describe(rematch, player)
    if kind == contacts.BLOCKED:
        raise Conflict(_("somebody whom you have blocked offers this rematch: end that first"))
    return joining.join(store, player, game_id, "", rematch.invitation, now)


class Standing(NamedTuple):
    """A rematch that is open or under way, for somebody who sat in the game before."""

    id: str
    by: str | None  # the name of who offered it; None: the account is gone
    seated: bool  # who asks has a seat
    free: bool  # a seat is left


_STANDING = """
    SELECT g.rematch_of, g.id, p.name, EXISTS (SELECT 1 FROM seat m WHERE m.game_id = g.id AND m.player_id = ?),
        EXISTS (SELECT 1 FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)
    FROM game g LEFT JOIN player p ON p.id = g.creator_id
    WHERE g.status IN ('open', 'running') AND NOT EXISTS (
        SELECT 1 FROM contact c WHERE c.player_id = ? AND c.other_id = g.creator_id AND c.kind = 'blocked')
    AND g.rematch_of IN """


def standing(store: Store, player: Player, games: list[str]) -> dict[str, Standing]:
    """The rematches of those of these games, in all of which `player` sat, that have one, but for offers of who is
    blocked; by the game before."""
    with store.read():
        rows = sql.rows(store, _STANDING + sql.marks(games), player.id, player.id, *games) if games else []
    return {before: Standing(game, by, bool(seated), bool(free)) for before, game, by, seated, free in rows}


_UNREACHED = f"""
    SELECT s.seat FROM seat s JOIN player p ON p.id = s.player_id
    WHERE s.game_id = ? AND p.id <> ? AND NOT {HEARS}
    AND NOT EXISTS (SELECT 1 FROM bot_account b WHERE b.player_id = p.id) ORDER BY s.seat"""  # noqa: S608


def unreached(store: Store, player: Player, game_id: str) -> list[int]:
    """The seats of those who sat with `player` in a game, and whom no news about a rematch would reach."""
    with store.read():
        return [seat for (seat,) in sql.rows(store, _UNREACHED, game_id, player.id)]
