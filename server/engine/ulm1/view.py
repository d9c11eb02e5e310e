"""What a seat may see (record.md §4): what all see and what a seat sees more; never a full state less some keys."""

from collections.abc import Sequence

from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.shapes import PendingForm, PlayerView, View
from server.engine.ulm1.state import Player, State, choice_to_dict
from server.engine.ulm1.turn import DRAW, RESIGN


def view(state: State, seat: int | None) -> View:
    """What `seat` (None: a spectator) may see of `state`, in JSON form. Show it only together with `visible_state`."""
    return {
        **state.seen_by_all(),
        "coats_size": len(state.coats),
        "pending": [choice_view(choice, seat is not None and seat == state.active) for choice in state.pending],
        "pile_size": len(state.pile),
        "players": [player_view(player, seat == other) for other, player in enumerate(state.players)],
        "tower": list(state.tower[: state.round + 1]) if state.advanced else [],
    }


def player_view(player: Player, own: bool) -> PlayerView:
    """Return what is shown of a seat, to its `own` player or to others."""
    # mypy cannot tell that what all see has no hand in it.
    shown: PlayerView = {**player.seen_by_all(), "hand_size": len(player.hand)}  # type: ignore[typeddict-item]
    if own:
        shown["hand"] = list(player.hand)
    return shown


def choice_view(choice: Choice, own: bool) -> PendingForm:
    shown = choice_to_dict(choice)
    return shown if own or "offer" not in shown else {"kind": shown["kind"]}


def visible_state(state: State, hidden: State | None, seat: int | None) -> State:
    """The state whose view `seat` may have: a missing draw tells nobody who holds patrician (record.md §4)."""
    return state if hidden is None or seat == state.active else hidden


def hidden_behind(hidden: State | None, before: State, seat: int, move: Move, after: State) -> State | None:
    """Return the state that everybody but the active seat sees after a move, None when that is `after` itself.

    `move` of `seat` led from `before` to `after`; `hidden` is what this function gave for the move before. A `draw` is
    hidden while it is the newest move of the turn under way, and resignations of other seats after it are shown as if
    made before it (record.md §4). They change nothing that a draw does, so they can be played on either state.
    """
    if move == DRAW:
        return before
    if hidden is None or move != RESIGN or seat == hidden.active or after.active is None:
        return None
    shown = hidden.copy()
    game.resign(shown, seat, [])
    return shown


def told_order(log: Sequence[tuple[int, Move]], viewer: int | None) -> list[int]:
    """Return the indices of the log of a running game, `(seat, move)` by ply, in the order in which `viewer` reads it.

    A `draw` of another seat comes behind the resignations of others that follow it: where it really stood would tell
    whether the server had drawn. A draw that is still hidden is therefore the last.
    """
    order = list(range(len(log)))
    for first, (seat, move) in enumerate(log):
        if move == DRAW and seat != viewer:
            last = first
            while last + 1 < len(log) and log[last + 1][1] == RESIGN and log[last + 1][0] != seat:
                last += 1
            order[first : last + 1] = [*range(first + 1, last + 1), first]
    return order


def log_entry(move: Move, seat: int, viewer: int | None) -> str:
    """The text of `move` by `seat` as `viewer` may read it: a card kept from an offer goes to the hand unseen."""
    return "choose" if move[0] == "choose" and viewer != seat else format_move(move)
