"""Why a move is not legal, in words a player understands, with the rule that stands against it.

A reason is a sentence of which the names can be said in any language; with what only programs want behind it, how to
write the move, it is the message of the error.

`game.legal_moves` decides what is legal; this only explains, so a test walks every move of the notation through random
games and holds the two against each other: whatever is not legal gets a reason that is true of the position.
"""

from collections.abc import Callable, Sequence

from server.engine.errors import IllegalMoveError
from server.engine.ulm1 import cards, quarters, supply
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Reason
from server.engine.ulm1.sentences import Form, counted, plain
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.tables import (
    CATHEDRAL,
    COLOR_INDEX,
    COLORS,
    GRAY,
    LEVIES,
    OPPOSITE,
    QUARTER_INDEX,
    SLOT_INDEX,
    SLOTS,
    TURQUOISE,
    WHITE,
)

# What a pending choice asks, and the rule it comes from.
ASKS: dict[str, Reason] = {
    "coat": Reason("Q1", plain("First choose one of the coats of arms on offer")),
    "choose": Reason("T6", plain("First choose one of the cards on offer")),
    "barge": Reason("D3", plain("First say how many steps the barge moves")),
    "descendant": Reason("Q2", plain("First choose a Descendant")),
    "town_hall": Reason("Q3", plain("First choose a coin or a tile of the docks")),
    "goose_tower": Reason("Q5", plain("First search the draw pile or take a card of the discard pile")),
    "tillage": Reason("Q6", plain("First choose a tile of the docks")),
    "shipyard": Reason("Q7", plain("First choose a tile of the docks")),
    "dock": Reason("L3", plain("First choose a tile of the docks")),
    "abbot": Reason("N1", plain("First choose a tile of the docks for the abbot, or pass")),
    "credit": Reason("A7", plain("First use your bonus, or pass")),
}
ANSWERS = {"coat", "descendant", "coin", "dock", "pass", "choose", "search", "take", "barge"}
# Never seen: what a caller gets who asks for a reason against a legal move.
LEGAL = Reason("", Form("The move is legal"))
NAMED_ANSWERS = 6  # so many answers are listed in a message; a longer list is left to the legal-moves list


def refusal(state: State, seat: int, move: Move, legal: Sequence[Move]) -> IllegalMoveError:
    """The error that says why `seat` may not play `move`; a seat that is not to move learns nothing but that."""
    why = reason(state, seat, move, legal)
    return IllegalMoveError(why.rule, why.message)


def reason(state: State, seat: int, move: Move, legal: Sequence[Move] = ()) -> Reason:
    """Return why `seat` may not play `move`, which is not among its legal moves `legal`."""
    verb = move[0]
    if state.active is None:
        return Reason("E1", plain("The game is over"))
    if not 0 <= seat < len(state.players):
        last = str(len(state.players) - 1)
        return Reason("C1", plain("There is no seat {0}: the seats are 0 to {1}"), (str(seat), last))
    if state.players[seat].resigned:
        return Reason("O3", plain("You have resigned"))
    if seat != state.active:
        return Reason("T1", plain("It is not your turn"))
    if state.pending:
        answers = ": " + ", ".join(map(format_move, legal)) if len(legal) <= NAMED_ANSWERS else ""
        if state.pending[-1][0] == "coat" and verb == "coat" and move[1] in state.pending[-1][1]:
            golden = plain("Coat {0} has a golden rim, and you have no family crest left")
            return Reason("W2", golden, (move[1],), hint=answers)
        return ASKS[state.pending[-1][0]]._replace(hint=answers)
    if verb in ANSWERS:
        return Reason("T6", plain("There is no choice to settle with '{0}' now"), (verb,))
    return REASONS[verb](state, state.players[seat], move)


