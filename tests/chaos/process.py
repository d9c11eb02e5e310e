"""The server's own programs with a clock that a file sets: by how many seconds it is wrong, read ten times a second."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import time_machine

from server.cli import main as ulm
from server.settings import Settings

CLOCK = "CHAOS_CLOCK"
"""The variable that names the file."""


def wrong_by(file: Path) -> float:
    """How far the clock is to go wrong."""
    try:
        return float(file.read_text("ascii") or 0)
    except (OSError, ValueError):
        return 0.0


def main(arguments: Sequence[str]) -> int:
    """`ulm` with these arguments, in a process whose wall clock, not whose monotonic one, is what the file says, and
    which has more patience with its mail server, and less with each answer of it."""
    Settings.mail_tries, Settings.smtp_timeout = 40, 1
    file = Path(os.environ[CLOCK])
    here = wrong_by(file)
    with time_machine.travel(datetime.now().astimezone() + timedelta(seconds=here), tick=True) as traveller:

        def look() -> None:
            nonlocal here
            while True:
                time.sleep(0.1)
                there = wrong_by(file)
                if there != here:
                    traveller.shift(there - here)
                    here = there

        threading.Thread(target=look, name="clock", daemon=True).start()
        return ulm(arguments)
