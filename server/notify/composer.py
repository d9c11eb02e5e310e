"""What delivery hands to a composer, and what the composer may answer.

A composer is a module-level function `compose(store, settings, notice, now)`: mails are composed in processes of their
own, which find it by its name. It reads in short `store.read()` blocks and writes nothing but links (`accounts/links`),
each once. `now` decides whether the notice is still true; what is printed comes from the notice and the stored state
and from no clock, so that a mail that is sent once more after a crash has the same bytes. Where a text or a link needs
a time, it is `notice.due`.

Delivery adds Message-ID, Date and the boundaries of the parts (`server/notify/mime_message.py`); From, To and all else
are the composer's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from server.service.outbox.deliveries import Notice
from server.settings import Settings
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class Skip:
    """The notice is no longer true or not wanted; it is marked skipped with this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Postpone:
    """Not now: the notice is due again at `until` (aware), which counts as no try."""

    until: datetime


Composer = Callable[[Store, Settings, Notice, datetime], EmailMessage | Skip | Postpone]
