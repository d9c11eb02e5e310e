"""Cards (rules.md §10, A3): buying, playing for the top or onto the table, choosing from an offer."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import cathedral, danube, supply, tower
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import CardEffect, Choice, Top
from server.engine.ulm1.state import Player, State, Turn
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import BROWN, CARDS, CATHEDRAL, COLORS, ORANGE, SIDES, TRADE

BUY_MOVES: Final[tuple[tuple[Move, ...], ...]] = tuple(tuple(("buy", a, b) for b in COLORS) for a in COLORS)
BUY_TILE_MOVES: Final[tuple[Move, ...]] = tuple(("buy", color) for color in COLORS)
BUY_COIN: Final[Move] = ("buy", "coin")
TABLE_MOVES: Final[dict[str, Move]] = {card: ("play", card, "table") for card in CARDS}
CHOOSE_MOVES: Final[dict[str, Move]] = {card: ("choose", card) for card in CARDS}


# Card actions: a brown tile or, after it, a credit (A3, A7, B8).


def has_card_action(turn: Turn) -> bool:
    """Say whether a card action is left: a brown tile or a credit."""
    return turn.activated[BROWN] > 0 or turn.card_credits > 0


def use_card_action(state: State) -> None:
    """Use up a card action, a brown tile before a credit (A7), but for one that has to be used at once."""
    if state.turn.activated[BROWN] and not _credit_first(state):
        state.turn.activated[BROWN] -= 1
    else:
        state.turn.card_credits -= 1


def _credit_first(state: State) -> bool:
    return state.rules.credits_at_once and state.turn.card_credits > 0


def buy_moves(state: State, player: Player, tile: str | None) -> list[Move]:
    """Return the ways to pay for a card, if one is to be had (A3, A6, V3, V4). There must be a card action."""
    if not supply.cards_to_be_had(state):
        return []
    moves = tower.pairs_of_tiles(player.tiles, BUY_MOVES)
    if tile == "card_for_coin" and player.coins:
        moves.append(BUY_COIN)
    elif tile == "card_for_tile":
        moves += [BUY_TILE_MOVES[color] for color in range(5) if player.tiles[color]]
    return moves


def buy(state: State, seat: int, move: Move, events: Events) -> None:
    """`buy COLOR COLOR`, `buy COLOR`, `buy coin`: A3, N7, V3, V4."""
    player = state.players[seat]
    use_card_action(state)
    if move == BUY_COIN:
        player.coins -= 1
        events.append(Event("buy_for_coin", seat))
        supply.draw_to_hand(state, seat, events)
        return
    events.append(Event("buy", seat, move[1:]))
    tower.give_up(state, seat, move[1:], events)
    if len(move) == 3 and (move[1] == move[2] or "councilman" in player.descendants):
        offer = supply.look_at_cards(state, seat, 2, events)
        if len(offer) == 2:
            state.pending += (("choose", offer),)
        else:
            take_into_hand(state, seat, offer[0], events)
    else:
        supply.draw_to_hand(state, seat, events)


def take_into_hand(state: State, seat: int, card: str, events: Events) -> None:
    """Put a card that only its player has seen into their hand (B1)."""
    state.players[seat].hand += (card,)
    events.append(Event("keep_card", seat, (card,), 1, True))


def choose_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the cards on offer."""
    return [CHOOSE_MOVES[card] for card in choice[1]]


