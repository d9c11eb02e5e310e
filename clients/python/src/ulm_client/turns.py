"""The turns of a player: positions in which the caller is to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ulm_client import types
from ulm_client.drivers import Awaiting, Blocking
from ulm_client.errors import RefusedError
from ulm_client.steps import Event, Item, Items, Steps, ask, carry, request

NEEDED: list[types.Include] = ["legal_moves", "view"]
"""What events and answers to moves bring along, so that nothing else has to be asked for."""
PASSED = ("stale-ply", "not-running", "not-your-turn")
"""Why a move is refused that has come too late."""


class Place(NamedTuple):
    """A position in which the caller is to move."""

    game_id: str
    ply: int
    view: types.View
    legal: list[str]


class BaseTurn:
    """What turns of both clients are."""

    def __init__(self, place: Place, client: Any) -> None:
        self.game_id, self.ply, self.view, self.legal = place
        self.answer: types.Played | None = None
        """What the server said to the moves."""
        self._client = client

    def _play(self, moves: tuple[str, ...]) -> Steps[types.Played | None]:
        values = {"game_id": self.game_id, "ply": self.ply, "moves": list(moves)}
        send = request("POST", "/api/v1/games/{game_id}/moves", values, query={"include": NEEDED})
        try:
            self.answer = yield from ask(send, self._client.patience)
        except RefusedError as error:
            if error.kind not in PASSED:
                raise
        return self.answer

    def following(self) -> Place | None:
        """The position that follows from what was played, where the caller is to move there, too."""
        return place(self.game_id, self.answer) if self.answer else None


class Turn(BaseTurn):
    """A position in which the caller is to move: `view` is all that their seat may see (docs/record.md), `legal` the
    moves."""

    _client: Blocking

    def play(self, *moves: str) -> types.Played | None:
        """Play moves, up to the first that reveals something; what is to be decided then is the next turn.

        Return None where the game has moved on meanwhile, because the time was over, say: then nothing was played.
        Raises `IllegalMoveError`.
        """
        return self._client.run(self._play(moves))


class AsyncTurn(BaseTurn):
    """As `Turn`; `play` is to be awaited."""

    _client: Awaiting

    async def play(self, *moves: str) -> types.Played | None:
        """As `Turn.play`."""
        return await self._client.run(self._play(moves))


T = TypeVar("T", bound=BaseTurn)


def place(game_id: str, told: Any) -> Place | None:
    """The position of which an event or an answer tells, where the caller is to move."""
    return Place(game_id, told["ply"], told["view"], told["legal_moves"]) if told.get("legal_moves") else None


def turns(events: Items[Event], make: Callable[[Place], T], game_id: str | None) -> Items[T]:
    """Hand out a turn whenever events tell of one, and those that follow from it at once."""
    played: dict[str, int] = {}

    def take(event: Event) -> Items[T]:
        game = str(event.data.get("game", game_id))
        now = place(game, event.data)
        if now is None:
            played.pop(game, None)
        elif now.ply < played.get(game, 0):  # an echo of moves whose answers went further
            now = None
        while now:
            turn = make(now)
            yield Item(turn)
            played[game] = turn.answer["ply"] if turn.answer else turn.ply
            now = turn.following()

    return carry(events, take)
