"""The search of a seat's own turn: every order of its actions that is worth a look, up to its end.

Only moves of the seat itself are looked at; what comes after its turn is for `value` to say. Reveals within the turn
happen as they would in the position that is searched, so a position with what is hidden dealt anew is searched, and
more than one of them, before a decision is taken.
"""

from __future__ import annotations

from operator import itemgetter

from bots.features import laid, standing, turns_left
from bots.value import Value, soft_max
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import LEVIES
from server.engine.ulm1.turn import END, MONEY

NEVER = -1e9
UNUSED = (1.2, 1.0, 1.8, 1.3, 0.0)
"""What an action that is still to be used promises, by colour; of a seal see `_promise`."""
SEAL_PROMISE, PLAY_PROMISE = 4.0, 1.5
_FIRST = itemgetter(0)


class Searcher:
    """Looks through the turn of one seat. What it knows of the others is taken from the position that it began with."""

    def __init__(self, value: Value, start: State, me: int) -> None:
        self.me = me
        self.value = value
        self.nodes = 0
        rules = start.rules
        self.row = value.rows[True][turns_left(start, me) - (start.phase == "draw")]
        self.rivals = [seat for seat, player in enumerate(start.players) if seat != me and not player.resigned]
        # When nobody has a turn after this one, the points as they stand are the end.
        self.last = start.round == rules.rounds and all(turns_left(start, seat) == 0 for seat in self.rivals)
        self.others = [
            0.0 if self.last else value.prospects(start, seat, False) - standing(start, seat) for seat in self.rivals
        ]
        # Of the others nothing but points and Sparrows changes in this turn, but for what Chronicle cards say.
        self.fixed = [
            standing(start, seat) - start.players[seat].vp - start.players[seat].sparrows for seat in self.rivals
        ]
        self.simple = all(not laid(rules, start.players[seat].table)[1] for seat in self.rivals)
        self.loss = rules.levy_loss if start.tower_tile in LEVIES else 0

    def ended(self, state: State) -> float:
        """Return the margin that is expected if the turn ends here."""
        mine = self.mine(state)
        if self.loss and not state.turn.levy_paid:
            mine -= self.loss
        return mine - self.against(state)

    def glance(self, state: State) -> float:
        """Return what a position within the turn promises, without a look at what can be done there."""
        return self.ended(state) + promise(state, self.me) + 3.0 * len(state.pending)

    def mine(self, state: State) -> float:
        """Return the points that this seat is expected to end with."""
        points = standing(state, self.me)
        if self.last:
            return points + 0.1 * sum([self.me in owners for owners in state.quarters])
        return points + self.row.to_come(state, self.me)

    def against(self, state: State) -> float:
        """Return the points that one has to reckon with on the other side."""
        points: list[float] = []
        for index, seat in enumerate(self.rivals):
            player = state.players[seat]
            now = player.vp + player.sparrows + self.fixed[index] if self.simple else standing(state, seat)
            points.append(now + self.others[index])
        return points[0] if len(points) == 1 else soft_max(points)

    def best(self, state: State, width: int, limit: int) -> float:
        """Return the best margin that this turn can come to from `state`, after one of this seat's moves. A beam of
        `width` positions, and about `limit` of them looked at in all."""
        if state.active != self.me or state.phase in ("draw", "over"):
            return self.after(state)
        return self.finish(state, width, limit)[0]

    def finish(self, state: State, width: int, limit: int) -> tuple[float, State]:
        """Return the best margin that this turn can come to, and the position before its `end`; see `best`. This seat
        is to move and has drawn."""
        rules, seen, best, end = state.rules, set[object](), NEVER, state
        beam = self.settled(state)
        stop = self.nodes + limit
        for node in beam:
            self.nodes += 1
            if node.phase == "actions" and (worth := self.ended(node)) > best:
                best, end = worth, node
        while beam:
            found: list[tuple[float, State]] = []
            for node in beam:
                for move in moves_of(node):
                    child = node.copy()
                    rules.advance(child, move, [])
                    for quiet in self.settled(child) if child.pending else (child,):
                        known = key(quiet, self.me)
                        if known in seen:
                            continue
                        seen.add(known)
                        self.nodes += 1
                        worth = self.ended(quiet)
                        if quiet.phase == "actions" and worth > best:
                            best, end = worth, quiet
                        found.append((worth + promise(quiet, self.me), quiet))
            if self.nodes > stop:
                width = 1
            found.sort(key=_FIRST, reverse=True)
            beam = [quiet for _, quiet in found[:width]]
        return best, end

    def after(self, state: State) -> float:
        """Return the margin of a position after the turn."""
        if state.scores is not None or self.last:
            points = standing(state, self.me) + 0.1 * sum([self.me in owners for owners in state.quarters])
            return points - self.against(state)
        return standing(state, self.me) + self.row.to_come(state, self.me) - self.against(state)

    def settled(self, state: State) -> list[State]:
        """Return the positions to which the answers to all pending choices lead."""
        quiet: list[State] = []
        waiting = [state]
        seen = set[object]()
        rules = state.rules
        while waiting:
            node = waiting.pop()
            if not node.pending:
                known = key(node, self.me)
                if known not in seen:
                    seen.add(known)
                    quiet.append(node)
                continue
            for move in rules.legal_moves(node):
                child = node.copy()
                rules.advance(child, move, [])
                waiting.append(child)
        return quiet


def whole_turn(state: State, value: Value, width: int, limit: int) -> State:
    """Return the position after the turn that begins, played as well as a short look finds; `state` is used up."""
    rules, me = state.rules, state.active
    if me is None:
        return state
    while state.active == me and state.phase in ("draw", "keep"):
        rules.advance(state, rules.legal_moves(state)[0], [])
    _, end = Searcher(value, state, me).finish(state, width, limit)
    rules.advance(end, END, [])
    return end


def moves_of(state: State) -> list[Move]:
    """Return the moves worth a look: coins are taken first, and `end` is not one that the search has to make."""
    legal = state.rules.legal_moves(state)
    if MONEY in legal:
        return [MONEY]
    return [move for move in legal if move != END and move[0] != "exchange"]


def promise(state: State, me: int) -> float:
    """Return what the actions that are left in the turn may still bring."""
    turn, player = state.turn, state.players[me]
    gray, white, brown, turquoise, orange = turn.activated
    more = gray * UNUSED[0] + turquoise * UNUSED[3] + turn.step_credits * UNUSED[3]
    cards = brown + turn.card_credits
    if cards and (player.hand or sum(player.tiles) > 1):
        more += cards * UNUSED[2]
    if white and max(state.outer) >= 0:
        more += white * UNUSED[1]
    seals = orange + turn.seal_credits + turn.seal_at_1_credits
    if seals and player.seals:
        more += SEAL_PROMISE * min(seals, (player.coins + gray) / 2)
    if turn.free_play and player.hand:
        more += PLAY_PROMISE
    return more


def key(state: State, me: int) -> object:
    """Return what tells positions of one turn apart."""
    player, turn = state.players[me], state.turn
    return (
        player.vp,
        player.coins,
        player.sparrows,
        tuple(player.tiles),
        player.barge,
        player.seals,
        player.hand,
        frozenset(player.table),
        player.descendants,
        player.coats,
        tuple(turn.activated),
        turn.card_credits,
        turn.seal_credits,
        turn.seal_at_1_credits,
        turn.step_credits,
        turn.free_play,
        turn.levy_paid,
        turn.slot,
        turn.tiles,
        turn.patrician,
        state.phase,
        state.outer,
        tuple(state.docks),
        state.quarters,
        state.pending,
        len(state.pile),
    )
