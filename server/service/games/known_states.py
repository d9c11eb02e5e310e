"""The states that this process stored or read last, so that whoever moves next needs not have theirs read from text.

A state is taken from here only for the very text that the database holds, so it does not matter who else has written
it since, or whether what was kept was ever committed. It is for who is to move alone: for others the time that this
saves would tell whether something was done that is hidden from them.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from cachetools import LRUCache

from server.engine.ulm1.state import State
from server.service.games.model import Game

GAMES = 500
"""So many games are remembered, some ten kilobytes each."""


class _Known(NamedTuple):
    ruleset: str
    seeds: tuple[str, ...]
    text: str
    state: State


_known: LRUCache[str, _Known] = LRUCache(GAMES)
_lock = threading.Lock()


def keep(game: Game, text: str, state: State) -> None:
    """Remember what `text` says; nobody changes `state` any more."""
    with _lock:
        _known[game.id] = _Known(game.ruleset, _seeds(game), text, state)


def read(game: Game, text: str) -> State | None:
    """The state that `text` says, to do with as one likes; None where that has to be read."""
    with _lock:
        found = _known.get(game.id)
    if found is None or found.text != text or found.ruleset != game.ruleset or found.seeds != _seeds(game):
        return None
    return found.state.copy()


def _seeds(game: Game) -> tuple[str, ...]:
    return (game.server_seed, *[seat.client_seed for seat in game.seats])
