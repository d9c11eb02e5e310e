"""Who may do what now: `legal_moves` lists, `apply` checks and returns a new state, `advance` trusts and changes it."""

from collections.abc import Callable
from typing import Final

from server.engine.events import Event, any_reveals
from server.engine.ulm1 import bonuses, cards, cathedral, coats, danube, descendants, quarters, supply, tower, turn
from server.engine.ulm1.illegal_moves import refusal
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Applied, ChoiceRule
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import GRAY, TURQUOISE, WHITE

CHOICES: Final[dict[str, ChoiceRule[State]]] = {
    "coat": ChoiceRule(coats.coat_answers, coats.settle_coat),
    "choose": ChoiceRule(cards.choose_answers, cards.settle_choose),
    "barge": ChoiceRule(danube.barge_answers, danube.settle_barge),
    "descendant": ChoiceRule(descendants.descendant_answers, descendants.settle_descendant),
    "town_hall": ChoiceRule(quarters.town_hall_answers, quarters.settle_town_hall),
    "goose_tower": ChoiceRule(quarters.goose_tower_answers, quarters.settle_goose_tower),
    "tillage": ChoiceRule(supply.dock_answers, supply.settle_dock, quarters.tillage_coin),
    "shipyard": ChoiceRule(supply.dock_answers, supply.settle_dock, quarters.shipyard_credit),
    "dock": ChoiceRule(supply.dock_answers, supply.settle_dock),
    "abbot": ChoiceRule(descendants.abbot_answers, descendants.settle_abbot),
    "credit": ChoiceRule(bonuses.answers, bonuses.settle, bonuses.drop),
}

VERBS: Final[dict[str, Callable[[State, int, Move, Events], None]]] = {
    "draw": turn.draw, "pick": turn.pick, "keep": turn.keep, "swap": turn.swap, "push": cathedral.push,
    "money": turn.money, "clear": cathedral.clear, "buy": cards.buy, "play": cards.play, "river": danube.river,
    "sail": danube.sail, "seal": quarters.seal, "exchange": descendants.exchange, "salvage": cathedral.salvage,
    "levy": tower.pay_levy, "end": turn.end,
}  # fmt: skip


def legal_moves(state: State, seat: int | None = None) -> list[Move]:
    """Every legal move of `seat` (None: the active one) but `resign`; [] when it is not to move (T3, T4, T6)."""
    active = state.active
    if active is None or (seat is not None and seat != active):
        return []
    if state.pending:  # T6: nothing else before it
        choice = state.pending[-1]
        return state.rules.choices[choice[0]].answers(state, active, choice)

    player, left, phase, tile = state.players[active], state.turn, state.phase, state.tower_tile
    if phase == "draw":
        moves = turn.draw_moves(state, tile)
    elif phase == "keep":
        moves = turn.keep_moves(state)
    elif phase == "push":
        moves = cathedral.push_moves(state, player) + turn.swap_moves(state, player)
    else:
        moves = _tile_actions(state, player, tile)
    # In every phase: the free play, credits, what Descendants and Tower tiles allow (T4, A7, N6, V8, V9).
    if left.step_credits and danube.free_spaces_ahead(state, player):
        moves.append(danube.SAIL)
    if quarters.has_seal_action(left):
        moves += quarters.seal_moves(state, player)
    if card_action := cards.has_card_action(left):
        moves += cards.buy_moves(state, player, tile)
    if player.hand and (left.free_play or card_action):
        moves += cards.play_moves(state, active, player)
    if player.descendants:
        moves += descendants.exchange_moves(state, player)
    moves += tower.levy_moves(state, player, tile)
    if phase == "actions":
        moves.append(turn.END)
    return moves


