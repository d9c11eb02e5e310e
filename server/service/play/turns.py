"""Playing: moves, preview, undo. Each is one transaction on one game, whose row is locked first.

The order of checks protects secrets: what is read from the hidden state comes after everything that can be refused
without it, and a batch ends at the first move that reveals, whatever follows it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated, TypedDict

from server.engine.errors import IllegalMoveError, InvalidMoveError
from server.engine.events import any_reveals
from server.engine.replaying import play_log
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Applied
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END, RESIGN
from server.language import gettext as _
from server.service.accounts import stored_bytes
from server.service.accounts.players import Player
from server.service.common import checks, idempotency
from server.service.common.errors import Conflict, Forbidden, ServiceError, Unprocessable, bad_field
from server.service.games import clock, finish_move, loading, model, move_log
from server.service.games.finish_move import begins_turn
from server.service.games.model import SANDBOX, Game
from server.service.games.saving import changing, save
from server.service.lists import game_page
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

MOVES_MAX = 64  # in one request; a long turn has about twenty
NEARBY = 12


class Undone(TypedDict):
    """Where the game stands, for the player's eyes."""

    ply: int
    view: View


class Played(Undone, game_page.Further):
    """The same, how many of the moves were carried out, and what else was asked for."""

    applied: Annotated[int, "How many of the moves were carried out."]


def play(
    store: Store,
    game_id: str,
    player: Player,
    ply: int,
    moves: list[str],
    key: str | None,
    now: datetime,
    rng: random.Random | None = None,
    include: Collection[str] = (),
) -> Played:
    """Play `moves` from `ply`, which the caller sees, on: all or nothing up to and with the first that reveals; what
    follows is not applied. `key` makes a repeat within a week answer as the first request did, refusals included.
    Whoever asks to play is back: the server no longer plays for them. `rng` is the bots' chance, `include` what the
    answer has besides (`game_page.INCLUDES`). Raises `NotFound`, `Forbidden` (no seat, not your turn), `Conflict` (not
    running, stale ply), `Unprocessable` (no move, illegal move, another request's key)."""
    request = idempotency.asked(key, player, ply, moves, game_id=game_id)
    played, refusal = None, None
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = game.require_seated(player)
        back = game.seats[seat].autopilot
        if request is None and not back:
            played = carry_out(store, game, seat, check_request(game, seat, ply, moves), now, rng)
            return _with(store, game, game.eyes(seat), played, include, ply)
        told = idempotency.before(store, request)
        if told is None:
            try:
                played = carry_out(store, game, seat, check_request(game, seat, ply, moves), now, rng)
                kept = {"applied": played["applied"], "row": loading.newest_row(store, game)}
                if game.origin == SANDBOX:
                    kept["eyes"] = game.eyes(seat)
                idempotency.keep(store, request, kept, now)
                played = _with(store, game, game.eyes(seat), played, include, ply)
            except ServiceError as error:
                # Nothing was stored but what this block adds: the refusal, for repeats of the request, and the return.
                refusal = error
                idempotency.keep_refusal(store, request, refusal, now)
        if back:
            clock.come_back(store, game, seat)
    if told is not None:
        return _answer_again(store, game_id, player, told, include, ply)
    if refusal is not None or played is None:
        raise refusal or RuntimeError("neither played nor refused")
    return played


def _answer_again(
    store: Store, game_id: str, player: Player, told: idempotency.FirstAnswer, include: Collection[str], ply: int
) -> Played:
    """The first answer once more: what the player was shown then, of the game as it stood then."""
    if told.refusal is not None:
        raise told.refusal
    with store.read():
        game = loading.as_it_was(store, game_id, told.kept["row"])
        eyes = told.kept.get("eyes", game.require_seat(player))
        return _with(store, game, eyes, _shown(game, eyes, told.kept["applied"]), include, ply)


def _with(store: Store, game: Game, eyes: int, played: Played, include: Collection[str], since: int) -> Played:
    """The answer with what else was asked for; the log is that after ply `since`."""
    return {**played, **game_page.further(store, game, eyes, include, since)}


def _shown(game: Game, eyes: int, applied: int) -> Played:
    """The answer to moves of which so many were applied."""
    seen = game.seen_by(eyes)
    return {"applied": applied, "ply": seen.ply, "view": game.rules.view(seen, eyes)}


