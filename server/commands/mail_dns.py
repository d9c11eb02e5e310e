"""What name servers say of the domains that mails come from and are answered to: MX, SPF, DMARC."""

from __future__ import annotations

from collections.abc import Iterator

import dns.exception
import dns.resolver

from server.notify.transport import is_loopback
from server.settings import Settings

SECONDS = 5.0

Finding = tuple[str, str]
"""`ok`, `note` or `wrong`, and the words."""


def findings(settings: Settings, resolver: dns.resolver.Resolver | None = None) -> Iterator[Finding]:
    """What is found of the sender's domain and of the one at which mails are answered. `resolver` is whom to ask, None:
    as this machine does."""
    try:
        ask = resolver or dns.resolver.Resolver()
    except dns.exception.DNSException as error:
        yield "note", f"name servers could not be asked: {error}"
        return
    ask.lifetime = SECONDS
    sender = settings.mail_from.rpartition("@")[2]
    if _is_public(sender):
        yield from _sender(ask, sender)
    if settings.reply_domain and _is_public(settings.reply_domain):
        yield from _reply(ask, settings.reply_domain)


def _is_public(domain: str) -> bool:
    return "." in domain and not is_loopback(domain) and not domain.endswith((".local", ".localhost", ".test"))


def _sender(ask: dns.resolver.Resolver, domain: str) -> Iterator[Finding]:
    spf = _texts(ask, domain, "v=spf1")
    if spf is None:
        yield "note", f"name servers do not answer about {domain}: whether mails from there are believed is not known"
        return
    if not spf:
        said = (
            f"{domain} has no SPF record: many mail servers take mails from there for spam. Add a TXT record "
            f'"v=spf1 … -all" that names the server that sends them (ULM_SMTP_URL)'
        )
        yield "wrong", said
    elif len(spf) > 1:
        yield "wrong", f"{domain} has {len(spf)} SPF records: with more than one none counts. Make one of them"
    else:
        yield "ok", f"{domain} has an SPF record: {spf[0]}"
    policy = _texts(ask, f"_dmarc.{domain}", "v=DMARC1")
    if policy:
        yield "ok", f"{domain} has a DMARC record: {policy[0]}"
    else:
        said = (
            f"{domain} has no DMARC record, which large mail providers ask of who sends much: add a TXT record at "
            f'_dmarc.{domain}, to begin with "v=DMARC1; p=none"'
        )
        yield "wrong", said
    yield "note", f"whether mails from {domain} are signed (DKIM) only a mail that arrived shows: look at its headers"


def _reply(ask: dns.resolver.Resolver, domain: str) -> Iterator[Finding]:
    try:
        found = sorted(ask.resolve(domain, "MX"), key=lambda one: int(one.preference))
    except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
        said = (
            f"{domain} has no MX record: answers to mails do not find their way. Add one that names the machine on "
            "which the mail server runs that hands them on"
        )
        yield "wrong", said
    except dns.exception.DNSException:
        yield "note", f"name servers do not answer about {domain}"
    else:
        yield "ok", f"answers to mails go to {', '.join(str(one.exchange).rstrip('.') for one in found)}"


def _texts(ask: dns.resolver.Resolver, name: str, begins: str) -> list[str] | None:
    """The TXT records of a name that begin so; None where nobody answers."""
    try:
        found = ask.resolve(name, "TXT")
    except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
        return []
    except dns.exception.DNSException:
        return None
    texts = [b"".join(one.strings).decode("utf-8", "replace") for one in found]
    return [text for text in texts if text.lower().startswith(begins.lower())]
