"""What has to be true when all is over: one function, that returns what is not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from server.notify.mime_message import message_id
from server.service.archive import verification
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.durability.harness import Party, check_log


def findings(
    store: Store, parties: Sequence[Party], settings: Settings, received: Collection[str], now: datetime
) -> list[str]:
    """Lost, doubled, half or unasked moves; games that do not verify; mails that are neither done nor dead, or said to
    be sent and never `received` (their Message-IDs); leases that hold at `now` (those of who was killed run out).
    Nobody may be playing any more."""
    found = []
    for party in parties:
        try:
            check_log(store, party)
        except AssertionError as error:
            said = str(error) or "another move than was asked for"
            found.append(f"game {party.id}: {said.splitlines()[0]}")
        if party.pending is not None:
            found.append(f"game {party.id}: ply {party.pending.ply + 1} was never answered")
    found += [f"game {one.game_id} ply {one.ply}: {one.what}: {one.message}" for one in verification.verify_all(store)]
    with store.read():
        mails = sql.rows(store, "SELECT id, key, state, message_id FROM mail ORDER BY id")
        leases = sql.rows(store, "SELECT name, owner FROM lease WHERE until > ? ORDER BY name", utc(now))
        claimed = sql.row(store, "SELECT COUNT(*) FROM bot_turn WHERE lease_owner IS NOT NULL")
    for number, key, state, known in mails:
        if state not in ("sent", "skipped", "dead"):
            found.append(f"mail {number} is still {state}")
        elif state == "sent" and (known or message_id(settings, key)) not in received:
            found.append(f"mail {number} is said to be sent, and nobody has it")
    found += [f"the lease {name} is left over, of {owner}" for name, owner in leases]
    if claimed is not None and claimed[0]:
        found.append(f"{claimed[0]} turns of bots are still claimed")
    return found
