"""What follows from moves: the one way by which a game goes on, whoever or whatever made them.

A player's moves, the start of a game and a clock that has run out all end here, in the transaction that began with
`loading.for_change`. Whatever else is to hear of moves hangs on here, not on those who make them.
"""

from __future__ import annotations

import random
from datetime import datetime

from server.service.accounts import links
from server.service.games import clock, due_turns, notices, wanted_analyses
from server.service.games.model import Game
from server.service.games.saving import save
from server.service.games.server_moves import go_on
from server.service.outbox.enqueuing import tell
from server.storage.database import Store
from server.storage.times import utc


def start(store: Store, game: Game, now: datetime, rng: random.Random | None) -> None:
    """All seats are taken: lay out ply 0, and do what follows from it."""
    game.start(now)
    after_moves(store, game, None, now, rng)


def after_moves(
    store: Store,
    game: Game,
    before: int | None,
    now: datetime,
    rng: random.Random | None,
    turn_began: bool = True,
) -> None:
    """Carry the moves noted in `game` to their end: what the server plays, the clock, notices, the rows, waking those
    who wait. Nothing that can be refused comes after it.

    `before` is the seat that was to move when the transaction began, None when the game begins with it. `turn_began` is
    that of `go_on`, `rng` the bots' chance. Where nobody is left who plays, the game is given up instead: nobody would
    look at it.
    """
    if not game.same_turn(before):
        for seat in game.seats:
            if seat.late_ply is not None:
                game.stood_in, seat.late_ply = (seat.number, seat.late_ply), None
    if clock.nobody_left(game):
        game.abandon(utc(now))
    go_on(game, utc(now), rng, turn_began)
    news = notices.of_moves(game, before)
    turns = notices.of_turns(news)
    clock.turn_goes_on(store, game, before, now, turns[0].key if turns else None)
    tell(store, news, now)
    for one in turns:
        links.prepare_turn(
            store, now=now, player_id=one.player, game_id=game.id, ply=one.ply or 0, seat=game.to_move or 0
        )
    save(store, game)
    due_turns.note(store, game, now)
    wanted_analyses.note(store, game, now)
