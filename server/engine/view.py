"""What a seat may see (record.md §4): a whitelist built up, never a full state with keys deleted."""

from typing import Any

from server.engine.notation import Move, format_move
from server.engine.state import NOBODY, Player, State, choice_to_dict, counts_to_dict
from server.engine.tables import COLORS, QUARTERS, RULESET, SLOTS
from server.engine.turn import DRAW


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what `seat` may see of `state`, in JSON form; None is a spectator.

    Show it only together with `visible_state`: a newest `draw` is hidden by choosing the state, not here.
    """
    return {
        "active": state.active,
        "bag": counts_to_dict(state.bag),
        "coat_seals": {SLOTS[slot]: owner for slot, owner in enumerate(state.coat_seals) if owner != NOBODY},
        "coats_size": len(state.coats),
        "crests": {QUARTERS[quarter]: owner for quarter, owner in enumerate(state.crests) if owner != NOBODY},
        "descendants": list(state.descendants),
        "discard": list(state.discard),
        "docks": counts_to_dict(state.docks),
        "grid": [[COLORS[color] for color in state.grid[row : row + 3]] for row in (0, 3, 6)],
        "options": {"rotate_start": state.rotate_start, "tower": state.advanced},
        "outer": {SLOTS[slot]: COLORS[color] for slot, color in enumerate(state.outer) if color != NOBODY},
        "pending": [_choice(choice, seat is not None and seat == state.active) for choice in state.pending],
        "phase": state.phase,
        "pile_size": len(state.pile),
        "players": [_player(player, seat == other) for other, player in enumerate(state.players)],
        "ply": state.ply,
        "quarters": dict(zip(QUARTERS, map(list, state.quarters), strict=True)),
        "round": state.round,
        "ruleset": RULESET,
        "scores": state.scores,
        "start": state.start,
        "tower": list(state.tower[: state.round + 1]) if state.advanced else [],
        "turn": state.turn.to_dict(),
    }


def _player(player: Player, own: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "barge": player.barge,
        "coats": list(player.coats),
        "coins": player.coins,
        "crests": player.crests,
        "descendants": list(player.descendants),
        "hand_size": len(player.hand),
        "played": player.played,
        "resigned": player.resigned,
        "seals": player.seals,
        "sparrows": player.sparrows,
        "table": list(player.table),
        "tiles": counts_to_dict(player.tiles),
        "vp": player.vp,
    }
    if own:
        shown["hand"] = list(player.hand)
    return shown


def _choice(choice: tuple[Any, ...], own: bool) -> dict[str, Any]:
    shown = choice_to_dict(choice)
    if own or "offer" not in shown:
        return shown
    return {"kind": shown["kind"]}


def visible_state(state: State, before: State | None, newest: Move | None, seat: int | None) -> State:
    """Return the state whose view `seat` may have: the one before a newest `draw` for everybody but the drawer.

    `newest` is the newest move (None at ply 0) and `before` the state before it, needed only if that is a `draw`.
    So nobody learns from a missing draw who holds patrician (record.md §4).
    """
    if newest != DRAW or seat == state.active:
        return state
    if before is None:
        raise ValueError("the state before a newest draw is needed to show it to anybody but the drawer")
    return before


def log_entry(move: Move, seat: int, viewer: int | None) -> str:
    """Return the text of `move` by `seat` as `viewer` may read it in the log of a running game.

    A card kept from an offer goes to the hand unseen, so others read `choose` alone. A newest `draw` is to be left out
    by the caller (see `visible_state`).
    """
    if move[0] == "choose" and viewer != seat:
        return "choose"
    return format_move(move)
