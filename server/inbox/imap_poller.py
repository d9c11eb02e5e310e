"""A door for those who have a mailbox alone: look into it now and then (IMAP). A mail is taken out when what it asks
for is committed; what fails again and again stays and is marked."""

from __future__ import annotations

import contextlib
import logging
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from server.inbox import addresses, header_fields
from server.inbox.limits import HEADER, POLLED, SIZE
from server.inbox.receiving import GAVE_UP, NOT_FOR_US, Outcome, Receive

LEFT = "$UlmLeft"  # the mark of mails that stay in the mailbox and are not looked at again
_TIMEOUT = 60.0


class MailboxError(Exception):
    """The mailbox cannot be used. The message is one line and holds no password."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Whose mailbox it is, and where. `done` is the folder that mails are moved to, empty to delete them."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    done: str = ""

    @classmethod
    def parse(cls, url: str) -> Mailbox:
        """As `ULM_IMAP_URL` has it: `imaps://user:password@host/INBOX?done=Folder`."""
        parts = urlsplit(url)
        tls = parts.scheme == "imaps"
        return cls(
            parts.hostname or "",
            parts.port or (993 if tls else 143),
            tls,
            unquote(parts.username or ""),
            unquote(parts.password or ""),
            unquote(parts.path.strip("/")) or "INBOX",
            parse_qs(parts.query).get("done", [""])[0],
        )


@dataclass(slots=True)
class Remembered:
    """What a process knows of mails that stay: by the mailbox's UIDVALIDITY, for servers that keep no marks."""

    validity: int = 0
    left: set[int] = field(default_factory=set)


@contextlib.contextmanager
def opened(mailbox: Mailbox) -> Iterator[Any]:
    """A connection that is signed in. Raises `MailboxError`."""
    try:
        from imapclient import IMAPClient
        from imapclient.exceptions import IMAPClientError
    except ImportError:
        raise MailboxError("ULM_IMAP_URL needs imapclient: install ulm-by-mail[answers]") from None
    logging.getLogger("imapclient").setLevel(logging.WARNING)  # at DEBUG it tells what goes over the connection
    where = f"the mailbox at {mailbox.host} port {mailbox.port}"
    try:
        context = ssl.create_default_context()
        client = IMAPClient(
            mailbox.host, mailbox.port, ssl=mailbox.tls, ssl_context=context if mailbox.tls else None, timeout=_TIMEOUT
        )
    except (OSError, IMAPClientError) as error:
        raise MailboxError(f"{where} cannot be reached: {_words(error)}") from error
    try:
        if not mailbox.tls and mailbox.host not in ("localhost", "127.0.0.1", "::1"):
            client.starttls(context)
        try:
            client.login(mailbox.user, mailbox.password)
        except IMAPClientError:
            raise MailboxError(f"{where} refused user and password") from None
        yield client
    except (OSError, IMAPClientError) as error:
        raise MailboxError(f"{where}: {_words(error)}") from error
    finally:
        try:
            client.logout()
        except (OSError, IMAPClientError):
            with contextlib.suppress(OSError):
                client.shutdown()


def poll(
    mailbox: Mailbox, domain: str, receive: Receive, keep: Callable[[], bool], remembered: Remembered
) -> dict[str, int]:
    """Do what lies in the mailbox, oldest first, while `keep()`; counts by result. Raises `MailboxError`."""
    results: dict[str, int] = {}
    with opened(mailbox) as client:
        status = client.select_folder(mailbox.folder)
        validity = int(status.get(b"UIDVALIDITY", 0))
        if remembered.validity != validity:
            remembered.validity, remembered.left = validity, set()
        found = [uid for uid in sorted(client.search(["UNDELETED", "UNKEYWORD", LEFT])) if uid not in remembered.left]
        for uid in found[:POLLED]:
            if not keep():
                break
            outcome = _one(client, uid, domain, receive)
            if outcome is not None:
                _put_away(client, mailbox, uid, outcome, remembered)
                results[outcome.result] = results.get(outcome.result, 0) + 1
    return results


def _one(client: Any, uid: int, domain: str, receive: Receive) -> Outcome | None:
    """What becomes of one mail; None when it is gone."""
    facts = client.fetch([uid], ["RFC822.SIZE", f"BODY.PEEK[HEADER]<0.{HEADER + 1}>"]).get(uid)
    if facts is None:
        return None
    try:
        headers = header_fields.read(facts.get(b"BODY[HEADER]<0>") or b"")
    except header_fields.HeaderError:
        return Outcome("dropped", NOT_FOR_US)
    recipients = addresses.of_headers(headers, domain)
    if not recipients:
        return Outcome("dropped", NOT_FOR_US)
    if facts[b"RFC822.SIZE"] > SIZE:
        return Outcome("dropped", "too large")
    data = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
    return None if data is None else receive(data, (), None)


def _put_away(client: Any, mailbox: Mailbox, uid: int, outcome: Outcome, remembered: Remembered) -> None:
    if outcome.result == "again":
        return
    if outcome.result == "dropped" and outcome.why in (NOT_FOR_US, GAVE_UP):
        remembered.left.add(uid)
        from imapclient.exceptions import IMAPClientError

        with contextlib.suppress(IMAPClientError):  # a server that keeps no marks of others' making
            client.add_flags([uid], [LEFT], silent=True)
        return
    if mailbox.done:
        if not client.folder_exists(mailbox.done):
            client.create_folder(mailbox.done)
        if client.has_capability("MOVE"):
            client.move([uid], mailbox.done)
            return
        client.copy([uid], mailbox.done)
    client.add_flags([uid], [rb"\Seen", rb"\Deleted"], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge([uid])  # without it, what others have marked would go as well: it stays, marked


def _words(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return type(error).__name__ if not str(error) or "LOGIN" in str(error).upper() else str(error).splitlines()[0][:200]
