"""The order of a turn and of the rounds (rules.md §3), money, the draw, the end of a turn, resignation (O3)."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import cathedral, coats, scoring, supply, tower
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import NOBODY, Player, State, Turn
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, GRAY

DRAW: Final[Move] = ("draw",)
MONEY: Final[Move] = ("money",)
END: Final[Move] = ("end",)
RESIGN: Final[Move] = ("resign",)
PICK_MOVES: Final[tuple[Move, ...]] = tuple(("pick", color) for color in COLORS)
KEEP_MOVES: Final[tuple[Move, ...]] = tuple(("keep", color) for color in COLORS)
SWAP_MOVES: Final[tuple[Move, ...]] = tuple(("swap", color) for color in COLORS)


def draw_moves(state: State, tile: str | None) -> list[Move]:
    """Return the moves that begin a turn: `draw`, or `pick` by V11 or after patrician (T3, B11)."""
    picks: list[Move] = []
    if state.turn.patrician or tile == "pick_tile":
        picks = [PICK_MOVES[color] for color in range(5) if state.bag[color]]
    return picks if state.turn.patrician else [DRAW, *picks]


def draw(state: State, seat: int, move: Move, events: Events) -> None:
    """`draw`: T3, N5, L4."""
    if not any(state.bag) and any(color != NOBODY for color in state.outer):
        cathedral.sweep(state, seat, events, drawing=True)
    wanted = 2 if "builder" in state.players[seat].descendants else 1
    drawn = [supply.draw_tile(state) for _ in range(min(wanted, sum(state.bag)))]
    state.turn.tiles = tuple(drawn)
    state.phase = "keep" if len(drawn) == 2 else "push"
    if drawn:
        # Of the builder's two tiles one goes back unseen by the others.
        names = tuple([COLORS[color] for color in drawn])
        events.append(Event("draw", seat, names, len(drawn), len(drawn) == 2))
    else:
        events.append(Event("draw_nothing", seat))


def pick(state: State, seat: int, move: Move, events: Events) -> None:
    """`pick COLOR`: V11, B11."""
    color = COLOR_INDEX[move[1]]
    state.bag[color] -= 1
    state.turn.tiles = (color,)
    state.turn.patrician = False
    state.phase = "push"
    events.append(Event("pick", seat, move[1:]))


def keep_moves(state: State) -> list[Move]:
    """Return the builder's choice (N5)."""
    first, second = state.turn.tiles
    return [KEEP_MOVES[first]] if first == second else [KEEP_MOVES[first], KEEP_MOVES[second]]


def keep(state: State, seat: int, move: Move, events: Events) -> None:
    """`keep COLOR`: the other tile goes back into the bag (N5)."""
    first, second = state.turn.tiles
    color = COLOR_INDEX[move[1]]
    state.turn.tiles = (color,)
    state.phase = "push"
    events.append(Event("keep", seat, move[1:]))
    supply.put_into_bag(state, seat, (second if color == first else first,), events)


def swap_moves(state: State, player: Player) -> list[Move]:
    """Return the exchanges of the tile in hand for one of another colour of the docks (L2)."""
    if not player.sparrows or state.turn.swapped or not state.turn.tiles:
        return []
    in_hand = state.turn.tiles[0]
    return [SWAP_MOVES[color] for color in range(5) if state.docks[color] and color != in_hand]


def swap(state: State, seat: int, move: Move, events: Events) -> None:
    """`swap COLOR`: L2, L3."""
    color, in_hand = COLOR_INDEX[move[1]], state.turn.tiles[0]
    state.players[seat].sparrows -= 1
    state.docks[color] -= 1
    state.docks[in_hand] += 1
    state.turn.tiles = (color,)
    state.turn.swapped = True
    events.append(Event("swap", seat, (COLORS[in_hand], COLORS[color])))


def money(state: State, seat: int, move: Move, events: Events) -> None:
    """`money`: A1."""
    coins = money_coins(state, seat)
    state.turn.activated[GRAY] -= 1
    state.players[seat].coins += coins
    events.append(Event("money", seat, (), coins))


def money_coins(state: State, seat: int) -> int:
    """Return the coins that `money` brings: A1, N3, V2."""
    return 1 + ("mint_master" in state.players[seat].descendants) + (state.tower_tile == "extra_money")


def end(state: State, seat: int, move: Move, events: Events) -> None:
    """`end`: what is unused is lost, an unpaid levy costs points (A6, V8, V9); the next seat's turn begins."""
    tower.collect_unpaid_levy(state, seat, events)
    events.append(Event("end", seat))
    _next_turn(state, seat, events)


def _next_turn(state: State, seat: int, events: Events) -> None:
    """Begin the turn after that of `seat`, or end the game (T1, T2, O2, O4)."""
    players = state.players
    count = len(players)
    position = (seat - state.start) % count + 1
    while position < count and players[(state.start + position) % count].resigned:
        position += 1
    if position == count:
        if state.round == state.rules.rounds:
            _game_over(state, events)
            return
        state.round += 1
        if state.rotate_start:
            state.start = (state.start + 1) % count
        position = 0
        while players[(state.start + position) % count].resigned:
            position += 1
        events.append(Event("round", seat, (state.tower_tile,) if state.tower_tile else (), state.round))
    begin_turn(state, (state.start + position) % count, events)


def begin_turn(state: State, seat: int, events: Events) -> None:
    """Begin the turn of `seat`: T5, V5."""
    state.active = seat
    state.phase = "draw"
    early_seal = state.tower_tile == "free_seal" and not state.rules.seal_after_push
    state.turn = Turn.fresh(True, int(early_seal))
    if cathedral.all_blocked(state.outer):
        cathedral.sweep(state, seat, events)


def _game_over(state: State, events: Events) -> None:
    """Final scoring (E1)."""
    state.active = None
    state.phase = "over"
    state.turn = Turn.fresh()
    state.pending = ()
    state.scores = state.rules.final_scores(state)
    for seat, score in enumerate(state.scores):
        events.append(Event("score", seat, (), score["total"]))
    for seat in scoring.winners(state.scores):
        events.append(Event("wins", seat))


def resign(state: State, seat: int, events: Events) -> None:
    """`resign` by any seat that is still in, also out of turn (O3). The game must be running."""
    state.players[seat].resigned = True
    events.append(Event("resign", seat))
    left = sum(not player.resigned for player in state.players)
    active = state.active
    if active is not None and (left == 1 or seat == active):
        _break_off(state, active, events)
        if left == 1:
            _game_over(state, events)
        else:
            _next_turn(state, active, events)


def _break_off(state: State, seat: int, events: Events) -> None:
    """Put back what the turn under way has open: tiles in hand, cards and coats on offer, choices (O3)."""
    pending, state.pending = state.pending, ()
    tiles, state.turn.tiles = state.turn.tiles, ()
    if tiles:
        supply.put_into_bag(state, seat, tiles, events)
    for choice in reversed(pending):
        if choice[0] == "choose":
            state.discard += choice[1]
            events.append(Event("discard", seat, choice[1], len(choice[1])))
        elif choice[0] == "coat":
            coats.put_under(state, choice[1])