def shared_reason(state: State, seat: int, moves: Sequence[Move]) -> Reason:
    """Return why `seat`, which is to move, may play none of `moves`, which are alike."""
    player, first = state.players[seat], reason(state, seat, moves[0])
    match moves[0][0], first.rule:
        case "seal", "D5":
            return Reason("D5", plain("Your barge on space {0} does not reach there"), (str(player.barge),))
        case "play", "B7" if len(moves) > 1 and moves[0][1] in CATHEDRAL:
            neither = plain("The top of {0} asks for {1} or {2}, and you have neither")
            return Reason("B7", neither, (moves[0][1], *(move[3] for move in moves)))
        case (("play" | "clear"), ("B7" | "A2")) if first.form.one == _nothing_outside("", "").form.one:
            return Reason(first.rule, plain("No tile lies outside"))
        case "levy", "V8" if state.tower_tile == "tile_levy" and not state.turn.levy_paid:
            return Reason("V8", plain("The levy is two tiles, and you have {n}"), number=sum(player.tiles))
        case "exchange", "N6" if not state.turn.exchanged and not any(player.tiles):
            return Reason("N6", plain("You have no tile to exchange"))
        case "exchange", "N6" if not state.turn.exchanged:
            return Reason("N6", plain("The docks hold no tile of another colour"))
    return first


def _draw(state: State, player: Player, move: Move) -> Reason:
    if state.phase != "draw":
        return Reason("T3", plain("You have drawn already this turn"))
    picked = plain("After {0} you pick your tile from the bag")
    return Reason("B11", picked, tuple(state.rules.having("bag"))[:1], hint=": pick COLOR")


def _pick(state: State, player: Player, move: Move) -> Reason:
    if state.phase != "draw":
        return Reason("V11", plain("You have your tile already; a pick takes the place of the draw"))
    if not state.turn.patrician and state.tower_tile != "pick_tile":
        picking = tuple(state.rules.having("bag"))[:1]
        only = plain("You may pick a tile only in a round of {0}, or after playing {1}")
        if not picking:
            only = plain("You may pick a tile only in a round of {0}")
        return Reason("V11", only, ("pick_tile", *picking))
    return Reason("L1", plain("The bag holds no {0} tile"), (move[1],))


def _keep(state: State, player: Player, move: Move) -> Reason:
    if state.phase != "keep":
        return Reason("N5", plain("There are no two drawn tiles to keep one of"))
    first, second = (COLORS[color] for color in state.turn.tiles)
    return Reason("N5", plain("You drew {0} and {1}, not {2}"), (first, second, move[1]))


def _swap(state: State, player: Player, move: Move) -> Reason:
    if state.phase == "actions":
        return Reason("L2", plain("A tile is exchanged after the draw and before the push, not after it"))
    if state.phase != "push":
        return Reason("L2", plain("A tile is exchanged after the draw and before the push, not before it"))
    if not state.turn.tiles:
        return Reason("L2", plain("You have no drawn tile in hand to exchange"))
    if state.turn.swapped:
        return Reason("L2", plain("You have exchanged your tile already this turn"))
    if not player.sparrows:
        return Reason("L2", plain("It costs 1 sparrow, and you have none"))
    if COLOR_INDEX[move[1]] == state.turn.tiles[0]:
        return Reason("L2", plain("Your tile is {0} already: exchange it for another colour"), (move[1],))
    return Reason("L2", plain("No {0} tile lies in the docks"), (move[1],))


def _push(state: State, player: Player, move: Move) -> Reason:
    if state.phase == "draw":
        return Reason("T3", plain("Draw a tile first"))
    if state.phase == "keep":
        return Reason("N5", plain("Say first which of the two tiles you keep"))
    if state.phase == "actions":
        return Reason("T3", plain("You have pushed already this turn"))
    slot = SLOT_INDEX[move[1]]
    for where in (slot, OPPOSITE[slot]):
        if state.outer[where] != NOBODY:
            what = (SLOTS[slot][1], SLOTS[where])
            if SLOTS[slot][0] in "NS":
                return Reason("K4", plain("Column {0} is blocked: a tile lies in {1}"), what)
            return Reason("K4", plain("Row {0} is blocked: a tile lies in {1}"), what)
    if len(move) == 2:
        own = plain("You have no tile in hand: push one of your supply")
        return Reason("L4", own, hint=", push SLOT COLOR")
    if state.turn.tiles and "scholar" not in player.descendants:
        return Reason("N2", plain("Only the scholar may push a tile of the supply"), hint=f": push {move[1]}")
    return Reason("N2", plain("You have no {0} tile"), (move[2],))


