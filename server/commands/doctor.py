"""`ulm doctor`: what is wrong here, and how to mend it; `ulm mail doctor`: whether mail goes out and comes back."""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import dns.exception
import dns.resolver

from server.commands import argument, command, count, say, up_to_date
from server.commands.mail import head, send_now
from server.inbox import imap_poller
from server.inbox.lmtp_listener import Listen
from server.notify.jobs import KINDS, RECEIVED_KEPT
from server.notify.transport import sender_warnings
from server.service.admin import health
from server.service.admin.health import SKEW, Found, note, ok, wrong
from server.service.common.ids import address_token
from server.service.common.networks import is_loopback
from server.service.outbox import mail_queue, pauses, received_mail
from server.settings import Settings
from server.storage import backups, leases, ownership
from server.storage.database import Store, open_database, sqlite_file
from server.storage.times import parse_utc, utc
from server.storage.unusable import StoreError

DNS_SECONDS = 5.0
LATE = timedelta(minutes=30)
"""After so long a mail that is due is late, as deploy/alerts.yml has it."""
OLD = timedelta(days=2)
"""After so long the backup of each day is not made any more."""
WAIT = 60
"""How many seconds a mail may take to come back."""
_SECONDS = 10
_SOCKET_SECONDS = 5


@command(
    "doctor",
    "say what is wrong with this installation, and how to mend it",
    argument("--json", action="store_true", help="one JSON object for each finding"),
    argument("--no-dns", action="store_true", help="do not ask the name servers about mail"),
)
def doctor(args: argparse.Namespace, settings: Settings) -> int:
    """Print every finding; 0 when nothing is wrong, else 1. Nothing is changed, nothing sent to others but questions
    to name servers and to the server's own address."""
    return _told(findings(settings, ask_dns=not args.no_dns), args.json)


def _told(found: Iterator[Found], as_json: bool = False) -> int:
    """Print them; 1 when something is wrong."""
    bad = 0
    for one in found:
        bad |= one.kind == "wrong"
        say(json.dumps(one._asdict()) if as_json else f"{one.kind:6} {one.text}")
    return bad


def findings(settings: Settings, ask_dns: bool = True, now: datetime | None = None) -> Iterator[Found]:
    """All that is found, in the order in which things depend on each other. `now` is this machine's time (UTC)."""
    moment = now or datetime.now(UTC)
    yield from health.files(settings)
    serving = yield from _address(settings, moment)
    file = sqlite_file(settings.database)
    if file is not None and ownership.is_missing(file):
        yield note(f"there is no database yet, {file}: the server makes it at its first start")
    else:
        try:
            with closing(open_database(settings.database, threads=1)) as store:
                if (yield from health.database(store, moment)):
                    yield from _jobs(settings, store, serving, moment)
                    yield from _mail(settings, store, moment)
        except StoreError as error:
            yield wrong(str(error))
    yield from of_proxy(settings)
    yield from of_mail(settings)
    yield from of_extras(settings)
    yield from of_backups(settings, moment)
    if ask_dns and settings.smtp_url:
        yield from of_domains(settings)
    if settings.smtp_url or settings.reply_domain:
        yield note("whether mail goes out and comes back, `ulm mail doctor` tries")


def _address(settings: Settings, moment: datetime) -> Generator[Found, None, bool]:
    """Look at the server from outside; returns whether it answers."""
    address = f"{settings.public_url}/readyz"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310 - http or https, by the settings
            body, date = answer.read(1000), answer.headers.get("Date")
    except urllib.error.HTTPError as error:
        with error:
            said = f"{address} answers {error.code}"
        if error.code == 503:
            yield wrong(f"{said}: the server runs and is not ready, its log says why")
            return True
        yield wrong(f"{said}: what listens there is not this server, or the proxy does not reach it")
        return False
    except (OSError, HTTPException, ValueError) as error:
        why = getattr(error, "reason", error)
        if settings.base_url:
            yield wrong(f"{address} cannot be reached ({why}): links in mails lead there. Look at DNS, proxy, firewall")
        else:
            yield note(f"no server answers at {settings.public_url} ({why}): `ulm serve` or `make run` starts it")
        return False
    if body.strip() != b'{"status":"ok"}':
        yield wrong(f"what answers at {address} is not Ulm by mail: look at ULM_BASE_URL and the proxy")
        return False
    yield ok(f"the server answers at {settings.public_url}")
    try:
        skewed = date is not None and abs(parsedate_to_datetime(date) - moment) > SKEW + timedelta(seconds=1)
    except (TypeError, ValueError):  # a proxy's own
        skewed = True
    if skewed:
        yield wrong(f"its clock says {date}, this one {utc(moment)}: keep both by a time service")
    return True


