"""Mails as files while no mail server is configured: `NAME.eml` by the Message-ID, so that a repeat replaces itself."""

from __future__ import annotations

import email
import logging
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from server.notify.mime_message import OutgoingMail, mail_name
from server.notify.smtp_verdicts import DeliveryError, Verdict
from server.settings import Settings
from server.storage import ownership
from server.storage.database import Store

log = logging.getLogger("ulm.jobs")

_NAME = re.compile(r"[0-9a-f]{32}")


def directory(settings: Settings) -> Path:
    """Where the files are. Mails hold hands and sign-in links: the directory is for the server's account alone."""
    return settings.data_dir / "mail"


def key(directory: Path) -> str:
    """The secret that opens `/spool`: it lies beside the mails, for whoever may read these, and is made when it is
    first asked for. Raises `OSError`."""
    path, made = directory / ".key", directory / f".key.{secrets.token_hex(4)}"
    if not path.exists():
        _make(directory)
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(24))
        ownership.give(made)
        with suppress(FileExistsError):  # another process was as fast
            os.link(made, path)
        made.unlink()
    return path.read_text("ascii")


def _make(directory: Path) -> None:
    """Make it, for the server's account, where it is not there yet. Raises `OSError`."""
    if not directory.is_dir():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        ownership.give(directory)


class SpoolTransport:
    """Puts mails into files of `directory`, which is made when the first comes."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def send(self, mail: OutgoingMail) -> None:
        """Write one file: whole or not at all. Raises `DeliveryError` when the disk does not take it."""
        name = mail.message_id[1:33]
        path = self._directory / f"{name}.eml"
        unfinished = self._directory / f".{name}.{secrets.token_hex(4)}"
        try:
            _make(self._directory)
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(mail.data)
                file.flush()
                os.fsync(file.fileno())
            ownership.give(unfinished)
            os.replace(unfinished, path)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink()
            raise DeliveryError(f"cannot write into {self._directory}: {error.strerror}", Verdict.PAUSE) from error

    def close(self) -> None:
        """Nothing is open between two mails."""

    def abort(self) -> None:
        """Nothing is waited for."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A mail of the list: its name, when it was written (aware, UTC), to whom, and what about."""

    name: str
    at: datetime
    to: str
    subject: str


def listing(directory: Path, limit: int = 100) -> list[Listed]:
    """The newest `limit` mails, newest first."""
    found: list[tuple[float, str]] = []
    for path in directory.glob("*.eml"):
        try:
            found.append((path.stat().st_mtime, path.stem))
        except OSError:
            continue  # removed meanwhile
    mails = []
    for at, name in sorted(found, reverse=True)[:limit]:
        message = read(directory, name)
        if message is not None:
            mails.append(
                Listed(name, datetime.fromtimestamp(at, UTC), str(message["To"] or ""), str(message["Subject"] or ""))
            )
    return mails


def read(directory: Path, name: str) -> EmailMessage | None:
    """One mail by its name; None when there is none."""
    if not _NAME.fullmatch(name):
        return None
    try:
        data = (directory / f"{name}.eml").read_bytes()
    except OSError:
        return None
    message = email.message_from_bytes(data, policy=default)
    return message if isinstance(message, EmailMessage) else None


def remove(directory: Path, keys: Iterable[str]) -> None:
    """Remove the mails of these mails, where they lie here. Raises `OSError`."""
    for key in keys:
        (directory / f"{mail_name(key)}.eml").unlink(missing_ok=True)


def clean_up(directory: Path, before: datetime) -> int:
    """Remove mails that were written before that; how many."""
    removed = 0
    for path in directory.glob("*.eml"):
        try:
            if path.stat().st_mtime < before.timestamp():
                path.unlink()
                removed += 1
        except OSError:
            continue
    return removed


def forget(store: Store, settings: Settings, keys: Iterable[str] = ()) -> None:
    """Remove the mails of these keys from the spool, and the database's log of late changes: an account is gone."""
    try:
        remove(directory(settings), keys)
    except OSError as error:
        log.warning("mails of a deleted account stay in the spool until they are old: %s", error.strerror)
    if not store.empty_log():
        log.info("the write-ahead log is in use: it is emptied later")
