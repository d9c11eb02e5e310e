"""All settings, read once from `ULM_…` variables.

docs/settings.md has the table for operators.

Hand-written: environs and pydantic-settings take ` 80` and `8_0` for numbers and pass over misspelt names. Some 35 of
these lines could go to either, and about as many would come to put that right; the second brings five packages.
"""

from __future__ import annotations

import difflib
import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, quote, urlsplit

from server.addresses import mail_address

PREFIX = "ULM_"


class SettingsError(ValueError):
    """One or more variables are wrong. `problems` has a line for each: its name, what is wrong, what is expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def _integer(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        # Not int(): it takes "1_000", " 7 " and digits of other scripts.
        if not (text.isascii() and text.isdigit()) or not low <= int(text[:12]) <= high:
            raise ValueError(f"{_shown(text)} is not a whole number from {low} to {high}")
        return int(text)

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        for word in words:
            if text.lower() == word.lower():
                return word
        raise ValueError(f"{_shown(text)} is not one of {', '.join(words)}")

    return parse


def _switch(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError(f"{_shown(text)} is neither on nor off")


def _host(text: str) -> str:
    if any(character.isspace() or character in "/@" for character in text):
        raise ValueError(f"{_shown(text)} is not a host name or an address such as 127.0.0.1, 0.0.0.0 or ::1")
    return text


def _mail_address(text: str) -> str:
    try:
        return mail_address(text, hosts=True)
    except ValueError:
        raise ValueError(f"{_shown(text)} is not a mail address such as ulm@example.org") from None


def _mail_domain(text: str) -> str:
    try:
        return mail_address(f"play@{text.lower()}", hosts=True).rpartition("@")[2]
    except ValueError:
        raise ValueError(f"{_shown(text)} is not the name of a domain such as ulm.example.org") from None


def _split(text: str, example: str, *schemes: str) -> SplitResult:
    """An address in its parts: a scheme, one of these if any are named, and a host. Messages never repeat the address
    itself: there may be a password in it."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError:
        _refuse_url(example)
    if schemes and (parts.scheme not in schemes or not parts.hostname):
        _refuse_url(example)
    return parts


def _refuse_url(example: str) -> NoReturn:
    raise ValueError(f"it is not an address such as {example}")


def _smtp_url(text: str) -> str:
    example = "smtp://user:password@mail.example.org:587, smtp://mail.example.org?starttls=require or smtps://…"
    parts = _split(text, example, "smtp", "smtps")
    if parts.path.strip("/") or parts.fragment:
        _refuse_url(example)
    if parts.query and (parts.scheme == "smtps" or parts.query not in ("starttls=require", "starttls=never")):
        raise ValueError("after the ? it takes starttls=require or starttls=never, and that for smtp:// alone")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("it has a user without a password or a password without a user")
    return text


def _listen(text: str) -> str:
    if text.startswith("unix:/") and len(text) > len("unix:/"):
        return text
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    if not host or (":" in host and not text.startswith("[")) or not (port.isascii() and port.isdigit()):
        raise ValueError(f"{_shown(text)} is not like 127.0.0.1:8024, [::1]:8024 or unix:/run/ulm/lmtp.sock")
    _integer(0, 65535)(port)
    _host(host)
    return text


def _listen_port(text: str) -> str:
    if text.startswith("unix:"):
        raise ValueError(f"{_shown(text)} is not like 127.0.0.1:9101 or [::1]:9101")
    return _listen(text)


def _imap_url(text: str) -> str:
    example = "imaps://user:password@imap.example.org/INBOX"
    parts = _split(text, example, "imap", "imaps")
    if not parts.username or not parts.password:
        _refuse_url(example)
    if parts.fragment or (parts.query and not re.fullmatch("done=[^&=]+", parts.query)):
        raise ValueError("after the ? it takes done=FOLDER, where mails go that were worked on")
    return text


def _base_url(text: str) -> str:
    example = "https://ulm.example.org"
    parts = _split(text, example, "http", "https")
    if parts.query or parts.fragment or parts.username:
        _refuse_url(example)
    return text.rstrip("/")


def _networks(text: str) -> str:
    try:
        for one in text.split(","):
            ipaddress.ip_network(one.strip())
    except ValueError:
        raise ValueError(f"{_shown(text)} is not like 10.1.0.0/16 or fd00::/8, several parted by commas") from None
    return text


