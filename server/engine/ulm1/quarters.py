"""City quarters (rules.md §7): the seal action and the privileges."""

from collections.abc import Callable
from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import coats, danube, supply, tower
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import Player, State, Turn
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import CARDS, ORANGE, QUARTER_INDEX, QUARTERS

SEAL_MOVES: Final[tuple[Move, ...]] = tuple(("seal", quarter) for quarter in QUARTERS)
TAKE_MOVES: Final[dict[str, Move]] = {card: ("take", card) for card in CARDS}
COIN: Final[Move] = ("coin",)
SEARCH: Final[Move] = ("search",)


def has_seal_action(turn: Turn) -> bool:
    """Say whether a seal action is left: an orange tile or a credit."""
    return turn.activated[ORANGE] > 0 or turn.seal_credits > 0 or turn.seal_at_1_credits > 0


def price(state: State) -> int:
    """What the next seal action, which there must be, costs in coins: by credit, tile, or V5 (record.md §3)."""
    if state.turn.seal_at_1_credits:
        return state.rules.chronicle_seal_price  # B9: whatever the Tower tile
    return tower.seal_price(state.rules.seal_price, state.tower_tile)


def reach(state: State, player: Player) -> tuple[int, ...]:
    """Return the quarters that the barge of `player` reaches (D5, V12)."""
    rules = state.rules
    return (rules.reach_long if state.tower_tile == "long_reach" else rules.reach)[player.barge]


def seal_moves(state: State, player: Player) -> list[Move]:
    """Return the quarters in which `player` may place a seal (A5). There must be a seal action."""
    if not player.seals or player.coins < price(state):
        return []
    taken, spaces = state.quarters, state.rules.seal_spaces
    return [SEAL_MOVES[q] for q in reach(state, player) if len(taken[q]) < spaces[q]]


def seal(state: State, seat: int, move: Move, events: Events) -> None:
    """`seal QUARTER`: pay, place the seal, crest bonus, privilege (A5, §7)."""
    player, turn = state.players[seat], state.turn
    cost = price(state)
    if turn.seal_at_1_credits:
        turn.seal_at_1_credits -= 1
    elif turn.activated[ORANGE]:
        turn.activated[ORANGE] -= 1
    else:
        turn.seal_credits -= 1
    quarter = QUARTER_INDEX[move[1]]
    player.coins -= cost
    player.seals -= 1
    quarters = list(state.quarters)
    quarters[quarter] += (seat,)
    state.quarters = tuple(quarters)
    events.append(Event("seal", seat, move[1:], cost))
    coats.pay_crest_owner(state, quarter, events)
    state.rules.privileges[move[1]](state, seat, events)


def _town_hall(state: State, seat: int, events: Events) -> None:
    """Q3."""
    supply.draw_to_hand(state, seat, events)
    state.pending += (("town_hall",),)


def _oath_house(state: State, seat: int, events: Events) -> None:
    """Q2: as many Descendants are left as there were free spaces, unless a player resigned before choosing (O3)."""
    state.pending += (("descendant",),)


def _reichenauer_hof(state: State, seat: int, events: Events) -> None:
    """Q4."""
    vp = quarters_of(state, seat)
    state.players[seat].vp += vp
    events.append(Event("hof_vp", seat, (), vp))


def _goose_tower(state: State, seat: int, events: Events) -> None:
    """Q5; skipped when there is no card at all (Q9)."""
    if supply.cards_to_be_had(state):
        state.pending += (("goose_tower",),)


def _tillage(state: State, seat: int, events: Events) -> None:
    """Q6: the barge is raised first, because the last choice raised is settled first."""
    danube.raise_barge(state, seat, state.rules.tillage_steps)
    state.pending += (("tillage",),)


def _shipyard(state: State, seat: int, events: Events) -> None:
    """Q7."""
    state.pending += (("shipyard",),)


PRIVILEGES: Final[dict[str, Callable[[State, int, Events], None]]] = {
    "leaning_house": coats.show_coats, "oath_house": _oath_house, "town_hall": _town_hall,
    "reichenauer_hof": _reichenauer_hof, "goose_tower": _goose_tower, "tillage": _tillage, "garden": coats.show_coats,
    "shipyard": _shipyard,
}  # fmt: skip


def quarters_of(state: State, seat: int) -> int:
    """Return the number of quarters that hold a seal of `seat` (Q4, E5)."""
    return sum(seat in seals for seals in state.quarters)


def town_hall_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return a coin and the tiles of the docks (Q3)."""
    return [COIN, *supply.dock_answers(state, seat, choice)]


def settle_town_hall(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`coin`, `dock COLOR`: Q3."""
    if move == COIN:
        state.players[seat].coins += 1
        events.append(Event("hall_coin", seat, (), 1))
    else:
        supply.settle_dock(state, seat, choice, move, events)


def goose_tower_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return a search of the draw pile and each card of the discard pile (Q5)."""
    return [SEARCH, *(TAKE_MOVES[card] for card in state.discard)]


def settle_goose_tower(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`search`, `take CARD`: Q5."""
    if move == SEARCH:
        state.pending += (("choose", supply.look_at_cards(state, seat, state.rules.goose_look, events)),)
        return
    state.discard = tuple(card for card in state.discard if card != move[1])
    state.players[seat].hand += (move[1],)
    events.append(Event("take_discard", seat, move[1:]))


def tillage_coin(state: State, seat: int, events: Events) -> None:
    """Give the coin that follows the docks choice (Q6)."""
    state.players[seat].coins += 1
    events.append(Event("tillage_coin", seat, (), 1))


def shipyard_credit(state: State, seat: int, events: Events) -> None:
    """Give the card action that follows the docks choice (Q7, Q8)."""
    state.turn.card_credits += 1
    events.append(Event("card_credit", seat))
