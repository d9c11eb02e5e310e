"""What follows from moves: the one way by which a game goes on, begun with `loading.for_change`."""

from __future__ import annotations

import random
from datetime import datetime

from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, END
from server.service.accounts import links
from server.service.games import clock, due_work, notices, rated, table_events
from server.service.games.bots import AT_ONCE, STAND_IN_AT_ONCE
from server.service.games.model import Game
from server.service.games.saving import save
from server.service.outbox.enqueuing import tell
from server.storage.database import Store
from server.storage.times import utc


def start(store: Store, game: Game, now: datetime, rng: random.Random | None) -> None:
    """All seats are taken: lay out ply 0, and do what follows from it."""
    game.start(now)
    rated.begin(store, game)
    after_moves(store, game, None, now, rng)


def after_moves(
    store: Store, game: Game, before: int | None, now: datetime, rng: random.Random | None, turn_began: bool = True
) -> None:
    """Carry the moves noted in `game` to their end: what the server plays, the clock, notices, the rows, waking those
    who wait. Nothing that can be refused comes after it. `before` is the seat that was to move when the transaction
    began (None at the start), `turn_began` that of `go_on`, `rng` the bots' chance. Where nobody is left, the game is
    given up."""
    if not game.same_turn(before):
        for seat in game.seats:
            if seat.late_ply is not None:
                game.stood_in, seat.late_ply = (seat.number, seat.late_ply), None
    if clock.nobody_left(game):
        game.abandon(utc(now))
    go_on(game, utc(now), rng, turn_began)
    clock.forget_pause_wishes(store, game)
    table_events.note_resignations(store, game, now)
    news = notices.of_moves(game, before)
    turns = notices.of_turns(news)
    clock.turn_goes_on(store, game, before, now, turns[0].key if turns else None)
    tell(store, news, now)
    for one in turns:
        links.prepare_turn(
            store, now=now, player_id=one.player, game_id=game.id, ply=one.ply or 0, seat=game.to_move or 0
        )
    save(store, game)
    due_work.note(store, game, now)
    due_work.note_analysis(store, game, now)


#: More moves than bots can make in a whole game; beyond it something is wrong with a bot.
LIMIT = 5000


def go_on(game: Game, at: str, rng: random.Random | None, turn_began: bool = True) -> None:
    """Play on until a person has to decide, or a bot that needs time; notes the moves in `game`, with the time `at` of
    the one before. `turn_began`: the move before began a turn; only then a `draw` is made for a player, for a card
    played before the draw can be taken back."""
    rng = rng or random.SystemRandom()
    for _ in range(LIMIT):
        state, number = game.position, game.position.active
        if number is None or game.status != "running":
            return
        seat = game.seats[number]
        if game.thinks(number):
            return
        if seat.bot is None:
            if turn_began:
                _draw_for(game, state, at, seat.auto_draw)
            return
        move = choose(seat.bot, state, rng)
        following = game.rules.apply(state, number, move).state
        game.take(number, move, following, at)
        turn_began = begins_turn(move, number, following, number)
    raise RuntimeError(f"game {game.id}: the bots do not come to an end")


def finish_turn(game: Game, at: str, rng: random.Random | None) -> None:
    """Play the rest of the turn under way for its player; notes the moves in `game`, automatic where that is no bot."""
    rng = rng or random.SystemRandom()
    seat = game.position.active
    if seat is None:
        raise RuntimeError("nobody is to move")
    for _ in range(LIMIT):
        move = choose(STAND_IN_AT_ONCE, game.position, rng)
        following = game.rules.apply(game.position, seat, move).state
        game.take(seat, move, following, at, automatic=game.seats[seat].bot is None)
        if begins_turn(move, seat, following, seat):
            return
    raise RuntimeError(f"game {game.id}: the turn does not come to an end")


def begins_turn(move: Move, seat: int, after: State, active_before: int | None) -> bool:
    """Whether `move` of `seat` began a new turn. (With rotate_start one seat can have two turns in a row.)"""
    return move == END or after.active != active_before


def choose(bot: str, state: State, rng: random.Random) -> Move:
    """What the bot plays. It is shown its own view and its legal moves, nothing else."""
    if state.active is None:
        raise RuntimeError("nobody is to move")
    rules = state.rules
    return AT_ONCE[bot](rules.view(state, state.active), rules.legal_moves(state), rng)


def _draw_for(game: Game, state: State, at: str, wanted: bool) -> None:
    """Make the blind draw when nothing else can be meant and the player wishes it. The work is done in any case: how
    long it takes must not tell the others which way it went."""
    if state.active is None:
        return
    rules = game.rules
    allowed = rules.can_auto_draw(state)
    drawn = rules.apply(state, state.active, DRAW).state if DRAW in rules.legal_moves(state) else state.copy()
    if allowed and wanted:
        game.take(state.active, DRAW, drawn, at, automatic=True)
    else:
        drawn.canonical_json()