def _origins(text: str) -> str:
    example = "https://ulm.example.org or http://localhost:3000, parted by commas, or * alone"
    found = []
    for given in text.split(","):
        origin = given.strip().lower()
        parts = _split(origin, example)
        if origin != "*" and (
            parts.scheme not in ("http", "https")
            or origin != f"{parts.scheme}://{parts.netloc}"
            or not re.fullmatch(r"[a-z0-9.-]+(:[0-9]+)?|\[[0-9a-f:.]+\](:[0-9]+)?", parts.netloc)
        ):
            _refuse_url(example)
        found.append(origin)
    if "*" in found and len(found) > 1:
        _refuse_url(example)
    return ",".join(found)


def _database_url(text: str) -> str:
    example = "sqlite:///data/ulm.sqlite3 or postgresql://user:password@host:5432/name"
    parts = _split(text, example)
    if parts.scheme == "sqlite":
        if parts.netloc or not parts.path.lstrip("/") or ":memory:" in text:
            raise ValueError("it names no file; expected sqlite:///relative/path or sqlite:////absolute/path")
    elif parts.scheme not in ("postgresql", "postgres") or not parts.path.strip("/"):
        _refuse_url(example)
    return text


def _limits_store(text: str) -> str:
    if text != "memory://":
        _split(text, "memory://, redis://:password@host:6379/0 or rediss://…", "redis", "rediss")
    return text


def _shown(text: str) -> str:
    """A wrong value as a message may show it: short, on one line."""
    return repr(text if len(text) <= 40 else text[:37] + "…")


