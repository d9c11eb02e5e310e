"""What is deleted leaves the files too: mails in the spool, and what the database's own files still hold of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from server.notify import spool
from server.settings import Settings
from server.storage.database import Store

log = logging.getLogger("ulm.jobs")


def forget(store: Store, settings: Settings, keys: Iterable[str] = ()) -> None:
    """Remove the mails of the mails `keys` from the spool of this machine, and the database's log of late changes.

    To be called when an account is gone. What cannot be done now the job of the same name does later.
    """
    try:
        spool.remove(spool.directory(settings), keys)
    except OSError as error:
        log.warning("mails of a deleted account stay in the spool until they are old: %s", error.strerror)
    if not store.empty_log():
        log.info("the write-ahead log is in use: it is emptied later")
