"""Games whose analysis is wanted: a row says so, until the job has written what it found (`archive/analyses`)."""

from __future__ import annotations

import json
from datetime import datetime

from replays.analysis import results
from replays.analysis.results import Analysis
from server import request_ids
from server.service.games.model import SANDBOX, Game
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

# What was found before stays to be read until there is something newer.
_WANT = """
    INSERT INTO analysis (game_id, wanted_at, done, failures, request) VALUES (?, ?, 0, 0, ?)
    ON CONFLICT (game_id) DO UPDATE SET wanted_at = excluded.wanted_at, done = 0, failures = 0,
        request = excluded.request
    WHERE analysis.wanted_at IS NULL"""


def want(store: Store, game_id: str, now: datetime) -> None:
    """Note in the running transaction that the analysis of a finished game is wanted."""
    sql.execute(store, _WANT, game_id, utc(now), request_ids.present())


_BRING = "UPDATE analysis SET version = ?, data = ?, wanted_at = CASE WHEN ? THEN wanted_at END WHERE game_id = ?"


def bring(store: Store, game_id: str, text: str) -> None:
    """Keep an analysis that was made elsewhere for a game of which it is wanted, in the running transaction. One that
    is not by the method of now is read until there is a newer one, which stays wanted."""
    found: Analysis = json.loads(text)
    old = found["version"] != results.version(len(found["seats"]))
    sql.execute(store, _BRING, found["version"], text, old, game_id)


def note(store: Store, game: Game, now: datetime) -> None:
    """Want it of a game that is over by what was just played, if people played it, or if it is the example. No
    statement for any other; of games of bots alone and of sandboxes it is wanted by whoever asks."""
    if game.result is None or game.origin == SANDBOX:
        return
    if game.origin == "example" or any(seat.player is not None for seat in game.seats):
        want(store, game.id, now)
