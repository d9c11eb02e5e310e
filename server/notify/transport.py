"""How a finished mail leaves the house: by SMTP, or into files when no mail server is configured.

What can go wrong is in `server/notify/delivery_errors.py`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import smtplib
import ssl
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from server.notify import spool
from server.notify.delivery_errors import PermanentError, TemporaryError, UnreachableError
from server.notify.mime_message import Envelope, domain
from server.settings import Settings

_GOES_AWAY = 421


class Transport(Protocol):
    """Takes one mail after the other, from one thread."""

    def send(self, envelope: Envelope) -> None:
        """Hand over one mail. Raises a `DeliveryError`."""

    def close(self) -> None:
        """Nothing more for now: end the connection, if there is one. `send` opens it again."""


def transport_for(settings: Settings) -> Transport:
    """The transport that the settings ask for. Opens nothing yet."""
    if settings.smtp_url:
        return SmtpTransport(settings.smtp_url, settings.smtp_timeout, domain(settings))
    return spool.SpoolTransport(spool.directory(settings))


class SmtpTransport:
    """One SMTP connection, opened when it is needed and used for every mail until `close`.

    `url` as in `ULM_SMTP_URL`, `timeout` in seconds for each answer, `name` what the server is greeted with.
    """

    def __init__(self, url: str, timeout: float, name: str) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._tls = parts.scheme == "smtps"
        self._port = parts.port or (465 if self._tls else 587 if parts.username else 25)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._starttls = parse_qs(parts.query).get("starttls", ["offered"])[0]
        self._timeout, self._name = timeout, name
        self._smtp: smtplib.SMTP | None = None

    def send(self, envelope: Envelope) -> None:
        """Hand one mail to the server. See the module about what is raised."""
        fresh = self._smtp is None
        try:
            self._offer(envelope)
        except UnreachableError:
            self._drop()
            if fresh:
                raise
            # The server had closed the connection that lay idle, or wants no more mails over one: a new one does.
            try:
                self._offer(envelope)
            except UnreachableError:
                self._drop()
                raise

    def close(self) -> None:
        """Say goodbye, if there is a connection."""
        if self._smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
            self._drop()

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None

    def _offer(self, envelope: Envelope) -> None:
        """MAIL, RCPT and DATA. Until the text is on its way, a lost connection has cost nothing: `UnreachableError`."""
        smtp = self._smtp or self._connect()
        self._smtp = smtp
        try:
            self._expect(smtp, smtp.mail(envelope.sender, self._options(smtp, envelope)))
            self._expect(smtp, smtp.rcpt(envelope.to))
        except ValueError as error:
            raise PermanentError("the address cannot be written in the language of mail servers") from error
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(f"the connection to the mail server was lost: {_words(error)}") from error
        try:
            self._expect(smtp, smtp.data(envelope.data))
        except smtplib.SMTPDataError as error:
            self._expect(smtp, (error.smtp_code, _bytes(error.smtp_error)))
        except (OSError, smtplib.SMTPException) as error:
            # Whether the server has the mail nobody knows. It goes again later, with the same Message-ID.
            self._drop()
            raise TemporaryError(f"the connection was lost while the mail was sent: {_words(error)}") from error

    def _options(self, smtp: smtplib.SMTP, envelope: Envelope) -> list[str]:
        options = [f"size={len(envelope.data)}"] if smtp.has_extn("size") else []
        if not (envelope.to + envelope.sender).isascii():
            if not smtp.has_extn("smtputf8"):
                raise PermanentError("the mail server takes no addresses with letters beyond ASCII (SMTPUTF8)")
            options += ["smtputf8", "body=8bitmime"]
            smtp.command_encoding = "utf-8"
        else:
            smtp.command_encoding = "ascii"
        return options

    def _expect(self, smtp: smtplib.SMTP, reply: tuple[int, bytes]) -> None:
        code, words = reply
        if code < 400 and code != -1:
            return
        message = f"{code} {words.decode('utf-8', 'replace')}"
        if code in (_GOES_AWAY, -1):
            raise UnreachableError(f"the mail server takes no more: {message}")
        try:
            smtp.rset()
        except (OSError, smtplib.SMTPException):
            self._drop()
        raise (PermanentError if code >= 500 else TemporaryError)(f"the mail server answered {message}")

    def _connect(self) -> smtplib.SMTP:
        where = f"{self._host} port {self._port}"
        smtp: smtplib.SMTP | None = None
        try:
            if self._tls:
                smtp = smtplib.SMTP_SSL(
                    timeout=self._timeout, local_hostname=self._name, context=ssl.create_default_context()
                )
            else:
                smtp = smtplib.SMTP(timeout=self._timeout, local_hostname=self._name)
            # smtplib takes the name for the certificate from here when the connection is made by connect().
            smtp._host = self._host  # type: ignore[attr-defined]
            code, words = smtp.connect(self._host, self._port)
            if code != 220:
                raise UnreachableError(f"{where} greeted with {code} {words.decode('utf-8', 'replace')}")
            smtp.ehlo_or_helo_if_needed()
            self._secure(smtp, where)
            if self._user:
                smtp.login(self._user, self._password)
            return smtp
        except smtplib.SMTPAuthenticationError as error:
            _close(smtp)
            # Not the server's words: some repeat what they were sent.
            raise UnreachableError(f"{where} refused user and password ({error.smtp_code})") from None
        except UnreachableError:
            _close(smtp)
            raise
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            _close(smtp)
            raise UnreachableError(f"cannot use the mail server at {where}: {_words(error)}") from error

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
            raise UnreachableError(f"{where} offers no STARTTLS, which ULM_SMTP_URL requires")
        elif self._user and not local:
            raise UnreachableError(
                f"{where} offers no STARTTLS, and the password is not sent in the clear; use smtps://"
                " or, if the network is yours, ?starttls=never in ULM_SMTP_URL"
            )


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine, by its name or number alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _close(smtp: smtplib.SMTP | None) -> None:
    if smtp is not None:
        smtp.close()


def _bytes(words: bytes | str) -> bytes:
    return words if isinstance(words, bytes) else words.encode("utf-8", "replace")


def _words(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, TimeoutError) or "timed out" in str(error):  # smtplib wraps it
        return "no answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
