"""Playing with a name alone: a guest is an account without address and tokens, until it gives an address."""

from __future__ import annotations

import random
import secrets
from datetime import datetime

from server.language import N_, gettext
from server.service.accounts import account_opening
from server.service.accounts.players import Player
from server.service.common import audit_log, checks, db_rate_limits, idempotency
from server.service.common import preferences as wishes
from server.service.common.naming import AGAINST_BOT, AGAINST_BOTS, Title
from server.service.common.preferences import Wishes
from server.service.common.quotas import HOUR
from server.service.games.bots import CHOSEN_FIRST
from server.service.seating import creating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

AT_ONCE = 200  # How many guests one run of the job forgets

# What guests are called until they say otherwise: birds and trades of the town.
_NAMES = (
    N_("Guest Sparrow"),
    N_("Guest Swallow"),
    N_("Guest Heron"),
    N_("Guest Stork"),
    N_("Guest Magpie"),
    N_("Guest Boatman"),
    N_("Guest Miller"),
    N_("Guest Mason"),
    N_("Guest Weaver"),
    N_("Guest Fiddler"),
)


def open_account(
    store: Store,
    name: str | None,
    machine: str,
    most: int,
    now: datetime,
    preferences: Wishes | None = None,
) -> Player:
    """An account for somebody who gives no more than a name, or not even that (None: a friendly one is found).
    `machine` is the address that asks, for which `most` accounts an hour are made; `preferences` are wishes of the
    page. Raises `Unprocessable` for a name that is none and `TooManyRequests`."""
    called = checks.name("name", name if name is not None else gettext(secrets.choice(_NAMES)))
    with store.write():
        refusal = gettext("many new players came from your network within the hour: wait a while, or sign in")
        db_rate_limits.require_from(store, "guest", machine, most, HOUR, now, refusal)
        return account_opening.add(store, called, now, "page", preferences=wishes.of_newcomer(preferences))


def play(
    store: Store,
    player: Player,
    seats: int,
    now: datetime,
    rng: random.Random | None = None,
    most: int | None = None,
    *,
    bot: str = CHOSEN_FIRST,
    advanced: bool = False,
    asked: idempotency.Asked | None = None,
) -> str:
    """A game of `player` against bots of one kind, which starts at once; its id. Raises as `creating.create` does."""
    seats = checks.whole("seats", seats, 2, 4)
    options = {"tower": advanced, "rotate_start": False}
    title = Title(kind=AGAINST_BOT if seats == 2 else AGAINST_BOTS, player=player.id)
    bots: list[str | None] = [bot] * (seats - 1)
    page = creating.create(
        store, player, seats, None, options, "", bots, False, now, rng, most=most, title=title, asked=asked
    )
    return str(page["id"])


_FORGOTTEN = """
    SELECT p.id FROM player p
    WHERE p.email IS NULL AND p.created_at < ?
    AND NOT EXISTS (
        SELECT 1 FROM token t WHERE t.player_id = p.id AND t.revoked_at IS NULL
        AND COALESCE(t.last_used_at, t.created_at) >= ?)
    AND NOT EXISTS (SELECT 1 FROM bot_account b WHERE b.player_id = p.id OR b.owner_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM imported_record r WHERE r.player_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM tournament_entry t WHERE t.player_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM message w WHERE w.player_id = p.id AND w.kind IS NULL)
    AND NOT EXISTS (
        SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id WHERE s.player_id = p.id AND (
            g.status <> 'running' OR g.origin <> 'played'
            OR EXISTS (SELECT 1 FROM seat o WHERE o.game_id = g.id AND o.seat <> s.seat AND o.bot IS NULL)
            OR EXISTS (SELECT 1 FROM move m WHERE m.game_id = g.id AND m.seat = s.seat AND m.automatic = ?)))"""
_OLDEST = _FORGOTTEN + " ORDER BY p.created_at LIMIT ?"
_STILL = _FORGOTTEN + " AND p.id = ?"
_SEATED = "SELECT g.id FROM game g JOIN seat s ON s.game_id = g.id WHERE s.player_id = ? ORDER BY g.id"
_THEIR_GAMES = "DELETE FROM game WHERE id IN (SELECT game_id FROM seat WHERE player_id = ?)"


def clean_up(store: Store, before: datetime, unused_since: datetime, now: datetime) -> int:
    """Forget guests from before that time who never played a move nor wrote a word, with the games against bots that
    they left as they found them; how many. Whoever sits with other people, has an address, has played or given a record
    to keep, stays; and so does who has a token that was made or used after `unused_since`."""
    these, forgotten = (utc(before), utc(unused_since), False), 0
    oldest = sql.rows(store, _OLDEST, *these, AT_ONCE)
    for (player_id,) in oldest:
        if store.closing.is_set():
            break
        with store.write():
            # Who has sat down or played since they were found shows when nobody can any more; games are locked first,
            # as by everybody who stores a row that refers to both.
            sql.rows(store, sql.locking(store, _SEATED, "g"), player_id)
            sql.row(store, sql.locking(store, "SELECT id FROM player WHERE id = ?"), player_id)
            if sql.row(store, _STILL, *these, player_id) is None:
                continue
            sql.execute(store, _THEIR_GAMES, player_id)
            sql.execute(store, "DELETE FROM player WHERE id = ?", player_id)
            audit_log.note(store, "account_forgotten", now, player_id)
            audit_log.account_gone(store, player_id)
            forgotten += 1
    return forgotten