def _tile_actions(state: State, player: Player, tile: str | None) -> list[Move]:
    """Return the actions that need an activated tile and nothing else (A1, A2, A4), and V10."""
    activated = state.turn.activated
    moves: list[Move] = []
    if activated[GRAY]:
        moves.append(turn.MONEY)
    if activated[WHITE]:
        moves += [cathedral.CLEAR_MOVES[side] for side in cathedral.occupied_sides(state.outer)]
    if activated[TURQUOISE] and danube.free_spaces_ahead(state, player):
        moves.append(danube.RIVER)
    if tile == "keep_pushed" and cathedral.can_salvage(state):
        moves.append(cathedral.SALVAGE)
    return moves


def apply(state: State, seat: int, move: Move) -> Applied[State]:
    """Play `move` for `seat` on a copy. Raises `IllegalMoveError` with the rule; chance needs the game's seed."""
    events: Events = []
    if move == turn.RESIGN:
        if not may_resign(state, seat):
            raise refusal(state, seat, move, [])
        new = state.copy()
        resign(new, seat, events)
    else:
        legal = state.rules.legal_moves(state, seat)
        if move not in legal:
            raise refusal(state, seat, move, legal)
        new = state.copy()
        advance(new, move, events)
    return Applied(new, events, any_reveals(events))


def advance(state: State, move: Move, events: Events) -> None:
    """Play a legal move of the active seat, other than `resign`, in place. Trusted: it does not check the move."""
    seat = state.active
    if seat is None:
        raise ValueError("the game is over")
    if state.pending:
        choice = state.pending[-1]
        state.pending = state.pending[:-1]
        rule = state.rules.choices[choice[0]]
        rule.settle(state, seat, choice, move, events)
        if rule.after is not None:
            rule.after(state, seat, events)
    else:
        state.rules.verbs[move[0]](state, seat, move, events)
    left = state.turn
    if left.patrician and not any(state.bag):  # a pick lapses at once, whatever is still pending (B11)
        left.patrician = False
    if state.pending:
        _skip_choices(state, seat, events)
    if state.rules.credits_at_once and not state.pending and bonuses.are_left(left):
        state.pending = (("credit",),)
        _skip_choices(state, seat, events)
    if state.phase == "push" and not state.pending and not left.tiles and not any(state.players[seat].tiles):
        tower.begin_actions(state)  # there is nothing to push (L4)
        events.append(Event("no_push", seat))
    state.ply += 1


def resign(state: State, seat: int, events: Events) -> None:
    """Resign a seat that is still in, in place. Trusted."""
    turn.resign(state, seat, events)
    state.ply += 1


def may_resign(state: State, seat: int) -> bool:
    """Say whether `seat` can resign: at any time while the game runs and it is still in (O3)."""
    return state.active is not None and 0 <= seat < len(state.players) and not state.players[seat].resigned


def _skip_choices(state: State, seat: int, events: Events) -> None:
    """Skip choices that nothing can answer (Q9)."""
    while state.pending:
        choice = state.pending[-1]
        rule = state.rules.choices[choice[0]]
        if rule.answers(state, seat, choice):
            return
        state.pending = state.pending[:-1]
        if rule.after is not None:
            rule.after(state, seat, events)


def can_auto_draw(state: State) -> bool:
    """Say whether nothing but the blind `draw` can be meant, so that it may be played for the active player.

    Not with a pick to be had (V11, patrician in hand or played), nor when a seal or a card action can come before the
    draw (V5, or by a card in hand such as first_chronicle), because it may bring the builder or patrician, nor when a
    tile put into the bag first could change what a draw is: with an empty bag the outer tiles go in (L4), with one the
    builder has no choice (N5).
    The answer depends on the active player's hand: nobody else may learn it.
    """
    if state.active is None or state.phase != "draw" or state.pending:
        return False
    if state.turn.patrician or state.turn.seal_credits or state.tower_tile == "pick_tile":
        return False
    player = state.players[state.active]
    needed = 2 if "builder" in player.descendants else 1
    early = any(state.rules.top_has(card, ("bag", "seal", "actions")) for card in player.hand)
    return not early and sum(state.bag) >= needed