def _in_actions(state: State, color: int) -> Reason | None:
    """The reasons that the tile actions share: not yet pushed, no such tile activated."""
    if state.phase != "actions":
        return Reason("T3", plain("Actions come after the push"))
    if not state.turn.activated[color]:
        return Reason("K3", plain("You have no activated {0} tile left"), (COLORS[color],))
    return None


def _clear(state: State, player: Player, move: Move) -> Reason:
    return _in_actions(state, WHITE) or _nothing_outside("A2", move[1])


def _nothing_outside(rule: str, side: str) -> Reason:
    return Reason(rule, plain("No tile lies outside on side {0}"), (side,))


def _no_space(rule: str) -> Reason:
    return Reason(rule, plain("There is no free space ahead of your barge"))


def _river(state: State, player: Player, move: Move) -> Reason:
    return _in_actions(state, TURQUOISE) or _no_space("D2")


def _sail(state: State, player: Player, move: Move) -> Reason:
    if not state.turn.step_credits:
        return Reason("A7", plain("You have no bonus step to use"))
    return _no_space("D2")


def _no_card_action(state: State) -> Reason:
    if state.phase == "actions":
        return Reason("A3", plain("You have no activated brown tile and no bonus card action left"))
    return Reason("A3", plain("A card action comes after the push, unless a bonus gives you one"))


def _buy(state: State, player: Player, move: Move) -> Reason:
    if not cards.has_card_action(state.turn):
        return _no_card_action(state)
    if not supply.cards_to_be_had(state):
        return Reason("B3", plain("No card is left to buy"))
    if move[1] == "coin":
        if state.tower_tile != "card_for_coin":
            only = plain("A card costs a coin only in a round of {0}; pay with two tiles")
            return Reason("V3", only, ("card_for_coin",))
        return Reason("V3", plain("You have no coin"))
    if len(move) == 2 and state.tower_tile != "card_for_tile":
        only = plain("A card costs one tile only in a round of {0}; pay with two tiles")
        return Reason("V4", only, ("card_for_tile",))
    return _missing_tiles("A3", player, move[1:])


def _missing_tiles(rule: str, player: Player, names: Sequence[str]) -> Reason:
    for name in names:
        if player.tiles[COLOR_INDEX[name]] < names.count(name):
            if names.count(name) > 1:
                return Reason(rule, plain("You do not have two {0} tiles"), (name,))
            return Reason(rule, plain("You have no {0} tile"), (name,))
    return LEGAL._replace(rule=rule)


def _play(state: State, player: Player, move: Move) -> Reason:
    card = move[1]
    if card not in player.hand:
        return Reason("B1", plain("You do not have {0} in your hand"), (card,))
    if not state.turn.free_play and not cards.has_card_action(state.turn):
        gone = plain("You have played your card of this turn, and no card action is left for another")
        return Reason("B8", gone)
    return top(state, player, move)


def top(state: State, player: Player, move: Move) -> Reason:
    """Return why the top of a card in hand cannot be played, though a card could be (B7)."""
    card = move[1]
    pays = COLOR_INDEX[move[3]] if card in CATHEDRAL else state.rules.tops[card].pays
    if pays is not None and not player.tiles[pays]:
        return Reason("B7", plain("The top of {0} asks for {1}, and you have none"), (card, COLORS[pays]))
    kinds = [kind for kind, _ in state.rules.tops[card].effects]
    chosen = next((kind for kind in kinds if kind in ("side", "sparrow_coins")), None)
    match chosen or (kinds[0] if len(kinds) == 1 else ""):
        case "side" | "sparrow_coins" if len(move) == 3:
            how = " SIDE" if chosen == "side" else " NUMBER"
            return Reason("B7", plain("Say with the top of {0} what it takes"), (card,), hint=f": play {card} top{how}")
        case "side":
            return _nothing_outside("B7", move[3])
        case "sparrow_coins":
            if not player.sparrows:
                return Reason("B7", plain("You have no sparrow"))
            have = counted("You have {n} sparrow, not {0}", "You have {n} sparrows, not {0}")
            return Reason("B7", have, (move[3],), player.sparrows)
        case "bag" if not state.turn.patrician:
            if state.phase != "draw":
                return Reason("B7", plain("The top of {0} is played before the draw"), (card,))
            return Reason("B7", plain("The bag is empty: there is nothing to pick"))
        case "steps_exact" | "steps_up_to":
            return _no_space("B7")
        case "tiles":
            return Reason("B7", plain("The docks are empty"))
        case "orange_seal":
            return Reason("B7", plain("The top of {0} asks for an activated orange tile"), (card,))
        case _:
            return Reason("B7", plain("The top of {0} would change nothing now"), (card,))