def preview(store: Store, game_id: str, player: Player, ply: int, moves: list[str]) -> Played:
    """What `moves` would lead to, without storing; stops before a move that would reveal, or begin a round (and turn
    the next Tower tile). All is computed from what the caller may see alone. Returns and raises as `play` does."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
    seat = game.require_seated(player)
    parsed = check_request(game, seat, ply, moves)
    state, applied = game.rules.masked(game.seen_by(seat), seat), 0
    for index, move in enumerate(parsed):
        following = _apply(state, seat, parsed, index)
        after = following.state
        if following.reveals or after.round != state.round or _breaks_off(state, seat, after):
            break
        state, applied = after, index + 1
        if move == RESIGN:
            break
    return {"applied": applied, "ply": state.ply, "view": game.rules.view(state, seat)}


def _breaks_off(state: State, seat: int, after: State) -> bool:
    """Whether `seat` ended, by resigning, the game amid a choice of another: what was on offer lies open then."""
    return bool(state.pending) and state.active != seat and after.active is None


def undo(store: Store, game_id: str, player: Player, ply: int, now: datetime) -> Undone:
    """Take back the caller's moves after `ply`, within the own turn and not beyond a move that revealed; their rows
    stay in the log, marked. Raises `NotFound`, `Forbidden` (no seat, not your turn), `Conflict` (not running, `ply` not
    reached), `Unprocessable` (nothing to take back, or not yours to take back)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        game.require_visible(player)
        return take_back(store, game, player, ply, now)


def take_back(store: Store, game: Game, player: Player, ply: int, now: datetime) -> Undone:
    """What `undo` does, in the running transaction of `game`; when it raises it has written nothing."""
    seat = game.require_seat(player)
    game.require_running()
    checks.whole("ply", ply, 0, 2**31 - 1)
    seen = game.seen_ply(seat)
    if ply > seen:
        raise Conflict(
            _("the game stands at ply %(present)s: it cannot go back to ply %(ply)s", present=seen, ply=ply),
            {"ply": seen},
            "stale-ply",
        )
    if game.to_move != seat:
        raise Forbidden(
            _("it is not your turn: only moves of your own current turn can be taken back"), kind="not-your-turn"
        )
    refuse_late(game, seat)
    if ply == seen:
        raise Unprocessable(_("the game stands at ply %(ply)s: there is nothing to take back", ply=ply))
    entries = move_log.log(store, game)
    loading.recompute(store, game, last=ply)
    _check_takes_back(game.position.copy(), entries[ply:], seat)
    # They stay in the log: else one could push and take back for ever.
    stored_bytes.count(store, player, stored_bytes.ROW * len(entries[ply:]))
    mark_undone(store, game, ply, now)
    save(store, game)
    return {"ply": ply, "view": game.rules.view(game.position, seat)}


def mark_undone(store: Store, game: Game, ply: int, now: datetime) -> None:
    """Mark the moves after `ply` as taken back."""
    statement = "UPDATE move SET undone_at = ? WHERE game_id = ? AND ply > ? AND undone_at IS NULL"
    sql.execute(store, statement, utc(now), game.id, ply)


def _check_takes_back(state: State, entries: list[model.Entry], seat: int) -> None:
    """Raise `Unprocessable` unless every entry is a move of the seat's present turn that revealed nothing."""
    for step in play_log(state, entries, trusted=True):
        entry, why = step.entry, ""
        if entry.seat != seat:
            why = _("ply %(ply)s was played by another seat: go back no further than that", ply=entry.ply)
        elif entry.move == END:
            why = _("ply %(ply)s ended a turn: go back no further than that", ply=entry.ply)
        elif any_reveals(step.events):
            text = format_move(entry.move)
            why = _(
                "ply %(ply)s (`%(move)s`) revealed something: go back no further than that", ply=entry.ply, move=text
            )
        if why:
            raise Unprocessable(why, {"ply": entry.ply})


def carry_out(
    store: Store,
    game: Game,
    seat: int,
    moves: Sequence[Move],
    now: datetime,
    rng: random.Random | None,
    known: Sequence[Applied[State]] = (),
    automatic: bool = False,
) -> Played:
    """What `play` does, in the running transaction in which `game` was loaded, after `check_request`. `known` is what
    the moves lead to, where that was computed; `automatic` moves are the server's. Raises `Unprocessable` for an
    illegal move, and has written nothing then."""
    at, applied, turn_began, before = utc(now), 0, False, game.to_move
    for index, move in enumerate(moves):
        active = game.to_move
        if move == RESIGN and seat != active:
            loading.read_hidden(store, game)
        following = known[index] if known else _apply(game.position, seat, moves, index)
        game.take(seat, move, following.state, at, automatic)
        # A resignation behind the `end` of a batch leaves the next player's turn as new as it was.
        turn_began = begins_turn(move, seat, following.state, active) or (turn_began and move == RESIGN)
        applied = index + 1
        if following.reveals:
            break
    if not automatic:
        clock.own_move(store, game.seats[seat])
    finish_move.after_moves(store, game, before, now, rng, turn_began)
    return _shown(game, game.eyes(seat), applied)


