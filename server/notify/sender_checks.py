"""What is wrong with how mails would look to whoever gets them, as far as the settings alone tell."""

from __future__ import annotations

from urllib.parse import urlsplit

from server.notify.mime_message import domain
from server.service.common.networks import is_loopback
from server.settings import Settings

_OF_THIS_NETWORK = (".localhost", ".local", ".test", ".invalid", ".example", ".internal", ".lan")


def warnings(settings: Settings) -> list[str]:
    """A line for each setting that makes mails bad that go to people: who sends them, and where their links lead.

    Nothing without a mail server: then mails are files, for trying things out.
    """
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
    return is_loopback(name) or name in ("0.0.0.0", "::") or name.endswith(_OF_THIS_NETWORK)  # noqa: S104 - compared
