"""Composers that tests hand to delivery: module-level functions, because workers find them by name."""

import os
import signal
from datetime import datetime, timedelta
from email.message import EmailMessage

from server.notify.mail_content import Postpone, Skip
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store


def plain(store: Store, settings: Settings, queued: QueuedMail, now: datetime) -> EmailMessage | Skip | Postpone:
    """A multipart mail about the notice; `data` may ask for something else: skip, postpone, fail, kill."""
    if queued.data.get("skip"):
        return Skip(queued.data["skip"])
    if queued.data.get("postpone"):
        return Postpone(now + timedelta(hours=queued.data["postpone"]))
    if queued.data.get("fail"):
        raise KeyError("a secret that no log may show")
    if queued.data.get("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    found = sql.row(store, "SELECT count(*) FROM mail WHERE key = ?", queued.key)
    message = EmailMessage()
    message["From"] = f"Ulm by mail <{settings.mail_from}>"
    message["To"] = queued.address
    message["Subject"] = f"Your turn in game {queued.game_id or queued.id}: Münster"
    message.set_content(
        f"It is your turn.\nNotice {queued.id}, rows {found[0]}. Grüße ─┼─\n.a line with a dot\n",
        cte="quoted-printable",
    )
    message.add_alternative("<p>It is <b>your</b> turn.</p>", subtype="html", cte="quoted-printable")
    return message
