"""Tower tiles (rules.md §11): what the tile of the round changes, and the levies."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import supply
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, LEVIES, LEVY_TILES

LEVY: Final[Move] = ("levy",)
LEVY_MOVES: Final[tuple[tuple[Move, ...], ...]] = tuple(tuple(("levy", a, b) for b in COLORS) for a in COLORS)


def seal_price(usual: int, tile: str | None) -> int:
    """Return the coins that a seal action costs under the Tower tile in force (A5, V6, V7)."""
    return usual + (tile == "dear_seal") - (tile == "cheap_seal")


def begin_actions(state: State) -> None:
    """Begin the actions of the turn, with the seal of V5 where it comes only now (A7)."""
    state.phase = "actions"
    if state.rules.seal_after_push and state.tower_tile == "free_seal":
        state.turn.seal_credits += 1


def levy_moves(state: State, player: Player, tile: str | None) -> list[Move]:
    """Return the ways to pay the levy of the round (V8, V9); at any moment of the own turn, once."""
    if state.turn.levy_paid:
        return []
    if tile == "coin_levy":
        return [LEVY] if player.coins >= state.rules.levy_coins else []
    if tile == "tile_levy":
        return pairs_of_tiles(player.tiles, LEVY_MOVES)
    return []


def pairs_of_tiles(tiles: list[int], table: tuple[tuple[Move, ...], ...]) -> list[Move]:
    """Return the entries of `table` for each pair of tiles that `tiles` can give, in canonical order."""
    moves = []
    for a in range(5):
        if tiles[a]:
            row = table[a]
            if tiles[a] > 1:
                moves.append(row[a])
            for b in range(a + 1, 5):
                if tiles[b]:
                    moves.append(row[b])  # noqa: PERF401 - the plain loop is the faster one here
    return moves


def pay_levy(state: State, seat: int, move: Move, events: Events) -> None:
    """`levy` (V9), `levy COLOR COLOR` (V8)."""
    player = state.players[seat]
    state.turn.levy_paid = True
    if len(move) == 1:
        player.coins -= state.rules.levy_coins
        events.append(Event("levy_coins", seat, (), state.rules.levy_coins))
        return
    events.append(Event("levy_tiles", seat, move[1:], LEVY_TILES))
    give_up(state, seat, move[1:], events)


def give_up(state: State, seat: int, names: tuple[str, ...], events: Events) -> None:
    """Put tiles of the supply of `seat` into the bag."""
    tiles = state.players[seat].tiles
    colors = [COLOR_INDEX[name] for name in names]
    for color in colors:
        tiles[color] -= 1
    supply.put_into_bag(state, seat, colors, events)


def unpaid_levy(state: State) -> int:
    """Return the points that the turn costs if it ends now, without the levy having been paid (V8, V9)."""
    due = state.tower_tile in LEVIES and not state.turn.levy_paid
    return state.rules.levy_loss if due else 0


def collect_unpaid_levy(state: State, seat: int, events: Events) -> None:
    """Take the points of a levy that the turn ends without having paid."""
    if loss := unpaid_levy(state):
        state.players[seat].vp -= loss
        events.append(Event("levy_unpaid", seat, (), loss))