def _jobs(settings: Settings, store: Store, serving: bool, moment: datetime) -> Iterator[Found]:
    """Whether some process sends the mails and looks at the clocks. A job that is done has a lease."""
    held = leases.held(store, moment)
    if not held and serving:
        off = " (ULM_JOBS is off here)" if not settings.jobs else ""
        yield wrong(f"no process sends mails and looks at clocks{off}: start `ulm worker`, or set ULM_JOBS=on")
    if held:
        yield ok(f"jobs are done by {', '.join(dict.fromkeys(held.values()))}")
        for kind, jobs in KINDS.items():
            if not jobs[0].shared and kind not in held:
                yield wrong(f"nobody does the work of `ulm worker --only {kind}`: start one, or a worker for all")


def _mail(settings: Settings, store: Store, moment: datetime) -> Iterator[Found]:
    """Whether mail goes out, by what the operator's figures are made of."""
    paused, figures = pauses.current(store), mail_queue.figures(store, moment)
    if paused is not None:
        stopped = ", and no clock runs" if paused.cause == "operator" else ""
        yield wrong(f"mail is {head(paused).rstrip('.')}{stopped}")
    oldest = figures["oldest_due"]
    if oldest is not None and moment - parse_utc(oldest) > LATE:
        many = count(figures["pending"], "mail is", "mails are")
        yield wrong(f"{many} due, the oldest since {oldest}: `ulm mail list --state pending` says what is in the way")
    elif paused is None:
        yield ok("mail that is due goes out")
    if figures["dead"]:
        many = count(figures["dead"], "mail was", "mails were")
        yield wrong(f"{many} given up: look at `ulm mail list --state dead`, then `ulm mail retry` or `ulm mail drop`")
    without_door = settings.reply_domain and not (settings.lmtp_listen or settings.imap_url)
    if without_door and not received_mail.counts(store, moment - RECEIVED_KEPT):
        yield wrong(
            "ULM_REPLY_DOMAIN is set and no mail comes in: set ULM_LMTP_LISTEN or ULM_IMAP_URL, or let a mail "
            "server call `ulm mail receive`; `ulm mail doctor` tries it"
        )


def of_mail(settings: Settings) -> Iterator[Found]:
    """What the settings tell of mail that goes out and comes in."""
    yield from (wrong(warning) for warning in sender_warnings(settings))
    for name, door in (("ULM_LMTP_LISTEN", settings.lmtp_listen), ("ULM_IMAP_URL", settings.imap_url)):
        if door and not settings.reply_domain:
            yield wrong(f"{name} is set and ULM_REPLY_DOMAIN is not: no mail comes in. Set it to the domain of answers")


def of_backups(settings: Settings, moment: datetime) -> Iterator[Found]:
    """Whether the backup of each day can be made, and was."""
    if not settings.backup_folder:
        yield note("no backup is made by itself: ULM_BACKUP_FOLDER names a folder for one a day")
        return
    if sqlite_file(settings.database) is None:
        for program in ("pg_dump", "pg_restore"):
            if shutil.which(program) is None:
                yield wrong(f"no {program} is in PATH, so no backup is made: apt install postgresql-client")
    folder = Path(settings.backup_folder)
    yield from health.can_be_written(folder, "ULM_BACKUP_FOLDER")
    made = backups.newest(folder)
    if made is not None:
        said = f"the newest backup of a day in {folder} is of {utc(made)}"
        yield ok(said) if moment - made <= OLD else wrong(f"{said}: `ulm admin errors` or the log says why")


def of_proxy(settings: Settings) -> Iterator[Found]:
    """What the settings tell of the way from the players to the server."""
    base, local = urlsplit(settings.base_url), is_loopback(settings.host)
    if settings.base_url and base.scheme == "http" and not is_loopback(base.hostname or ""):
        yield wrong(f"ULM_BASE_URL is {settings.base_url}: tokens and sessions travel in the open. Put https in front")
    if base.scheme == "https" and settings.proxy_hops == 0:
        yield wrong(
            "ULM_BASE_URL is https, so a proxy is in front, and ULM_PROXY_HOPS is 0: to the server all callers are one "
            "and share one caller's limits. Set it to the number of proxies, usually 1"
        )
    if settings.proxy_hops and not settings.base_url:
        yield note("ULM_PROXY_HOPS is set, ULM_BASE_URL is not: links in mails begin with the server's own address")
    if settings.proxy_hops and not local:
        yield note(
            f"the server listens on {settings.host} and believes what proxies say of callers: see that nobody reaches "
            "it past them, or listen on 127.0.0.1"
        )
    if not local and not settings.base_url:
        yield note("others can reach the server, and links in mails are made for this machine: set ULM_BASE_URL")