def _seal(state: State, player: Player, move: Move) -> Reason:
    quarter = QUARTER_INDEX[move[1]]
    if not quarters.has_seal_action(state.turn):
        if state.phase == "actions":
            return Reason("A5", plain("You have no activated orange tile and no bonus seal action left"))
        return Reason("A5", plain("A seal action comes after the push, unless a bonus gives you one"))
    if not player.seals:
        return Reason("A5", plain("You have no seal left"))
    if quarter not in quarters.reach(state, player):
        far = plain("Your barge on space {0} does not reach {1}")
        return Reason("D5", far, (str(player.barge), move[1]))
    spaces = state.rules.seal_spaces[quarter]
    if len(state.quarters[quarter]) == spaces:
        return Reason(
            "A5", counted("The {n} space of {0} is taken", "All {n} spaces of {0} are taken"), (move[1],), spaces
        )
    cost = quarters.price(state)
    dear = counted("The seal costs {n} coin, and you have {0}", "The seal costs {n} coins, and you have {0}")
    return Reason("A5", dear, (str(player.coins),), cost)


def _exchange(state: State, player: Player, move: Move) -> Reason:
    if "merchant" not in player.descendants:
        return Reason("N6", plain("Only the merchant may exchange a tile with the docks"))
    if state.turn.exchanged:
        return Reason("N6", plain("The merchant has exchanged a tile already this turn"))
    if not player.tiles[COLOR_INDEX[move[1]]]:
        return Reason("N6", plain("You have no {0} tile"), (move[1],))
    return Reason("N6", plain("No {0} tile lies in the docks"), (move[2],))


def _salvage(state: State, player: Player, move: Move) -> Reason:
    if state.tower_tile != "keep_pushed":
        return Reason("V10", plain("The pushed-out tile may be taken only in a round of {0}"), ("keep_pushed",))
    if state.turn.slot == NOBODY:
        return Reason("V10", plain("You have pushed no tile out yet"))
    return Reason("V10", plain("The tile that you pushed out no longer lies there"))


def _levy(state: State, player: Player, move: Move) -> Reason:
    tiles = len(move) == 3
    rule = "V8" if tiles else "V9"
    if state.tower_tile not in LEVIES:
        return Reason(rule, plain("There is no levy this round"))
    if state.turn.levy_paid:
        return Reason(rule, plain("You have paid the levy of this turn"))
    due = state.rules.levy_coins
    if state.tower_tile == "coin_levy":
        if tiles:
            this = counted("This round's levy is {n} coin", "This round's levy is {n} coins")
            return Reason("V9", this, number=due, hint=": levy")
        short = counted("The levy is {n} coin, and you have {0}", "The levy is {n} coins, and you have {0}")
        return Reason("V9", short, (str(player.coins),), due)
    if not tiles:
        return Reason("V8", plain("This round's levy is two tiles"), hint=": levy COLOR COLOR")
    return _missing_tiles("V8", player, move[1:])


REASONS: dict[str, Callable[[State, Player, Move], Reason]] = {
    "draw": _draw, "pick": _pick, "keep": _keep, "swap": _swap, "push": _push, "clear": _clear, "buy": _buy,
    "play": _play, "river": _river, "sail": _sail, "seal": _seal, "exchange": _exchange, "salvage": _salvage,
    "levy": _levy,
    "money": lambda state, player, move: _in_actions(state, GRAY) or LEGAL,
    "end": lambda state, player, move: Reason("T3", plain("A turn ends after the push: draw and push first")),
    "resign": lambda state, player, move: LEGAL,  # a seat that is still in may always resign
}  # fmt: skip
