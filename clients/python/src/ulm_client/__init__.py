"""A client of Ulm by mail: `Client` blocks, `AsyncClient` is to be awaited, and both do the same.

with Client("https://ulm.example.org", TOKEN) as client:
    for turn in client.turns():
        turn.play(choose(turn.view, turn.legal))
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from ulm_client import turns as _turns
from ulm_client.drivers import Awaiting, Blocking
from ulm_client.errors import IllegalMoveError, NoAnswerError, RefusedError, UlmError
from ulm_client.operations import Operations
from ulm_client.steps import Event
from ulm_client.turns import AsyncTurn, Turn

__all__ = ["AsyncClient", "AsyncTurn", "Client", "Event", "IllegalMoveError", "NoAnswerError", "RefusedError", "Turn",
           "UlmError"]  # fmt: skip


class Client(Operations, Blocking):
    """The API of a server, with a token (without one: as a stranger). Threads may share it.

    What passes (no network, 429, 503, a stream that is cut) is waited out, up to `patience` seconds for each request:
    `math.inf` for a bot. A request that is sent again does nothing twice. `sleep` is what it waits by.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = 60,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        super().__init__(url, token, patience, sleep)

    def turns(self, game_id: str | None = None) -> Iterator[Turn]:
        """Yield a turn whenever it is the caller's, in any game or in one until it is over, for ever otherwise."""
        return self.each(_turns.turns(self._events(game_id, _turns.NEEDED), self._turn, game_id))

    def _turn(self, place: _turns.Place) -> Turn:
        return Turn(place, self)


class AsyncClient(Operations, Awaiting):
    """As `Client`; whatever is asked is to be awaited, on asyncio or trio."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = 60,
        sleep: Callable[[float], Awaitable[object]] | None = None,
    ) -> None:
        super().__init__(url, token, patience, sleep)

    def turns(self, game_id: str | None = None) -> AsyncIterator[AsyncTurn]:
        """As `Client.turns`."""
        return self.each(_turns.turns(self._events(game_id, _turns.NEEDED), self._turn, game_id))

    def _turn(self, place: _turns.Place) -> AsyncTurn:
        return AsyncTurn(place, self)
