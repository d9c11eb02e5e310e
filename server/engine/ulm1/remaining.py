"""What a turn still has to use: how much of it can be used, and why the rest cannot.

`end` gives away what is unused (A6). But an orange tile that no coin of the turn can pay is nothing to give away, nor
is the play of a card with none in hand. What can be used is what can be used at once, or after other moves of the turn:
coins come by gray tiles, quarters into reach by sailing, tiles from outside. So these moves are tried.

The answer is a count: how many of each. Whatever chance decides changes no count of coins, tiles or steps, so it is the
same for the true state and for every mask of it.
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from server.engine.ulm1 import cathedral, danube, quarters, supply, tower
from server.engine.ulm1.illegal_moves import reason, shared_reason
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Loss, Reason, Remaining
from server.engine.ulm1.sentences import plain
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.tables import BROWN, COLORS, ORANGE, QUARTERS, TURQUOISE

TRIED_MOST = 60  # positions; of a turn that has more the best of these is taken, at least what can be used at once
# Which tile or card one takes changes no count, so the first answer is tried for all, but for these choices.
EACH_ANSWER = frozenset({"barge", "town_hall", "credit"})


class Uses(NamedTuple):
    """How many uses there are, or are possible, of each kind of action."""

    money: int
    clear: int
    steps: int
    cards: int
    seals: int


def lost_by_ending(state: State, seat: int) -> list[Loss]:
    """What `end` gives away of the turn of `seat`: what could still be used, and an unpaid levy (A6, T4, V8, V9). While
    a choice is pending, and before the push, all counts as usable."""
    there = _there(state)
    early = bool(state.pending) or state.phase != "actions"
    usable = there if early or not any(there) else _within_turn(state, seat, there)
    free_play = int(state.turn.free_play and bool(state.players[seat].hand))
    others = [Loss("levy", tower.unpaid_levy(state)), Loss("free_play", free_play)]
    return [Loss(*thing) for thing in _things(state, usable)] + [loss for loss in others if loss.number]


def remaining(state: State, seat: int) -> list[Remaining]:
    """Return the tiles and credits that the turn of `seat`, which is to move, has to use, in the order of a `Loss`,
    each with how many can be used at once."""
    there = _there(state)
    if not any(there):
        return []
    now = _possible(state, state.players[seat])
    possible = {(kind, color): number for kind, number, color in _things(state, now)}
    found = []
    for kind, number, color in _things(state, there):
        action = ACTION[color or kind]
        why = None if getattr(now, action) else why_not(state, seat, action)
        found.append(Remaining(kind, number, color, possible.get((kind, color), 0), why))
    return found


ACTION = {
    "gray": "money", "white": "clear", "brown": "cards", "turquoise": "steps", "orange": "seals",
    "card": "cards", "step": "steps", "seal": "seals", "seal_at_1": "seals",
}  # fmt: skip


def _things(state: State, uses: Uses) -> list[tuple[str, int, str]]:
    """The tiles and credits that so many uses take, in the order of a `Loss`: tiles before credits (A7), but for B9."""
    turn = state.turn
    at_1 = min(uses.seals, turn.seal_at_1_credits)
    by_color = (uses.money, uses.clear, uses.cards, uses.steps, uses.seals - at_1)
    tiles = [min(number, left) for number, left in zip(turn.activated, by_color, strict=True)]
    found = [("tile", number, COLORS[color]) for color, number in enumerate(tiles)]
    found.append(("card", min(turn.card_credits, uses.cards - tiles[BROWN]), ""))
    found.append(("seal", min(turn.seal_credits, uses.seals - at_1 - tiles[ORANGE]), ""))
    found.append(("seal_at_1", at_1, ""))
    found.append(("step", min(turn.step_credits, uses.steps - tiles[TURQUOISE]), ""))
    return [thing for thing in found if thing[1] > 0]


def why_not(state: State, seat: int, action: str) -> Reason:
    """Return why an action that the turn has cannot be carried out now; `action` names it as `Uses` does."""
    player = state.players[seat]
    if action == "seals":
        near = quarters.reach(state, player)
        free = [q for q in near if len(state.quarters[q]) < state.rules.seal_spaces[q]]
        return reason(state, seat, ("seal", QUARTERS[(free or near)[0]]))
    if action == "cards":
        return _no_card(state, player)
    if action == "clear":
        return shared_reason(state, seat, list(cathedral.CLEAR_MOVES.values()))
    return reason(state, seat, danube.RIVER if state.turn.activated[TURQUOISE] else danube.SAIL)


def _no_card(state: State, player: Player) -> Reason:
    if not supply.cards_to_be_had(state):
        if player.hand:
            return Reason("B3", plain("No card is left to buy; the one in your hand is free to play"))
        return Reason("B3", plain("No card is left to buy, and you have none to play"))
    if player.hand:  # with one card alone: it is played free before the action is asked for one
        if sum(player.tiles) == 1:
            return Reason("A3", plain("A card costs two tiles, and you have one; the one in your hand is free to play"))
        return Reason("A3", plain("You have no tiles for a card; the one in your hand is free to play"))
    if sum(player.tiles) == 1:
        return Reason("A3", plain("A card costs two tiles, and you have one; you have no card to play"))
    return Reason("A3", plain("You have no tiles for a card, and no card to play"))


def _there(state: State) -> Uses:
    """What the turn has."""
    turn = state.turn
    gray, white, brown, turquoise, orange = turn.activated
    steps, cards = turquoise + turn.step_credits, brown + turn.card_credits
    return Uses(gray, white, steps, cards, orange + turn.seal_credits + turn.seal_at_1_credits)


def _possible(state: State, player: Player) -> Uses:
    """How much of what the turn has can be used in this position, one after the other."""
    there = _there(state)
    return Uses(
        there.money,
        min(there.clear, len(cathedral.occupied_sides(state.outer))),
        min(there.steps, danube.free_spaces_ahead(state, player)),
        min(there.cards, _cards(state, player)) if there.cards else 0,
        _seals(state, player) if there.seals else 0,
    )


def _cards(state: State, player: Player) -> int:
    """How many cards can be bought, or played beside the free play (A3, V3, V4, B8)."""
    plays = max(0, len(player.hand) - state.turn.free_play)
    if not supply.cards_to_be_had(state):
        return plays
    tiles = sum(player.tiles)
    if state.tower_tile == "card_for_tile":
        return plays + tiles
    return plays + tiles // 2 + (player.coins if state.tower_tile == "card_for_coin" else 0)


def _seals(state: State, player: Player) -> int:
    """How many seals can be paid and placed (A5, B9, V5 to V7)."""
    rules, turn = state.rules, state.turn
    near = quarters.reach(state, player)
    places = min(player.seals, sum(rules.seal_spaces[q] - len(state.quarters[q]) for q in near))
    coins, placed = player.coins, 0
    usual = tower.seal_price(rules.seal_price, state.tower_tile)
    dear = turn.activated[ORANGE] + turn.seal_credits
    for number, price in ((turn.seal_at_1_credits, rules.chronicle_seal_price), (dear, usual)):
        more = min(number, places - placed, coins // price if price else number)
        placed, coins = placed + more, coins - more * price
        if more < number:
            break
    return placed


def _within_turn(state: State, seat: int, there: Uses) -> Uses:
    """How much can be used in this turn, other moves before it included."""
    best, known, waiting = _possible(state, state.players[seat]), set[tuple[object, ...]](), [state]
    hand = state.players[seat].hand
    while waiting and len(known) < TRIED_MOST:
        # Nothing brings tiles outside after the push, and no space of the Danube gets free.
        cards, seals = best.cards < there.cards, best.seals < there.seals
        if not cards and not seals:
            break
        position = waiting.pop(0)
        for move in _enabling(position, seat, hand, cards, seals):
            after = position.copy()
            after.seed, after.chance = bytes(32), 0  # what chance decides does not count
            after.rules.advance(after, move, [])
            if (key := _key(after, seat)) in known:
                continue
            known.add(key)
            waiting.append(after)
            if not after.pending:
                best = Uses(*map(max, best, _used_and_possible(after, seat, there)))
    return best


def _used_and_possible(after: State, seat: int, there: Uses) -> Iterator[int]:
    for had, has, more in zip(there, _there(after), _possible(after, after.players[seat]), strict=True):
        yield min(had, max(0, had - has) + more)


def _enabling(position: State, seat: int, hand: tuple[str, ...], cards: bool, seals: bool) -> list[Move]:
    """Moves by which more cards, or more seals, can become possible; `hand` was there when the search began."""
    rules = position.rules
    legal = rules.legal_moves(position, seat)
    if position.pending:
        return legal if position.pending[-1][0] in EACH_ANSWER else legal[:1]
    steps = position.turn.activated[TURQUOISE] + position.turn.step_credits
    gifts = position.players[seat].barge + steps + len(position.players) > min(rules.space_bonus)  # D4, others jumped
    verbs = {"play", "seal"}
    if seals or position.tower_tile == "card_for_coin":
        verbs.add("money")
    if seals or gifts:
        verbs |= {"river", "sail"}
    if cards or hand:  # tiles pay for tops too
        verbs |= {"clear", "salvage"}
    return [
        move for move in legal if move[0] in verbs and (move[0] != "play" or (move[2] == "top" and move[1] in hand))
    ]


_LEFT = attrgetter("card_credits", "seal_credits", "seal_at_1_credits", "step_credits", "free_play")
_OWN = attrgetter("coins", "sparrows", "seals", "barge", "hand")


def _key(state: State, seat: int) -> tuple[object, ...]:
    """What of a position decides how much can be used in it."""
    player, turn = state.players[seat], state.turn
    pending, outside = (choice[0] for choice in state.pending), cathedral.occupied_sides(state.outer)
    taken = map(len, state.quarters)
    return (*turn.activated, *_LEFT(turn), *_OWN(player), sum(player.tiles), *taken, *pending, *outside)
