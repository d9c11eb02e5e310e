"""Deals: what is dealt in a game, the same at many tables.

All games of a deal have its secret as the server's share of their seed, and no seat adds to it: so they begin alike,
and what comes from piles and chance is the same. The secret is committed to when the deal is made. Until it is
revealed, its games are sealed (`Game.sealed`): whoever knew one of them whole would know what comes at other tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson

from server.engine import rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Options
from server.service.archive import statistics
from server.service.common.ids import Entropy, random_id
from server.service.common.naming import Title
from server.service.games import finish_move, loading
from server.service.games.model import PLAYED, ClockForm, Game, Seat
from server.service.games.saving import changing, insert
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


class Deal(NamedTuple):
    """A deal. `closes_at` is None where it ends with its last game, `day` but for deals of the day."""

    id: str
    day: str | None
    server_seed: str
    """Hex; nobody's to see before the deal is revealed (`seed`)."""
    commitment: str
    ruleset: str
    options: Options
    seats: int
    closes_at: str | None
    revealed_at: str | None = None

    @property
    def seed(self) -> str | None:
        """The secret of a deal that is revealed; None before."""
        return None if self.revealed_at is None else self.server_seed


_FIND = f"SELECT {', '.join(Deal._fields)} FROM deal WHERE id = ? OR day = ?"  # noqa: S608 - of ours


def find(store: Store, which: str, locked: bool = False) -> Deal | None:
    """The deal with that id, or of that day, inside a transaction; `locked` in one that writes."""
    found = sql.row(store, sql.locking(store, _FIND) if locked else _FIND, which, which)
    return None if found is None else Deal(*found)._replace(options=orjson.loads(found[5]))


def make(
    store: Store,
    options: Options,
    seats: int,
    rules: Rules,
    now: datetime,
    closes_at: datetime | None = None,
    *,
    day: str | None = None,
    entropy: Entropy = secrets.token_bytes,
) -> Deal:
    """Store a new deal in the running transaction; its secret is chosen and committed to here."""
    seed, closes = entropy(32), None if closes_at is None else utc(closes_at)
    made = Deal(random_id(entropy, 12), day, seed.hex(), seeds.commitment(seed), rules.name, options, seats, closes)
    sql.insert(store, "deal", **{**made._asdict(), "options": canonical_json(options)}, created_at=utc(now))
    return made


def start_game(
    store: Store,
    deal: Deal,
    title: Title,
    seats: Sequence[Seat],
    now: datetime,
    *,
    creator: str | None = None,
    clock: ClockForm | None = None,
) -> Game:
    """Store and begin a game of a deal that is not revealed, with all seats taken, in the running transaction, which
    has locked the deal. It is private and sealed."""
    if deal.revealed_at is not None:
        raise RuntimeError(f"deal {deal.id} is revealed: nobody can begin to play it")
    game = Game.new(
        title,
        deal.options,
        deal.seats,
        PLAYED,
        now,
        rulesets.rules_for(deal.ruleset),
        creator=creator,
        private=True,
        server_seed=bytes.fromhex(deal.server_seed),
    )
    game.deal, game.sealed, game.clock, game.seats = deal.id, True, clock, list(seats)
    insert(store, game)
    finish_move.start(store, game, now, None)
    return game


_RUNNING = "SELECT id FROM game WHERE deal_id = ? AND status = 'running' ORDER BY id"
_REVEAL = "UPDATE deal SET revealed_at = ? WHERE id = ?"
_OPEN = "UPDATE game SET private = ?, version = version + 1 WHERE deal_id = ?"
_COUNT = f"""
    INSERT INTO tally (game_id, version, rows)
    SELECT g.id, 0, '[]' FROM game g WHERE g.deal_id = ? AND {statistics.COUNTABLE} ON CONFLICT DO NOTHING"""  # noqa: S608


def reveal(store: Store, deal_id: str, now: datetime, then: Callable[[Store, str], object] | None = None) -> bool:
    """End a deal: what is still played is given up, whoever sits there told, then its secret is nobody's any more and
    its games are for all to see, and counted. In transactions of its own: a process that dies has revealed nothing
    while anybody plays. What follows `then` is stored with it. False where somebody was faster."""
    for (game_id,) in sql.rows(store, _RUNNING, deal_id):
        _give_up(store, game_id, now)
    with store.write():
        deal = find(store, deal_id, locked=True)
        if deal is None or deal.revealed_at is not None or sql.row(store, _RUNNING, deal_id) is not None:
            return False
        sql.lock_in_order(store, "game", "deal_id = ?", deal_id)
        sql.execute(store, _REVEAL, utc(now), deal_id)
        sql.execute(store, _OPEN, False, deal_id)
        sql.execute(store, _COUNT, deal_id, *statistics.COUNTABLE_VALUES)
        if then is not None:
            then(store, deal_id)
        return True


def _give_up(store: Store, game_id: str, now: datetime) -> None:
    """Give up a game of a deal that ends."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if game.status == "running":
            loading.read_hidden(store, game)
            game.abandon(utc(now))
            finish_move.after_moves(store, game, game.to_move, now, None)
