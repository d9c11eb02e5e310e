"""Why a move is not legal, in words a player understands, with the rule that stands against it.

`game.legal_moves` decides what is legal; this only explains, so a test walks every move of the notation through random
games and holds the two against each other: whatever is not legal gets a reason that is true of the position.
"""

from collections.abc import Callable, Sequence

from server.engine.errors import IllegalMoveError
from server.engine.ulm1 import cards, quarters, supply
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.tables import (
    CATHEDRAL,
    COLOR_INDEX,
    COLORS,
    GRAY,
    LEVIES,
    LINE_NAMES,
    LINE_OF_SLOT,
    OPPOSITE,
    QUARTER_INDEX,
    SLOT_INDEX,
    SLOTS,
    TRADE,
    TURQUOISE,
    WHITE,
)

Refusal = tuple[str, str]

# What a pending choice asks, and the rule it comes from.
ASKS: dict[str, Refusal] = {
    "coat": ("Q1", "First choose one of the coats of arms on offer"),
    "choose": ("T6", "First choose one of the cards on offer"),
    "barge": ("D3", "First say how many steps the barge moves"),
    "descendant": ("Q2", "First choose a Descendant"),
    "town_hall": ("Q3", "First choose a coin or a tile of the docks"),
    "goose_tower": ("Q5", "First search the draw pile or take a card of the discard pile"),
    "tillage": ("Q6", "First choose a tile of the docks"),
    "shipyard": ("Q7", "First choose a tile of the docks"),
    "dock": ("L3", "First choose a tile of the docks"),
    "abbot": ("N1", "First choose a tile of the docks for the abbot, or pass"),
}
ANSWERS = {"coat", "descendant", "coin", "dock", "pass", "choose", "search", "take", "barge"}
# Never seen: what a caller gets who asks for a reason against a legal move.
LEGAL: Refusal = ("", "The move is legal")
NAMED_ANSWERS = 6  # so many answers are listed in a message; a longer list is left to the legal-moves list


def refusal(state: State, seat: int, move: Move, legal: Sequence[Move]) -> IllegalMoveError:
    """Return the error that says why `seat` may not play `move`; `legal` are its legal moves (record.md §3).

    It tells a seat that is not to move nothing but that.
    """
    rule, message = _reason(state, seat, move, legal)
    return IllegalMoveError(rule, message)


def _reason(state: State, seat: int, move: Move, legal: Sequence[Move]) -> Refusal:
    verb = move[0]
    if state.active is None:
        return "E1", "The game is over"
    if not 0 <= seat < len(state.players):
        return "C1", f"There is no seat {seat}: the seats are 0 to {len(state.players) - 1}"
    if state.players[seat].resigned:
        return "O3", "You have resigned"
    if seat != state.active:
        return "T1", "It is not your turn"
    if state.pending:
        rule, asks = ASKS[state.pending[-1][0]]
        answers = ": " + ", ".join(map(format_move, legal)) if len(legal) <= NAMED_ANSWERS else ""
        if state.pending[-1][0] == "coat" and verb == "coat" and move[1] in state.pending[-1][1]:
            return "W2", f"Coat {move[1]} has a golden rim, and you have no family crest left{answers}"
        return rule, asks + answers
    if verb in ANSWERS:
        return "T6", f"There is no choice to settle with '{verb}' now"
    return REASONS[verb](state, state.players[seat], move)


def _in_draw_phase(state: State) -> bool:
    return state.phase == "draw"


def _draw(state: State, player: Player, move: Move) -> Refusal:
    if not _in_draw_phase(state):
        return "T3", "You have drawn already this turn"
    return "B11", "After patrician you pick your tile from the bag: pick COLOR"


def _pick(state: State, player: Player, move: Move) -> Refusal:
    if not _in_draw_phase(state):
        return "V11", "You have your tile already; a pick takes the place of the draw"
    if not state.turn.patrician and state.tower_tile != "pick_tile":
        return "V11", "You may pick a tile only in a round of pick_tile, or after playing patrician"
    return "L1", f"The bag holds no {move[1]} tile"


