"""How a finished mail leaves the house: by SMTP, or into files when no mail server is configured."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import ssl
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from server.notify import smtp_verdicts, spool
from server.notify.mime_message import OutgoingMail, domain
from server.notify.smtp_verdicts import DeliveryError, Stage, Verdict
from server.service.common.networks import is_loopback
from server.settings import Settings

CONNECT_SECONDS = 30.0  # how long the connection alone may take, before the server says a word
TEXT_SECONDS = {Stage.DATA: 120.0, Stage.TEXT: 180.0, Stage.DOT: 600.0}
"""How long the rest may take, by RFC 5321 §4.5.3.2: whoever gives up sooner after the dot sends a mail twice."""
BLOCK = 64 * 1024
_OF_THIS_NETWORK = (".localhost", ".local", ".test", ".invalid", ".example", ".internal", ".lan")


class Transport(Protocol):
    """Takes one mail after the other, from one thread."""

    def send(self, mail: OutgoingMail) -> None:
        """Hand over one mail. Raises a `DeliveryError`."""

    def close(self) -> None:
        """Nothing more for now: end the connection, if there is one. `send` opens it again."""

    def abort(self) -> None:
        """From another thread: end what `send` waits for, which raises then."""


def transport_for(settings: Settings) -> Transport:
    """The transport that the settings ask for. Opens nothing yet."""
    if settings.smtp_url:
        return SmtpTransport(settings.smtp_url, settings.smtp_timeout, domain(settings))
    return spool.SpoolTransport(spool.directory(settings))


class SmtpTransport:
    """One SMTP connection, opened when it is needed and used for every mail until `close`. `timeout` is for the
    greeting and each command, `text_seconds` for the rest; `name` is what the server is greeted with."""

    def __init__(self, url: str, timeout: float, name: str, text_seconds: dict[Stage, float] = TEXT_SECONDS) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._tls = parts.scheme == "smtps"
        self._port = parts.port or (465 if self._tls else 587 if parts.username else 25)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._starttls = parse_qs(parts.query).get("starttls", ["offered"])[0]
        self._timeout, self._name, self._text_seconds = timeout, name, text_seconds
        self._smtp: smtplib.SMTP | None = None
        self._aborted = False

    def send(self, mail: OutgoingMail) -> None:
        """Hand one mail to the server. Raises `DeliveryError`."""
        fresh = self._smtp is None
        try:
            self._offer(mail)
        except DeliveryError as error:
            if fresh or self._aborted or not error.lost:
                raise
            # The server had closed the connection that lay idle, or wants no more mails over one: a new one does.
            self._offer(mail)

    def close(self) -> None:
        """Say goodbye, if there is a connection."""
        if self._smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self._wait(self._smtp, Stage.EHLO)
                self._smtp.quit()
            self._drop()

    def abort(self) -> None:
        """Cut the connection, whatever it is in the midst of, and any later one."""
        self._aborted = True
        smtp = self._smtp
        if smtp is not None and smtp.sock is not None:
            with contextlib.suppress(OSError):
                smtp.sock.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None

    def _offer(self, mail: OutgoingMail) -> None:
        """MAIL, RCPT and DATA. Until the dot at the end is on its way, a lost connection has cost nothing."""
        smtp = self._smtp or self._connect()
        stage = Stage.MAIL
        try:
            try:
                for stage, command in self._commands(smtp, mail):
                    self._wait(smtp, stage)
                    smtp.send(command)
                    self._answer(smtp, stage, 354 if stage is Stage.DATA else 250)
                stage = Stage.TEXT
                self._put(smtp, mail.data)
                stage = Stage.DOT
                self._wait(smtp, stage)
                self._answer(smtp, stage, 250)
            except (OSError, smtplib.SMTPException) as error:
                raise smtp_verdicts.of_loss(stage, _words(error)) from error
        except DeliveryError as error:
            self._recover(smtp, error)
            raise

    def _commands(self, smtp: smtplib.SMTP, mail: OutgoingMail) -> Sequence[tuple[Stage, bytes]]:
        """What is said before the mail itself."""
        options = f" size={len(mail.data)}" if smtp.has_extn("size") else ""
        encoding = "ascii"
        if not (mail.to + mail.sender).isascii():
            if not smtp.has_extn("smtputf8"):
                words = "the mail server takes no addresses with letters beyond ASCII (SMTPUTF8)"
                raise DeliveryError(words, Verdict.GIVE_UP, ours=False)
            options += " smtputf8 body=8bitmime"
            encoding = "utf-8"
        if any(letter in " <>" or not letter.isprintable() for letter in mail.sender + mail.to):
            words = "the address cannot be written in the language of mail servers"
            raise DeliveryError(words, Verdict.GIVE_UP, ours=False)
        return (
            (Stage.MAIL, f"mail FROM:<{mail.sender}>{options}\r\n".encode(encoding)),
            (Stage.RCPT, f"rcpt TO:<{mail.to}>\r\n".encode(encoding)),
            (Stage.DATA, b"data\r\n"),
        )

    def _answer(self, smtp: smtplib.SMTP, stage: Stage, good: int) -> None:
        """Wait for the answer to what was said. Raises the `DeliveryError` that another than `good` is."""
        code, words = smtp.getreply()
        if code != good and not (good == 250 and 200 <= code < 300):
            raise smtp_verdicts.of_reply(stage, code, words.decode("utf-8", "replace"))

    def _put(self, smtp: smtplib.SMTP, data: bytes) -> None:
        """The mail and the dot. A dot at the beginning of a line is doubled."""
        data = re.sub(rb"(?m)^\.", b"..", data)
        data += b".\r\n" if data.endswith(b"\r\n") else b"\r\n.\r\n"
        self._wait(smtp, Stage.TEXT)
        for first in range(0, len(data), BLOCK):
            smtp.send(data[first : first + BLOCK])

    def _wait(self, smtp: smtplib.SMTP, stage: Stage) -> None:
        """From now on wait for the other side for as long as it may take at this stage."""
        if smtp.sock is not None:
            smtp.sock.settimeout(self._text_seconds.get(stage, self._timeout))

    def _recover(self, smtp: smtplib.SMTP, error: DeliveryError) -> None:
        """Leave the connection as it was before the mail, or without it."""
        try:
            if error.lost or smtp.sock is None:
                self._drop()
            else:
                self._wait(smtp, Stage.EHLO)
                smtp.rset()
        except (OSError, smtplib.SMTPException):
            self._drop()

    def _connect(self) -> smtplib.SMTP:
        where = f"{self._host} port {self._port}"
        stage = Stage.CONNECT
        if self._tls:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(local_hostname=self._name, context=ssl.create_default_context())
        else:
            smtp = smtplib.SMTP(local_hostname=self._name)
        self._smtp = smtp  # from here on `abort` finds it
        smtp.timeout = min(self._timeout, CONNECT_SECONDS)
        try:
            # smtplib takes the name for the certificate from here when the connection is made by connect().
            smtp._host = self._host  # type: ignore[attr-defined]
            smtp.sock = smtp._get_socket(self._host, self._port, smtp.timeout)  # type: ignore[attr-defined]
            smtp.sock.settimeout(self._timeout)
            if self._aborted:  # before there was anything to cut
                self.abort()
            code, words = smtp.getreply()
            if code != 220:
                raise smtp_verdicts.of_reply(stage, code, words.decode("utf-8", "replace"))
            stage = Stage.EHLO
            smtp.ehlo_or_helo_if_needed()
            stage = Stage.STARTTLS
            self._secure(smtp, where)
            stage = Stage.AUTH
            if self._user:
                smtp.login(self._user, self._password)
            return smtp
        except smtplib.SMTPAuthenticationError as error:
            self._drop()
            # Not the server's words: some repeat what they were sent.
            refused = f"{where} refused user and password ({error.smtp_code})"
            raise DeliveryError(refused, Verdict.PAUSE) from None
        except DeliveryError:
            self._drop()
            raise
        except smtplib.SMTPResponseException as error:
            self._drop()
            raise smtp_verdicts.of_reply(stage, error.smtp_code, _text(error.smtp_error)) from error
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            self._drop()
            raise DeliveryError(f"cannot use the mail server at {where}: {_words(error)}", Verdict.PAUSE) from error

    def _secure(self, smtp: smtplib.SMTP, where: str) -> None:
        """STARTTLS as configured. A password never goes over a connection that somebody else may read."""
        if self._tls or self._starttls == "never":
            return
        # A server on this machine often offers a certificate that nobody signed, and there is nobody in between.
        local = is_loopback(self._host)
        offered = smtp.has_extn("starttls")
        if offered and (self._starttls == "require" or not local):
            smtp.starttls(context=ssl.create_default_context())
            smtp.ehlo_or_helo_if_needed()
        elif self._starttls == "require":
            raise DeliveryError(f"{where} offers no STARTTLS, which ULM_SMTP_URL requires", Verdict.PAUSE)
        elif self._user and not local:
            raise DeliveryError(
                f"{where} offers no STARTTLS, and the password is not sent in the clear; use smtps://"
                " or, if the network is yours, ?starttls=never in ULM_SMTP_URL",
                Verdict.PAUSE,
            )


def _text(words: bytes | str) -> str:
    return words if isinstance(words, str) else words.decode("utf-8", "replace")


def _words(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, TimeoutError) or "timed out" in str(error):  # smtplib wraps it
        return "no answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def sender_warnings(settings: Settings) -> list[str]:
    """A line for each setting by which mails come from nowhere, or lead there. Nothing where mails are files."""
    if not settings.smtp_url:
        return []
    found = []
    sender = domain(settings)
    if _is_local(sender):
        found.append(
            f"mails come from …@{sender}, and the mail server is greeted as {sender}: many will refuse them; "
            "set ULM_MAIL_FROM to an address of your domain, such as ulm@ulm.example.org"
        )
    host = urlsplit(settings.public_url).hostname or ""
    if _is_local(host):
        found.append(
            f"links in mails begin with {settings.public_url}, which leads nowhere from elsewhere; "
            "set ULM_BASE_URL to the address of this server for the public, such as https://ulm.example.org"
        )
    return found


def _is_local(name: str) -> bool:
    """Whether a host's name means something on this machine or network alone."""
    plain = "." not in name and ":" not in name
    return plain or is_loopback(name) or name in ("0.0.0.0", "::") or name.endswith(_OF_THIS_NETWORK)  # noqa: S104