def settle_choose(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`choose CARD`: keep one; the others go onto the discard pile in drawing order (A3, Q5, B10)."""
    take_into_hand(state, seat, move[1], events)
    others = tuple(card for card in choice[1] if card != move[1])
    state.discard += others
    if others:
        events.append(Event("discard", seat, others, len(others)))


# Playing: the free play, then a brown tile, then a credit (T4, B8).


def play_moves(state: State, seat: int, player: Player) -> list[Move]:
    """Return the plays of hand cards (T4, B2, B7, B8). There must be a free play or a card action."""
    moves: list[Move] = []
    for card in player.hand:
        moves += top_moves(state, seat, player, card)
        moves.append(TABLE_MOVES[card])
    return moves


def top_moves(state: State, seat: int, player: Player, card: str) -> list[Move]:
    """Return the ways in which the top of `card` can be played now (B4 to B7)."""
    rules = state.rules
    moves = rules.notation.tops[card]
    if card in CATHEDRAL:
        return [move for move, color in zip(moves, rules.cathedral[card], strict=True) if player.tiles[color]]
    top = rules.tops[card]
    if top.pays is not None:
        if not player.tiles[top.pays]:
            return []
    elif not any(rules.effects[kind].possible(state, seat) for kind, _ in top.effects):
        return []
    if len(moves[0]) == 3:
        return list(moves)
    if moves[0][3] in SIDES:
        sides = cathedral.occupied_sides(state.outer)
        chosen = [move for move in moves if move[-1] in sides]
    else:
        chosen = [move for move in moves[: player.sparrows] if len(move) > 3]
    return chosen or [move for move in moves if len(move) == 3]  # where nothing can be chosen, the rest of the card


def play(state: State, seat: int, move: Move, events: Events) -> None:
    """`play CARD table`, `play CARD top …`: B2, B8, B10."""
    player = state.players[seat]
    card = move[1]
    if state.turn.free_play and not _credit_first(state):
        state.turn.free_play = False
    else:
        use_card_action(state)
    player.hand = tuple(other for other in player.hand if other != card)
    player.played += 1
    if move[2] == "table":
        player.table += (card,)
        events.append(Event("play_table", seat, (card,)))
        return
    events.append(Event("play_top", seat, (card,)))
    if card in CATHEDRAL:
        _play_cathedral(state, seat, move, events)
    else:
        _play_top(state, seat, move, events)
    # B10: discarded before the choices that it raised, now in `pending`, are settled.
    state.discard += (card,)


def _play_cathedral(state: State, seat: int, move: Move, events: Events) -> None:
    """B4."""
    tower.give_up(state, seat, move[3:], events)
    vp = state.rules.cathedral_top_vp
    state.players[seat].vp += vp
    events.append(Event("card_vp", seat, move[1:2], vp))


def _play_top(state: State, seat: int, move: Move, events: Events) -> None:
    """B5, B6: give the tile, then each effect in the order of the card; so are their choices settled."""
    rules = state.rules
    top = rules.tops[move[1]]
    if top.pays is not None:
        tower.give_up(state, seat, (COLORS[top.pays],), events)
    for kind, number in top.effects:
        effect = rules.effects[kind]
        if effect.possible(state, seat):
            effect.carry_out(state, seat, move, number, events)
    state.pending = state.pending[::-1]


def _coins(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    state.players[seat].coins += number
    events.append(Event("card_coins", seat, move[1:2], number))


def _vp(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    state.players[seat].vp += number
    events.append(Event("card_vp", seat, move[1:2], number))


def _sparrows(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    state.players[seat].sparrows += number
    events.append(Event("card_sparrow", seat, move[1:2], number))


def _tiles(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    state.pending += (("dock",),) * number


def _cards(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    for _ in range(number):
        supply.draw_to_hand(state, seat, events)


def _look(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    """It asks even with one card to be had (record.md §3)."""
    state.pending += (("choose", supply.look_at_cards(state, seat, number, events)),)


def _steps_exact(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    danube.sail_exactly(state, seat, number, events)


def _steps_up_to(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    danube.raise_barge(state, seat, number)


def _side(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    """It was possible before the other effects if it is now."""
    cathedral.take_side(state, seat, move[3], events)


def _seal(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    """B9: `number`, its price, is that of the ruleset."""
    state.turn.seal_at_1_credits += 1


def _orange_seal(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    """An orange tile's seal action becomes one at the price of the card."""
    state.turn.activated[ORANGE] -= 1
    state.turn.seal_at_1_credits += 1


def _actions(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    state.turn.card_credits += number
    events += [Event("card_credit", seat)] * number


def _bag(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    """B11."""
    state.turn.patrician = True


def _sparrow_coins(state: State, seat: int, move: Move, number: int, events: Events) -> None:
    if len(move) == 3:  # the first sparrow came by this card
        return
    player = state.players[seat]
    changed = int(move[3])
    player.sparrows -= changed
    player.coins += changed
    events.append(Event("sparrows_to_coins", seat, (), changed))


def _always(state: State, seat: int) -> bool:
    return True


def _free_space(state: State, seat: int) -> bool:
    return danube.free_spaces_ahead(state, state.players[seat]) > 0


def _card_there(state: State, seat: int) -> bool:
    return supply.cards_to_be_had(state)


def tops(sail: str) -> dict[str, Top]:
    """Return the upper effects of the Trade and the Chronicle cards (B5, B6 [H]); `sail` is that of moves (D3)."""
    kinds = {
        "fustian": (("coins", 3), ("vp", 2)),
        "works_of_art": (("vp", 5), (sail, 1)),
        "commercial_goods": (("vp", 2), (sail, 3)),
    }
    chronicle = {
        "first_chronicle": (("seal", 1),),
        "city_wall": (("side", 1),),
        "construction_freeze": (("coins", 3),),
        "fisherman_jousting": ((sail, 3),),
        "patrician": (("bag", 1),),
        "reformation": (("look", 2),),
        "siege": (("tiles", 2),),
        "swabian_league": (("coins", 1), ("sparrows", 1), ("tiles", 1)),
        "ulm_sparrow": (("sparrow_coins", 5),),
    }
    trade = {card: Top(color, kinds[kind]) for card, (kind, color) in TRADE.items()}
    return {**trade, **{card: Top(None, effects) for card, effects in chronicle.items()}}


# What the tops of Trade and Chronicle cards can do, by the names of docs/own-values.md (B5 to B7).
EFFECTS: Final[dict[str, CardEffect[State]]] = {
    "coins": CardEffect(_always, _coins),
    "vp": CardEffect(_always, _vp),
    "sparrows": CardEffect(_always, _sparrows),
    "tiles": CardEffect(lambda state, seat: any(state.docks), _tiles),
    "cards": CardEffect(_card_there, _cards),
    "look": CardEffect(_card_there, _look),
    "steps_exact": CardEffect(_free_space, _steps_exact),
    "steps_up_to": CardEffect(_free_space, _steps_up_to),
    "side": CardEffect(lambda state, seat: bool(cathedral.occupied_sides(state.outer)), _side),
    "seal": CardEffect(_always, _seal),
    "orange_seal": CardEffect(lambda state, seat: state.turn.activated[ORANGE] > 0, _orange_seal),
    "actions": CardEffect(_always, _actions),
    "bag": CardEffect(lambda state, seat: state.phase == "draw" and not state.turn.patrician and any(state.bag), _bag),
    "sparrow_coins": CardEffect(lambda state, seat: state.players[seat].sparrows > 0, _sparrow_coins),
}