def _keep(state: State, player: Player, move: Move) -> Refusal:
    if state.phase != "keep":
        return "N5", "There are no two drawn tiles to keep one of"
    names = " and ".join(COLORS[color] for color in state.turn.tiles)
    return "N5", f"You drew {names}, not {move[1]}"


def _swap(state: State, player: Player, move: Move) -> Refusal:
    if state.phase != "push":
        when = "after" if state.phase == "actions" else "before"
        return "L2", f"A tile is exchanged after the draw and before the push, not {when} it"
    if not state.turn.tiles:
        return "L2", "You have no drawn tile in hand to exchange"
    if state.turn.swapped:
        return "L2", "You have exchanged your tile already this turn"
    if not player.sparrows:
        return "L2", "It costs 1 sparrow, and you have none"
    if COLOR_INDEX[move[1]] == state.turn.tiles[0]:
        return "L2", f"Your tile is {move[1]} already: exchange it for another colour"
    return "L2", f"No {move[1]} tile lies in the docks"


def _push(state: State, player: Player, move: Move) -> Refusal:
    if state.phase == "draw":
        return "T3", "Draw a tile first"
    if state.phase == "keep":
        return "N5", "Say first which of the two tiles you keep"
    if state.phase == "actions":
        return "T3", "You have pushed already this turn"
    slot = SLOT_INDEX[move[1]]
    for where in (slot, OPPOSITE[slot]):
        if state.outer[where] != NOBODY:
            return "K4", f"{LINE_NAMES[LINE_OF_SLOT[slot]]} is blocked: a tile lies in {SLOTS[where]}"
    if len(move) == 2:
        return "L4", "You have no tile in hand: push one of your supply, push SLOT COLOR"
    if state.turn.tiles and "scholar" not in player.descendants:
        return "N2", f"Only the scholar may push a tile of the supply: push {move[1]}"
    return "N2", f"You have no {move[2]} tile"


def _in_actions(state: State, color: int, name: str) -> Refusal | None:
    """The reasons that the tile actions share: not yet pushed, no such tile activated."""
    if state.phase != "actions":
        return "T3", "Actions come after the push"
    if not state.turn.activated[color]:
        return "K3", f"You have no activated {COLORS[color]} tile left for {name}"
    return None


def _money(state: State, player: Player, move: Move) -> Refusal:
    return _in_actions(state, GRAY, "a Money action") or LEGAL


def _clear(state: State, player: Player, move: Move) -> Refusal:
    return _in_actions(state, WHITE, "a Clear-away action") or ("A2", f"No tile lies outside on side {move[1]}")


def _river(state: State, player: Player, move: Move) -> Refusal:
    return _in_actions(state, TURQUOISE, "a River action") or ("D2", "There is no free space ahead of your barge")


def _sail(state: State, player: Player, move: Move) -> Refusal:
    if not state.turn.step_credits:
        return "A7", "You have no bonus step to use"
    return "D2", "There is no free space ahead of your barge"


def _no_card_action(state: State) -> Refusal:
    if state.phase == "actions":
        return "A3", "You have no activated brown tile and no bonus card action left"
    return "A3", "A card action comes after the push, unless a bonus gives you one"


def _buy(state: State, player: Player, move: Move) -> Refusal:
    if not cards.has_card_action(state):
        return _no_card_action(state)
    if not supply.cards_to_be_had(state):
        return "B3", "No card is left to buy"
    if move[1] == "coin":
        if state.tower_tile != "card_for_coin":
            return "V3", "A card costs a coin only in a round of card_for_coin; pay with two tiles"
        return "V3", "You have no coin"
    if len(move) == 2 and state.tower_tile != "card_for_tile":
        return "V4", "A card costs one tile only in a round of card_for_tile; pay with two tiles"
    return "A3", _missing_tiles(player, move[1:])


def _missing_tiles(player: Player, names: Sequence[str]) -> str:
    for name in names:
        if player.tiles[COLOR_INDEX[name]] < names.count(name):
            many = f"two {name} tiles" if names.count(name) > 1 else f"a {name} tile"
            return f"You do not have {many}"
    return LEGAL[1]


