"""Mails that were refused one after the other: is it they, or is it the mail server?

A refusal of a mail whose reader was named may be that mail's or its reader's own, and may be a mistake of the mail
server's: one that has lost its list of users refuses everybody. So it is doubted, by a row for each such mail, until
another mail is taken. Then it was that mail's own. So many different addresses without one between are the server's
fault: their tries count for nothing, and addresses that were stopped by it are good again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from server.service.outbox import stopped_addresses
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

IN_A_ROW = 5
"""So many different addresses refused without a mail taken between: it is the mail server, not they."""

_PLAYERS = """
    SELECT id FROM player WHERE id IN (
        SELECT player_id FROM mail_refusal UNION SELECT player_id FROM mail WHERE id IN ({marks}))
    ORDER BY id FOR NO KEY UPDATE"""  # not FOR UPDATE: that would keep out whoever, with a game locked, writes to them
_LOCK = 0x726566  # "ref": any number that nothing else takes, and every version the same


def hold(store: Store, refused: Sequence[int]) -> list[int]:
    """Before anything is told of mails, of which these were refused, and before any of them is locked: keep everybody
    else in the running transaction from refusals, and lock the players concerned. The mails that were refused before,
    which `settle` and `take_back` may change. On SQLite `write()` has locked all already."""
    if store.is_sqlite or not (refused or sql.row(store, "SELECT 1 FROM mail_refusal LIMIT 1")):
        return []
    sql.execute(store, "SELECT pg_advisory_xact_lock(?)", _LOCK)
    if refused:
        sql.rows(store, _PLAYERS.replace("{marks}", ", ".join("?" * len(refused))), *refused)
    return [mail_id for (mail_id,) in sql.rows(store, "SELECT mail_id FROM mail_refusal")]


_NOTE = """
    INSERT INTO mail_refusal (mail_id, player_id, sent_to, counted, stopped, since, at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (mail_id) DO UPDATE SET at = excluded.at, counted = mail_refusal.counted + excluded.counted,
        stopped = excluded.stopped"""
_IN_A_ROW = "SELECT count(DISTINCT sent_to) FROM mail_refusal"


def note(
    store: Store, mail_id: int, player_id: str | None, sent_to: str, counted: bool, stopped: bool, at: datetime
) -> bool:
    """Note in the running transaction that a mail was refused.

    `counted` tells whether it was counted as a try, `stopped` whether it stopped the player's address. True when so
    many were refused one after the other that it is the server's fault: `take_back` does what follows.
    """
    moment = utc(at)
    sql.execute(store, _NOTE, mail_id, player_id, sent_to, int(counted), int(stopped), moment, moment)
    found = sql.row(store, _IN_A_ROW)
    return found is not None and int(found[0]) >= IN_A_ROW


def forget(store: Store, mail_id: int) -> None:
    """It is known now that this one was the mail's own. In the running transaction."""
    sql.execute(store, "DELETE FROM mail_refusal WHERE mail_id = ?", mail_id)


# What stopped the very address that has taken this one stays doubted: that says nothing for the refusal.
_SETTLED = """
    DELETE FROM mail_refusal WHERE mail_id = ? OR sent_to <> ? OR stopped = 0 RETURNING mail_id, counted"""
_TRIES = "SELECT attempts + doubts + 1 FROM mail WHERE id = ? AND state = 'pending'"
_OWN = "UPDATE mail SET doubts = doubts + 1, fault = 'theirs', lease_until = ? WHERE id = ? AND state = 'pending'"


def settle(store: Store, mail_id: int, sent_to: str, again: Callable[[int], datetime]) -> None:
    """A mail was taken: whatever was refused before it was so for its own sake, and is tried ever less often. In the
    running transaction. `again` tells when to try a mail that has failed so often."""
    for number, counted in sql.rows(store, _SETTLED, mail_id, sent_to):
        tries = None if counted or number == mail_id else sql.row(store, _TRIES, number)
        if tries is not None:
            sql.execute(store, _OWN, utc(again(tries[0])), number)


_ROWS = "SELECT mail_id, player_id, counted, stopped, since FROM mail_refusal WHERE counted > 0 ORDER BY mail_id"
_UNTRIED = """
    UPDATE mail SET state = 'pending', fault = 'ours', attempts = attempts - ?, done_at = NULL, lease_until = ?
    WHERE id = ? AND state IN ('pending', 'dead')"""
_TAKEN_BACK = "UPDATE mail_refusal SET counted = 0, stopped = 0 WHERE counted > 0"


def take_back(store: Store, now: datetime, again: Callable[[int], datetime]) -> None:
    """It is the server: in the running transaction end the stops that came of the refusals in a row, and let their
    mails wait as if those tries had not been."""
    for number, player_id, counted, stopped, since in sql.rows(store, _ROWS):
        if stopped and player_id is not None:
            stopped_addresses.undo(store, player_id, since, now)
        sql.execute(store, _UNTRIED, counted, utc(again(1)), number)
    sql.execute(store, _TAKEN_BACK)
