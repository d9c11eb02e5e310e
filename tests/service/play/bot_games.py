"""Games against bots that need time, and what the tables say of the turns that they are to play."""

from collections.abc import Callable
from datetime import datetime, timedelta

from server.bot_workers.job import BotTurns
from server.engine import seeds
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES
from server.service.play import bot_turns, turns
from server.service.play.bot_turns import DueTurn
from server.service.seating import creating, joining
from server.storage import sql
from server.storage.database import Store
from tests.service.bots_here import Here, worker
from tests.service.conftest import NOW, Match, fixed_entropy, make_player

LATER = NOW + timedelta(seconds=15)


def wired(store: Store, thinker: Here | None = None, owner: str = "one") -> BotTurns:
    """The job, at the time at which all of this happens."""
    return worker(store, NOW, thinker, owner)


def end_turn(game: Match, now: datetime = NOW) -> None:
    """Play a turn of whoever is to move, any turn."""
    seat = game.active
    while game.to_move == seat:
        legal = game.legal(seat)
        move = next((move for move in legal if move in ("draw", "end")), legal[0])
        turns.play(game.store, game.id, game.players[seat], game.ply(seat), [move], None, now)
        if move == "end":
            return


def begins(seed: int, seats: int) -> int | None:
    """The seat that begins in a game without shares of its players."""
    return RULES.new_game(seeds.game_seed(fixed_entropy(seed)(32), [""] * seats), seats, {}).active


def against(store: Store, *bots: str | None, seed: int = 1, **options: object) -> Match:
    """A game of one player, and people where there is None among the bots, in which seat 0 begins."""
    ann = make_player(store, "Ann")
    seed = next(number for number in range(seed, seed + 1000) if begins(number, len(bots) + 1) == 0)
    page = creating.create(
        store, ann, len(bots) + 1, "A game", {}, "", list(bots), False, NOW, entropy=fixed_entropy(seed), **options
    )
    people = {0: ann}
    for seat, bot in enumerate(bots, 1):
        if bot is None:
            people[seat] = make_player(store, f"Player {seat}")
            joining.join(store, people[seat], page["id"], "", None, NOW)
    return Match(store, page["id"], [people.get(seat, ann) for seat in range(len(bots) + 1)])


def worlds(holder: int) -> tuple[Callable[[State], None], Callable[[State], None]]:
    """Two changes of a position: they differ in a card of the holder, and in all else that nobody sees."""

    def one(state: State) -> None:
        state.players[holder].hand = (*state.players[holder].hand, state.pile[0])
        state.pile = state.pile[1:]

    def other(state: State) -> None:
        state.players[holder].hand = (*state.players[holder].hand, state.pile[1])
        state.pile = tuple(reversed((state.pile[0], *state.pile[2:])))
        state.coats = tuple(reversed(state.coats))
        state.tower = (*state.tower[: state.round + 1], *reversed(state.tower[state.round + 1 :]))
        state.chance += 5

    return one, other


def due(store: Store, owner: str = "one") -> DueTurn:
    found = bot_turns.claim(store, owner, NOW, LATER)
    assert found is not None
    return found


def rows(store: Store) -> list[tuple[object, ...]]:
    return sql.rows(store, "SELECT game_id, seat, alone, failures, lease_owner FROM bot_turn ORDER BY game_id")


def plies(store: Store, game: str) -> list[int]:
    found = sql.rows(store, "SELECT ply FROM move WHERE game_id = ? AND undone_at IS NULL ORDER BY ply", game)
    return [ply for (ply,) in found]