def of_extras(settings: Settings) -> Iterator[Found]:
    """Parts that are asked for and not installed."""
    redis = settings.limits_store.startswith("redis")
    wanted = [
        ("pictures", "resvg_py", settings.mail_pictures and settings.smtp_url, note, "mails have no picture"),
        ("answers", "imapclient", settings.imap_url, wrong, "the mailbox of ULM_IMAP_URL cannot be read"),
        ("answers", "aiosmtpd", settings.lmtp_listen, wrong, "nobody listens at ULM_LMTP_LISTEN"),
        ("redis", "redis", redis, wrong, "requests cannot be counted in ULM_LIMITS_STORE"),
    ]
    for extra, package, asked, kind, without in wanted:
        if asked and importlib.util.find_spec(package) is None:
            yield kind(
                f"without the extra `{extra}` {without}: pip install 'ulm-by-mail[{extra}]', as docs/club.md does"
            )
    if settings.rulesets and not Path(settings.rulesets).exists():
        yield wrong(f"ULM_RULESETS names {settings.rulesets}, which is not there")


# --- name servers -------------------------------------------------------------------------------------------------


def of_domains(settings: Settings, resolver: dns.resolver.Resolver | None = None) -> Iterator[Found]:
    """What name servers say of the domains that mails come from and are answered to: MX, SPF, DMARC. `resolver` is whom
    to ask, None: as this machine does."""
    try:
        ask = resolver or dns.resolver.Resolver()
    except dns.exception.DNSException as error:
        yield note(f"name servers could not be asked: {error}")
        return
    ask.lifetime = DNS_SECONDS
    sender = settings.mail_from.rpartition("@")[2]
    if _is_public(sender):
        yield from _sender(ask, sender)
    if settings.reply_domain and _is_public(settings.reply_domain):
        yield from _reply(ask, settings.reply_domain)


def _is_public(domain: str) -> bool:
    return "." in domain and not is_loopback(domain) and not domain.endswith((".local", ".localhost", ".test"))


def _sender(ask: dns.resolver.Resolver, domain: str) -> Iterator[Found]:
    spf = _texts(ask, domain, "v=spf1")
    if spf is None:
        yield note(f"name servers do not answer about {domain}: whether mails from there are believed is not known")
        return
    if not spf:
        yield wrong(
            f"{domain} has no SPF record: many mail servers take mails from there for spam. Add a TXT record "
            f'"v=spf1 … -all" that names the server that sends them (ULM_SMTP_URL)'
        )
    elif len(spf) > 1:
        yield wrong(f"{domain} has {len(spf)} SPF records: with more than one none counts. Make one of them")
    else:
        yield ok(f"{domain} has an SPF record: {spf[0]}")
    policy = _texts(ask, f"_dmarc.{domain}", "v=DMARC1")
    if policy:
        yield ok(f"{domain} has a DMARC record: {policy[0]}")
    else:
        yield wrong(
            f"{domain} has no DMARC record, which large mail providers ask of who sends much: add a TXT record at "
            f'_dmarc.{domain}, to begin with "v=DMARC1; p=none"'
        )
    yield note(f"whether mails from {domain} are signed (DKIM) only a mail that arrived shows: look at its headers")


def _reply(ask: dns.resolver.Resolver, domain: str) -> Iterator[Found]:
    try:
        found = sorted(ask.resolve(domain, "MX"), key=lambda one: int(one.preference))
    except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
        yield wrong(
            f"{domain} has no MX record: answers to mails do not find their way. Add one that names the machine on "
            "which the mail server runs that hands them on"
        )
    except dns.exception.DNSException:
        yield note(f"name servers do not answer about {domain}")
    else:
        yield ok(f"answers to mails go to {', '.join(str(one.exchange).rstrip('.') for one in found)}")


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


# --- a mail to ourselves ------------------------------------------------------------------------------------------