def _setting(default: Any, parse: Callable[[str], Any], secret: bool = False) -> Any:
    return field(default=default, repr=not secret, metadata={"parse": parse})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What an operator may choose. Field `x_y` is read from `ULM_X_Y`; an empty variable counts as unset."""

    host: str = _setting("127.0.0.1", _host)
    port: int = _setting(8000, _integer(0, 65535))
    """0 takes any free port; the server prints which."""
    data_dir: Path = _setting(Path("data"), Path)  # noqa: RUF009 - makes a field, as field() does
    database_url: str = _setting("", _database_url, secret=True)
    """Empty: `ulm.sqlite3` in `data_dir`. Read `database` instead."""
    smtp_url: str = _setting("", _smtp_url, secret=True)
    """Empty: mails are put into files, in `mail` in `data_dir`."""
    base_url: str = _setting("", _base_url)
    """Address under which players reach the server. Empty: made from host and port; read `public_url` instead."""
    mail_from: str = _setting("ulm@localhost", _mail_address)
    reply_domain: str = _setting("", _mail_domain)
    """Domain at which answers to mails reach this server. Empty: mails are not played by answering them."""
    mail_workers: int = _setting(2, _integer(0, 32))
    """Processes that compose mails, started when there are some. 0: the server's own does it."""
    mail_pictures: bool = _setting(True, _switch)
    """Put a picture of the board into mails; needs the extra `pictures`."""
    lmtp_listen: str = _setting("", _listen)
    """Where a mail server hands mail in: `127.0.0.1:8024` or `unix:/path`. Empty: nowhere."""
    imap_url: str = _setting("", _imap_url, secret=True)
    """A mailbox that is looked into for mail. Empty: none."""
    authserv_id: str = _setting("", _host)
    """Whose `Authentication-Results` are noted: the name that the mail server in front writes there."""
    jobs: bool = _setting(True, _switch)
    """`ulm serve` sends mail and minds clocks itself. Off: `ulm worker` does."""
    bot_workers: int = _setting(1, _integer(0, 32))
    """Processes in which bots think that need time, started when there is such a game. 0: none is asked here."""
    analyses: bool = _setting(True, _switch)
    """Finished games are analysed, in a process of their own, where the jobs run. Off: not here."""
    accounts_per_hour: int = _setting(60, _integer(0, 1_000_000))
    """Accounts that programs of one network open in an hour; visitors on the pages, without address, a third."""
    session_days: int = _setting(30, _integer(1, 365))
    """A session that was not used for so long is over; and after three times as long, however much it is used. A
    guest's, which nobody could begin anew, is not while it is used within that time."""
    stranger_mails_per_hour: int = _setting(200, _integer(0, 1_000_000))
    """Invitations, and questions whether an address is somebody's, that go out within an hour, all together."""
    audit_days: int = _setting(180, _integer(1, 3650))
    """How long the audit log keeps a line."""
    archive_after_days: int = _setting(90, _integer(0, 36_500))
    """After so many days the log of a finished game is packed. 0: never."""
    limits_store: str = _setting("memory://", _limits_store, secret=True)
    """Where requests are counted: in each process by itself, or in a Redis-compatible store for several together."""
    limits_percent: int = _setting(100, _integer(1, 100_000_000))
    """How much callers and players may do, in parts of what `service/common/quotas.py` allows."""
    threads: int = _setting(16, _integer(1, 256))
    """Requests that are worked on at once. Under another server than `ulm serve` half of them may wait for a change."""
    streams: int = _setting(5_000, _integer(1, 1_000_000))
    """Streams of events and long polls that are open at once, at most three quarters of the connections."""
    stream_seconds: int = _setting(300, _integer(1, 3600))
    """After so long a stream of events ends; its client comes back for another, which costs as much as a request."""
    proxy_hops: int = _setting(0, _integer(0, 8))
    """Reverse proxies in front whose X-Forwarded-For, -Proto and -Host are believed."""
    own_networks: str = _setting("", _networks)
    """Networks of one's own into which webhooks may lead, without TLS too: `10.1.0.0/16,127.0.0.0/8`. Empty: none."""
    cors_origins: str = _setting("", _origins)
    """Sites whose scripts may use the API: origins parted by commas, or * for all."""
    shutdown_seconds: int = _setting(10, _integer(0, 300))
    """How long running requests may take to finish when the server is told to stop."""
    backup_folder: str = _setting("", str)
    """Where a copy of the database is put every day. Empty: none is made."""
    backups_kept: int = _setting(7, _integer(1, 1000))
    """How many of those copies are kept."""
    example: bool = _setting(True, _switch)
    """Put one finished example game into an empty database."""
    deals: bool = _setting(True, _switch)
    """Deal a game each day, which bots play, too."""
    rulesets: str = _setting("", str)
    """A file, or a directory of `.toml` files, with the values of an operator's own box. Empty: none."""
    log_level: str = _setting("INFO", _one_of("DEBUG", "INFO", "WARNING", "ERROR"))
    log_format: str = _setting("text", _one_of("text", "json"))
    """How log lines are written: for people, or each as a JSON object."""
    metrics_listen: str = _setting("", _listen_port)
    """Where a process shows its counters, beside its own address if it has one. Whoever reaches it may read them."""

    # What nobody has had a reason to choose.
    connections = 20_000
    """Connections that are open at once; fewer where the system lets a process open fewer files."""
    max_body = 1_000_000
    """The largest request body in bytes; a long record of a game has about 60 000."""
    wait_seconds = 30
    """The longest that `Prefer: wait` may hold a request."""
    smtp_timeout = 300
    """How long the mail server may take to greet, and for the answer to each command, in seconds. For the mail itself
    it has as long as RFC 5321 gives it."""
    mail_tries = 12
    """After so many failed tries a mail is a dead letter."""
    mail_picture_width = 600
    """Width of the picture of the board in mails, in pixels."""
    mail_files_days = 7
    """How long mails in files stay, and pictures that were drawn for mails."""
    slow_statement_ms = 200
    """Statements to the database that take so long, in milliseconds, are logged."""

    @property
    def database(self) -> str:
        """The address of the database, never empty. It may hold a password."""
        if self.database_url:
            return self.database_url
        return f"sqlite:///{quote(str(self.data_dir / 'ulm.sqlite3'))}"

    @property
    def public_url(self) -> str:
        """The address that links begin with, without a slash at the end."""
        return self.base_url or local_url(self.host, self.port)

    @property
    def guests_per_hour(self) -> int:
        """Accounts that visitors of one network open on the pages within an hour."""
        return self.accounts_per_hour // 3

    def allowed(self, quota: int) -> int:
        """So much of a quota as `limits_percent` allows."""
        return max(1, quota * self.limits_percent // 100)

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Settings from variables such as `ULM_PORT`. Raises `SettingsError` with a line for each wrong variable,
        unknown `ULM_…` names among them: a misspelt setting must not be silently without effect."""
        known = {PREFIX + item.name.upper(): item for item in fields(cls)}
        values: dict[str, Any] = {}
        problems: list[str] = []
        for name, text in sorted(environ.items()):
            if not name.startswith(PREFIX):
                continue
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]}?" if close else "docs/settings.md lists those that there are"
                problems.append(f"{name}: there is no such setting; {hint}")
            elif text:
                try:
                    values[known[name].name] = known[name].metadata["parse"](text)
                except ValueError as error:
                    problems.append(f"{name}: {error}")
        if problems:
            raise SettingsError(problems)
        return cls(**values)


def local_url(host: str, port: int) -> str:
    """The address of a server that listens on `host`, as a browser on the same machine would write it."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - read, not bound
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"
