"""A finished game for an empty database, so that replays have something to show."""

from __future__ import annotations

import random
from datetime import datetime
from hashlib import sha256
from importlib.resources import files

from server.engine.ulm1.shapes import Options
from server.service.common.errors import Conflict
from server.service.common.naming import COLOURS, SHOWN_FIRST, Title, server_name
from server.service.games import due_work, finish_move
from server.service.games.bots import CHOSEN_FIRST
from server.service.games.model import Game, Seat
from server.service.games.saving import changing, insert
from server.storage import sql
from server.storage.database import Store

EXAMPLE_ID = "example"
SERVER_SEED = sha256(b"the example game of Ulm by mail").digest()
BOT_SEED = 1377  # the year in which the Minster was begun
ANALYSIS = "example_analysis.json"
"""What `ulm-replay analyse --json` says of it, read until the job has made it anew by newer weights."""
NAMES = tuple(server_name(kind) for kind in COLOURS)


def ensure_example(store: Store, now: datetime) -> str | None:
    """Store the example game, played by bots, always the same, in an empty database. Its id, or None."""
    if not _empty(store):
        return None
    options: Options = {"rotate_start": False, "tower": True}
    game = Game.new(Title(kind=SHOWN_FIRST), options, len(NAMES), "example", now, server_seed=SERVER_SEED)
    game.id = EXAMPLE_ID
    game.seats = [Seat(seat, None, CHOSEN_FIRST, name, "") for seat, name in enumerate(NAMES)]
    rng = random.Random(BOT_SEED)  # noqa: S311 - the same game every time is what is wanted
    try:
        with changing(store):
            if not _empty(store):
                return None
            insert(store, game)
            finish_move.start(store, game, now, rng)
            due_work.bring_analysis(
                store, EXAMPLE_ID, files("server.service.seating").joinpath(ANALYSIS).read_text("utf-8")
            )
    except Conflict:
        return None  # another process of the same start was faster
    return EXAMPLE_ID


def _empty(store: Store) -> bool:
    return sql.row(store, "SELECT 1 FROM game LIMIT 1") is None
