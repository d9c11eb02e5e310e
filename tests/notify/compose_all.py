"""Composes every mail of a database and prints a hash of each: `python -m tests.notify.compose_all MINUTES`.

Settings come from ULM_… variables; MINUTES is how long after it was due each is composed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from datetime import timedelta

from server.notify.compose import compose
from server.notify.composing import compose_one
from server.notify.mime_message import OutgoingMail
from server.settings import Settings
from server.storage.database import open_database
from tests.notify.letters import queued as as_queued
from tests.tables import Mail


def main() -> int:
    """Print what became of each notice that is due, as JSON; they stay as they are."""
    settings = Settings.from_env(os.environ)
    store = open_database(settings.database, threads=1)
    later = timedelta(minutes=int(sys.argv[1]))
    made = {}
    with store.read():
        notices = [as_queued(row) for row in Mail.select().order_by(Mail.id)]
    for notice in notices:
        outcome = compose_one(compose, store, settings, notice, notice.due + later)
        if isinstance(outcome, OutgoingMail):
            made[notice.key] = f"{outcome.sender} {outcome.to} {hashlib.sha256(outcome.data).hexdigest()}"
        else:
            made[notice.key] = str(outcome)
    store.close()
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