def _play(state: State, player: Player, move: Move) -> Refusal:
    card = move[1]
    if card not in player.hand:
        return "B1", f"You do not have {card} in your hand"
    if not state.turn.free_play and not cards.has_card_action(state):
        return "B8", "You have played your card of this turn, and no card action is left for another"
    if card in CATHEDRAL or card in TRADE:
        asked = move[3] if card in CATHEDRAL else COLORS[TRADE[card][1]]
        return "B7", f"The top of {card} asks for a {asked} tile, and you have none"
    match card:
        case "city_wall":
            return "B7", f"No tile lies outside on side {move[3]}"
        case "ulm_sparrow":
            number = player.sparrows
            have = "no sparrow" if not number else "1 sparrow" if number == 1 else f"{number} sparrows"
            return "B7", f"You have {have}, not {move[3]}"
        case "patrician":
            if not _in_draw_phase(state):
                return "B7", "The top of patrician is played before the draw"
            return "B7", "The bag is empty: there is nothing to pick"
        case "fisherman_jousting":
            return "B7", "There is no free space ahead of your barge"
        case "siege":
            return "B7", "The docks are empty"
        case _:
            return "B7", f"The top of {card} would change nothing now"


def _seal(state: State, player: Player, move: Move) -> Refusal:
    cost = quarters.price(state)
    quarter = QUARTER_INDEX[move[1]]
    if cost is None:
        if state.phase == "actions":
            return "A5", "You have no activated orange tile and no bonus seal action left"
        return "A5", "A seal action comes after the push, unless a bonus gives you one"
    if not player.seals:
        return "A5", "You have no seal left"
    if quarter not in quarters.reach(state, player):
        return "D5", f"Your barge on space {player.barge} does not reach {move[1]}"
    spaces = state.rules.seal_spaces[quarter]
    if len(state.quarters[quarter]) == spaces:
        return "A5", f"All {spaces} spaces of {move[1]} are taken"
    return "A5", f"The seal costs {cost} {'coin' if cost == 1 else 'coins'}, and you have {player.coins}"


def _exchange(state: State, player: Player, move: Move) -> Refusal:
    if "merchant" not in player.descendants:
        return "N6", "Only the merchant may exchange a tile with the docks"
    if state.turn.exchanged:
        return "N6", "The merchant has exchanged a tile already this turn"
    if not player.tiles[COLOR_INDEX[move[1]]]:
        return "N6", f"You have no {move[1]} tile"
    return "N6", f"No {move[2]} tile lies in the docks"


def _salvage(state: State, player: Player, move: Move) -> Refusal:
    if state.tower_tile != "keep_pushed":
        return "V10", "The pushed-out tile may be taken only in a round of keep_pushed"
    if state.turn.slot == NOBODY:
        return "V10", "You have pushed no tile out yet"
    return "V10", "The tile that you pushed out no longer lies there"


def _levy(state: State, player: Player, move: Move) -> Refusal:
    tiles = len(move) == 3
    if state.tower_tile not in LEVIES:
        return "V8" if tiles else "V9", "There is no levy this round"
    if state.turn.levy_paid:
        return "V8" if tiles else "V9", "You have paid the levy of this turn"
    if state.tower_tile == "coin_levy":
        if tiles:
            return "V9", f"This round's levy is {state.rules.levy_coins} coins: levy"
        return "V9", f"The levy is {state.rules.levy_coins} coins, and you have {player.coins}"
    if not tiles:
        return "V8", "This round's levy is two tiles: levy COLOR COLOR"
    return "V8", _missing_tiles(player, move[1:])


def _end(state: State, player: Player, move: Move) -> Refusal:
    return "T3", "A turn ends after the push: draw and push first"


def _resign(state: State, player: Player, move: Move) -> Refusal:
    return LEGAL  # a seat that is still in may always resign


REASONS: dict[str, Callable[[State, Player, Move], Refusal]] = {
    "draw": _draw,
    "pick": _pick,
    "keep": _keep,
    "swap": _swap,
    "push": _push,
    "money": _money,
    "clear": _clear,
    "buy": _buy,
    "play": _play,
    "river": _river,
    "sail": _sail,
    "seal": _seal,
    "exchange": _exchange,
    "salvage": _salvage,
    "levy": _levy,
    "end": _end,
    "resign": _resign,
}