@command(
    "mail doctor",
    "check the settings, send a mail to ourselves, and wait until it is here",
    argument("--wait", type=int, default=WAIT, metavar="SECONDS", help=f"for the mail ({WAIT})"),
)
def mail_doctor(args: argparse.Namespace, settings: Settings) -> int:
    """0: everything is as it should be. 1: something is in the way, and was named."""
    bad = _told(_mail_settings(settings)) | _told(_doors(settings))
    if not settings.smtp_url or not settings.reply_domain:
        print("No mail was sent: that needs ULM_SMTP_URL and ULM_REPLY_DOMAIN.")
        return 1
    print("note   DNS was not asked: `ulm doctor` does that")
    with up_to_date(settings) as store:
        return bad | _told(_round_trip(store, settings, args.wait))


def _mail_settings(settings: Settings) -> Iterator[Found]:
    if not settings.smtp_url:
        yield wrong("ULM_SMTP_URL is not set: mails are put into files")
    if not settings.reply_domain:
        yield wrong("ULM_REPLY_DOMAIN is not set: mails cannot be answered, and nobody tells us of mail that came back")
    elif not (settings.lmtp_listen or settings.imap_url):
        yield note("neither ULM_LMTP_LISTEN nor ULM_IMAP_URL is set: mail has to come by `ulm mail receive`")
    yield from of_mail(settings)


def _doors(settings: Settings) -> Iterator[Found]:
    """Whether the doors are open."""
    if settings.lmtp_listen:
        problem = _greeted(Listen.parse(settings.lmtp_listen))
        if problem:
            yield wrong(
                f"nobody listens at ULM_LMTP_LISTEN={settings.lmtp_listen} ({problem}): "
                "`ulm serve` does, or `ulm worker` beside servers with ULM_JOBS=off"
            )
        else:
            yield ok(f"the listener at {settings.lmtp_listen} answers")
    if settings.imap_url:
        mailbox = imap_poller.Mailbox.parse(settings.imap_url)
        try:
            with imap_poller.opened(mailbox) as client:
                waiting = int(client.folder_status(mailbox.folder, "MESSAGES")[b"MESSAGES"])
            yield ok(f"the mailbox {mailbox.folder} at {mailbox.host} is open and holds {waiting}")
        except imap_poller.MailboxError as error:
            yield wrong(str(error))


def _greeted(listen: Listen) -> str:
    """What is in the way of being greeted there; empty for nothing."""
    made = socket.socket(socket.AF_UNIX if listen.path else socket.AF_INET6 if ":" in listen.host else socket.AF_INET)
    with made:
        made.settimeout(_SOCKET_SECONDS)
        try:
            made.connect(listen.path or (listen.host, listen.port))
            greeting = made.recv(100)
        except OSError as error:
            return (error.strerror or "no answer in time").lower()
    return "" if greeting.startswith(b"220") else f"it says {greeting[:40].decode('ascii', 'replace')}"


def _round_trip(store: Store, settings: Settings, seconds: int) -> Iterator[Found]:
    """Send a mail to ourselves and wait for it."""
    token, began = address_token(), datetime.now(UTC)
    before = received_mail.counts(store, began)
    received_mail.await_check(store, token, began)
    text = "This mail is for Ulm by mail itself: `ulm mail doctor` waits for it."
    to = f"check+{token}@{settings.reply_domain}"
    refused = send_now(settings, to, f"check:{token}", "Does mail come back?", text)
    if refused is not None:
        yield wrong(f"the mail server did not take the mail: {refused}")
        return
    yield ok(f"the mail server has taken a mail to check+…@{settings.reply_domain}; waiting for it")
    until = time.monotonic() + seconds
    while not received_mail.has_arrived(store, token):
        if time.monotonic() > until:
            yield from _lost(settings, before, received_mail.counts(store, began), seconds)
            return
        time.sleep(0.2)
    took = (datetime.now(UTC) - began) / timedelta(seconds=1)
    yield ok(f"it came back after {took:.0f} s: mail can be answered")


def _lost(settings: Settings, before: dict[str, int], after: dict[str, int], seconds: int) -> Iterator[Found]:
    """Say what came instead, and where to look."""
    came = {what: many - before.get(what, 0) for what, many in after.items()}
    others = ", ".join(f"{many} {what}" for what, many in came.items() if many > 0)
    yield wrong(f"it did not come back within {seconds} s. Other mail that came in meanwhile: {others or 'none'}.")
    domain = settings.reply_domain
    yield note(f"look into your mail server's log for check+ at {domain}")
    yield note(f"it knows no such domain: the MX record of {domain} has to lead to it, and it to us")
    yield note("it knows no such user: what follows the + has to be left alone (recipient_delimiter)")
    yield note("it holds the mail back: its reason is there, often a permission or a socket")
