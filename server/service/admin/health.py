"""What is wrong with an installation, as far as its own machine and database tell it, and how to mend that."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from server.settings import Settings
from server.storage import readiness
from server.storage.database import Store
from server.storage.migrate import pending
from server.storage.times import utc
from server.storage.unusable import StoreError

ROOM = 1 << 30
"""Bytes that should be free where the database and the mails lie."""
SKEW = timedelta(seconds=5)
"""How far clocks may differ."""


class Found(NamedTuple):
    """What one look has found. Only what is `wrong` has to be mended."""

    kind: str
    text: str


ok, note, wrong = (partial(Found, kind) for kind in ("ok", "note", "wrong"))
"""Something is as it should be, or worth knowing, or in the way: then the text says how to mend it."""


def files(settings: Settings) -> Iterator[Found]:
    """Look at the folder of the data and its disk."""
    folder = settings.data_dir
    yield from can_be_written(folder, "ULM_DATA_DIR")
    if not folder.is_dir():
        return
    if folder.stat().st_mode & 0o007:
        yield note(f"{folder} can be read by everybody on this machine, and mails may lie there: chmod o-rwx")
    free = shutil.disk_usage(folder).free
    said = f"{free / (1 << 30):.1f} GB are free on the disk of {folder}"
    yield ok(said) if free >= ROOM else wrong(f"{said}: make room before it is full")


def can_be_written(folder: Path, setting: str) -> Iterator[Found]:
    """Whether the folder that a setting names is there, or can be made, and written to."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        yield wrong(f"{folder} cannot be: {there} is no folder. Set {setting} to what can be one")
    elif not os.access(there, os.W_OK | os.X_OK):
        yield wrong(f"{there} cannot be written to: give it to the user that runs the server, or set {setting}")
    elif there != folder.absolute():
        yield note(f"{folder} is not there yet: the server makes it when it needs it")


def database(store: Store, moment: datetime) -> Generator[Found, None, bool]:
    """Look at the database; returns whether it can be read."""
    with store.connection():
        missing = pending(store)
    if missing:
        yield wrong(f"the schema of {store.name} is not up to date: run `ulm db migrate`, or start the server")
        return False
    try:
        readiness.check(store)
    except StoreError as error:
        yield wrong(str(error))
        return True
    yield ok(f"the database {store.name} answers, its schema is the present one")
    newest, there = readiness.times(store)
    if newest is not None and newest > utc(moment + SKEW):
        yield wrong(
            f"the clock of this machine is behind: it says {utc(moment)}, and the newest move is of {newest}. "
            "Set it (chrony, systemd-timesyncd); deadlines go by it"
        )
    if there is not None and abs(there - moment) > SKEW:
        yield wrong(
            f"this machine's clock says {utc(moment)}, that of the database {utc(there)}: "
            "keep both by a time service (chrony, systemd-timesyncd)"
        )
    return True
