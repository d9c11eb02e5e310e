"""Playing on alone from a position of another game: a sandbox.

A sandbox is a game of its own, with its own secret: it begins with a stored position, its log goes on from there, and
its owner moves for every seat that no bot has. Nothing that comes out of it may tell what is hidden in the game that it
left. So of a game that is not over only the view of the caller's own seat goes in, and everything else is dealt at
random; of a finished game every hand is known to all, but what would have come next (piles, Tower tiles, chance) is
dealt anew as well: it stands in the record, and looking it up would be no play.
"""

from __future__ import annotations

import random
import secrets
from datetime import datetime

from replays import positions
from server.engine.errors import InvalidStateError
from server.engine.ulm1.shapes import Options
from server.engine.ulm1.state import State
from server.language import gettext as _
from server.service.accounts import stored_bytes
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.common import checks, idempotency
from server.service.common.errors import Forbidden, Unprocessable, bad_field
from server.service.common.ids import Entropy
from server.service.common.naming import Title, unnamed
from server.service.games import finish_move, loading
from server.service.games.bots import names
from server.service.games.model import SANDBOX, Game, Seat
from server.service.games.saving import changing, insert
from server.service.lists import board_view, game_page
from server.service.lists.game_page import GamePage
from server.service.seating import creating, seats
from server.storage import sql
from server.storage.database import Store


def branch(
    store: Store,
    player: Player,
    game_id: str,
    ply: int,
    seat: int | None,
    bots: list[str | None] | None,
    name: str | None,
    now: datetime,
    rng: random.Random | None = None,
    entropy: Entropy = secrets.token_bytes,
    most: int | None = None,
    asked: idempotency.Asked | None = None,
) -> GamePage:
    """A sandbox that goes on from `ply` of a game; returns its page. Of a finished or imported game `seat` says whose
    knowledge to go on with (None: all hands as they were); of one that is not over only the caller's own seat can be
    meant. `bots` names by seat who plays there, None being the caller; None for the whole list: the caller everywhere.
    `rng` deals what is hidden and is the bots' chance, `most` how many unfinished games a player may have. Raises
    `NotFound` (no such game, or no such ply for the caller's eyes), `Forbidden` (a game that is not over, of which the
    caller has no seat, or another one), `Conflict` (too many games), `Unprocessable` (nothing to play on, bots that do
    not fit)."""
    rng = rng or random.SystemRandom()
    given = None if name is None else checks.name("name", name)
    state, source, seat = _position(store, player, game_id, ply, seat, rng)
    title = Title(given) if given else source.title.at(ply)
    game = _table(player, state, source, title, now, entropy)
    _seat_bots(game, player, bots)
    with changing(store):
        told = idempotency.before(store, asked)
        if told is not None:
            return creating.made_before(store, player, told)
        seats.require_room(store, player, most)
        insert(store, game)
        position = game.position.canonical_json()
        stored_bytes.count(store, player, stored_bytes.SANDBOX + 2 * stored_bytes.size_of(position))
        of = {"of_game": game_id, "of_ply": ply, "of_seat": seat}
        sql.insert(store, "sandbox", game_id=game.id, position=position, **of)
        # The owner asked for this position: no draw is made for them before they have seen it.
        finish_move.after_moves(store, game, game.to_move, now, rng, turn_began=False)
        idempotency.keep(store, asked, {"game": game.id}, now)
        return game_page.describe(game, player)


def require_position(store: Store, game_id: str, ply: int, seat: int | None) -> None:
    """Raise as `branch` does unless a stranger could go on from there: to be asked before an account is made."""
    _position(store, None, game_id, ply, seat, random.SystemRandom())


def _position(
    store: Store, player: Player | None, game_id: str, ply: int, seat: int | None, rng: random.Random
) -> tuple[State, Game, int | None]:
    """A position to play on from, the game that it is one of, and whose knowledge was gone by."""
    with store.read():
        source = loading.for_reader(store, game_id, player)
        source.require_visible(player)
    source.require_unsealed()
    try:
        if source.status == "finished":
            replay = replays.replay_at(store, game_id, ply, seat, player)
            if seat is None:
                state = replay.state(ply)
                state = state.rules.dealt(state, range(len(state.players)), rng.shuffle)
            else:
                state = positions.plausible(replay.view(ply, seat), rng)
        else:
            own = source.require_seat(player)
            if seat not in (None, own):
                raise Forbidden(
                    _("this game is not over: you can play on only from what your own seat, %(seat)s, knows", seat=own)
                )
            seen = board_view.of_game(store, game_id, player, ply)
            state, seat = positions.plausible(seen.view, rng), seen.seat
        positions.check(state)
    except InvalidStateError as error:
        raise Unprocessable(
            _("you cannot play on from ply %(ply)s: %(error)s", ply=ply, error=error), {"ply": ply}
        ) from None
    return state, source, seat


def _table(player: Player, state: State, source: Game, title: Title, now: datetime, entropy: Entropy) -> Game:
    options: Options = {"rotate_start": state.rotate_start, "tower": state.advanced}
    game = Game.new(
        title, options, len(state.players), SANDBOX, now, state.rules, creator=player.id, private=True, entropy=entropy
    )
    game.seats = [_namesake(source, seat) for seat in source.seats]
    game.status, game.started_at = "running", game.created_at
    game.state, game.to_move = state, state.active
    state.seed = game.seed
    state.ply = state.chance = 0
    return game


def _namesake(source: Game, seat: Seat) -> Seat:
    """The seat in a sandbox that is called like one of the game that it leaves."""
    after = seat.named_after if source.origin == SANDBOX else seat.player
    return Seat(seat.number, None, None, seat.name or unnamed(seat.number), "", named_after=after)


def _seat_bots(game: Game, player: Player, bots: list[str | None] | None) -> None:
    """Put bots onto seats, and the owner onto the first that is left."""
    given = bots if bots is not None else [None] * game.seat_count
    known = f"give one entry for each of the {game.seat_count} seats, null (you) or one of {', '.join(names())}"
    if len(given) != game.seat_count or any(bot is not None and bot not in names() for bot in given):
        raise bad_field("bots", known)
    if None not in given:
        message = "leave at least one seat to yourself (null)"
        raise bad_field("bots", message)
    for seat, bot in zip(game.seats, given, strict=True):
        seat.bot = bot
    owned = game.seats[given.index(None)]
    owned.player, owned.auto_draw = player.id, False