def check_request(game: Game, seat: int, ply: int, moves: list[str], automatic: bool = False) -> list[Move]:
    """The moves, when they may be tried at all. Raises `Conflict`, `Forbidden`, `Unprocessable`."""
    late = clock.lateness(game, seat)
    if game.status != "running" and late:
        raise Conflict(_("%(late)sthe game is over", late=late))
    game.require_running()
    parsed = _parse(game, moves)
    checks.whole("ply", ply, 0, 2**31 - 1)
    seen = game.seen_ply(seat)
    if ply != seen:
        raise Conflict(
            _(
                "%(late)sthe game stands at ply %(present)s, not %(ply)s: look at it again and send your moves for ply "
                "%(present)s",
                late=late,
                present=seen,
                ply=ply,
            ),
            {"ply": seen},
            "stale-ply",
        )
    if seat != game.to_move and parsed[0] != RESIGN:
        raise Forbidden(
            _(
                "%(late)sit is not your turn: seat %(seat)s is to move. Only `resign` is possible at any time",
                late=late,
                seat=game.to_move,
            ),
            kind="not-your-turn",
        )
    if not automatic and parsed[0] != RESIGN:
        refuse_late(game, seat)
    return parsed


def refuse_late(game: Game, seat: int) -> None:
    """Raise `Conflict` while the stand-in plays the rest of a turn whose time was over."""
    if game.seats[seat].late_ply is not None:
        raise Conflict(_("your time ran out: the server plays the rest of this turn, and the next one is yours again"))


def _parse(game: Game, moves: list[str]) -> list[Move]:
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOVES_MAX:
        message = f"give a list of 1 to {MOVES_MAX} moves"
        raise bad_field("moves", message)
    parsed: list[Move] = []
    for index, text in enumerate(moves):
        if parsed and parsed[-1] == RESIGN:
            raise _unreadable(index, text, "nothing can follow `resign`")
        try:
            parsed.append(game.rules.parse_move(text))
        except InvalidMoveError as error:
            raise _unreadable(index, text, str(error)) from None
    return parsed


def _unreadable(index: int, text: object, why: str) -> Unprocessable:
    shown = text[:100].encode("ascii", "backslashreplace").decode() if isinstance(text, str) else None
    return Unprocessable(f"move {index}: {why}", {"index": index, "move": shown, "message": why}, "unreadable-move")


def _apply(state: State, seat: int, moves: Sequence[Move], index: int) -> Applied[State]:
    """Play move `index` on a copy of a state that the seat saw. Raises `Unprocessable` with the rule."""
    move = moves[index]
    if index and state.active is None:
        raise _illegal(index, move, "T1", "the game is over with the move before", [])
    if index and state.active != seat and move != RESIGN:
        raise _illegal(index, move, "T1", "your turn is over with the move before", [])
    try:
        return state.rules.apply(state, seat, move)
    except IllegalMoveError as error:
        legal = state.rules.legal_moves(state, seat)
        raise _illegal(index, move, error.rule, error.message, nearby(move, legal)) from None


def _illegal(index: int, move: Move, rule: str, why: str, legal: list[str]) -> Unprocessable:
    text = format_move(move)
    return Unprocessable(
        f"move {index} (`{text}`) is illegal: {why} (rule {rule}); nothing was played",
        {"index": index, "move": text, "rule": rule, "message": why, "legal": legal},
        "illegal-move",
    )


def nearby(move: Move, legal: list[Move]) -> list[str]:
    """Up to a dozen legal moves: those that share most words with `move` first, then one of each other verb."""

    def likeness(other: Move) -> int:
        return sum(2 if index == 0 else 1 for index, word in enumerate(move) if word in other[index : index + 1])

    near = [other for other in legal if other[0] == move[0]]
    near.sort(key=likeness, reverse=True)
    verbs: dict[str, Move] = {}
    for other in legal:
        if other[0] != move[0]:
            verbs.setdefault(other[0], other)
    return [format_move(other) for other in (near[: NEARBY - min(len(verbs), 4)] + list(verbs.values()))[:NEARBY]]


def was_played(store: Store, game_id: str, player: Player, ply: int, moves: list[str], key: str) -> bool:
    """Whether this very request was carried out before: what is sent again then plays nothing."""
    request = idempotency.asked(key, player, ply, moves, game_id=game_id)
    return request is not None and idempotency.carried_out(store, request)
