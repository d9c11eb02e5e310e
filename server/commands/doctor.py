"""`ulm doctor`: what is wrong with this installation, and how to mend it."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from server.commands import mail_dns
from server.commands.terminal import printable
from server.notify.transport import is_loopback
from server.service.admin import health
from server.service.admin.health import SKEW, Found, note, ok, wrong
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store, open_database
from server.storage.times import utc
from server.storage.unusable import StoreError

_SECONDS = 10


def add_parser(subparsers: Any) -> None:
    """Add `doctor`."""
    parser = subparsers.add_parser("doctor", help="say what is wrong with this installation, and how to mend it")
    parser.add_argument("--json", action="store_true", help="one JSON object for each finding")
    parser.add_argument("--no-dns", action="store_true", help="do not ask the name servers about mail")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print every finding; 0 when nothing is wrong, else 1. Nothing is changed, nothing sent to others but questions
    to name servers and to the server's own address."""
    bad = 0
    for found in findings(settings, dns=not args.no_dns):
        bad += found.kind == "wrong"
        print(json.dumps(found._asdict()) if args.json else f"{found.kind:6} {printable(found.text)}")
    return 1 if bad else 0


def findings(settings: Settings, dns: bool = True, now: datetime | None = None) -> Iterator[Found]:
    """All that is found, in the order in which things depend on each other. `now` is this machine's time (UTC)."""
    moment = now or datetime.now(UTC)
    yield from health.files(settings)
    serving = yield from _address(settings, moment)
    if not settings.database_url and not (settings.data_dir / "ulm.sqlite3").exists():
        yield note("there is no database yet: the server makes one at its first start")
    else:
        try:
            with closing(open_database(settings.database, threads=1)) as store:
                if (yield from health.database(store, moment)):
                    yield from _jobs(settings, store, serving, moment)
        except StoreError as error:
            yield wrong(str(error))
    yield from of_proxy(settings)
    yield from of_extras(settings)
    if dns and settings.smtp_url:
        yield from (Found(*one) for one in mail_dns.findings(settings))
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
    if date is not None and abs(parsedate_to_datetime(date) - moment) > SKEW + timedelta(seconds=1):
        yield wrong(f"its clock says {date}, this one {utc(moment)}: keep both by a time service")
    return True


def _jobs(settings: Settings, store: Store, serving: bool, moment: datetime) -> Iterator[Found]:
    """Whether some process sends the mails and looks at the clocks."""
    alive = leases.owners(store, moment)
    if alive:
        yield ok(f"jobs are done by {', '.join(alive)}")
    elif serving:
        off = " (ULM_JOBS is off here)" if not settings.jobs else ""
        yield wrong(f"no process sends mails and looks at clocks{off}: start `ulm worker`, or set ULM_JOBS=on")


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
    wanted = [
        ("pictures", "resvg_py", settings.mail_pictures and settings.smtp_url, "mails have no picture of the board"),
        ("answers", "imapclient", settings.imap_url, "the mailbox cannot be read"),
        ("answers", "aiosmtpd", settings.lmtp_listen, "mail cannot be taken in"),
    ]
    for extra, package, asked, without in wanted:
        if asked and importlib.util.find_spec(package) is None:
            yield note(f"without the extra `{extra}` {without}: pip install 'ulm-by-mail[{extra}]'")
    if settings.rulesets and not Path(settings.rulesets).exists():
        yield wrong(f"ULM_RULESETS names {settings.rulesets}, which is not there")
