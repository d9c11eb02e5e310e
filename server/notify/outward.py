"""Requests to addresses that players gave: into no private network, by TLS, short, and nowhere else than asked.

The name is resolved once, what it stands for is checked, and the connection goes to that very address: a name that
stands for another one a moment later gains nothing. Redirects are not followed, answers are hardly read, and all of it
has one deadline. `ULM_OWN_NETWORKS` names networks that may be reached all the same, without TLS too."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from server.language import gettext as _

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
ANSWER_MAX = 300
"""So much of an answer is read: its player sees why something was not taken."""
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # NAT64: the last four bytes are an address of IPv4
_COMPATIBLE = ipaddress.IPv6Network("::/96")


class RefusedError(Exception):
    """There is no sending this there. `for_good`: another try would come to the same."""

    def __init__(self, why: str, for_good: bool) -> None:
        super().__init__(why)
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and where."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    method: str = "POST"


class Answer(NamedTuple):
    """What the other side said: a status, after how many seconds it wants to be asked again, and the first words."""

    status: int
    retry_after: int | None
    words: str


@lru_cache(maxsize=8)
def own_networks(setting: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """The networks of `ULM_OWN_NETWORKS`."""
    return tuple(ipaddress.ip_network(one.strip()) for one in setting.split(",") if one.strip())


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the open Internet, also the one of IPv4 that one of IPv6 stands for."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if address in _TRANSLATED or address in _COMPATIBLE:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            return is_public(inner)
        if address.scope_id or address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _resolve(host: str, port: int, plain: bool, own: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise RefusedError(_("the name %(host)s is not known", host=host), for_good=False) from error
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    for text in addresses:
        address = ipaddress.ip_address(text)
        ours = any(address in network for network in own_networks(own))
        if not ours and not is_public(address):
            raise RefusedError(_("%(host)s is in a private network", host=host), for_good=True)
        if not ours and plain:
            raise RefusedError(_("the address has to begin with https://"), for_good=True)
    return addresses


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was looked at, under the name that it was asked for."""

    def __init__(self, host: str, port: int, plain: bool, addresses: Sequence[str], ends: float) -> None:
        super().__init__(host, port)
        self._plain, self._addresses, self._ends = plain, addresses, ends
        self.watch: threading.Timer | None = None

    def connect(self) -> None:
        """Connect to the first of the addresses that answers."""
        failure: OSError | None = None
        for address in self._addresses:
            left = self._ends - time.monotonic()
            if left <= 0:
                break
            try:
                self.sock = socket.create_connection((address, self.port), left)
            except OSError as error:
                failure = error
                continue
            return self._begin()
        raise failure or TimeoutError("timed out")

    def _begin(self) -> None:
        if not self._plain:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        # A time-out of the socket begins anew with each byte; this ends what drips.
        self.watch = threading.Timer(max(self._ends - time.monotonic(), 0), _cut, (self.sock,))
        self.watch.daemon = True
        self.watch.start()
        if isinstance(self.sock, ssl.SSLSocket):
            self.sock.do_handshake()


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)  # below TLS, which another thread is in


def send(request: Request, own: str, seconds: float) -> Answer:
    """Send it, and return what was answered within so many seconds. `own` is `ULM_OWN_NETWORKS`.

    Raises `RefusedError` where it cannot be sent, in the language in force."""
    ends = time.monotonic() + seconds
    parts = urlsplit(request.url)
    plain, host = parts.scheme != "https", parts.hostname or ""
    port = parts.port or (80 if plain else 443)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _Pinned(host, port, plain, _resolve(host, port, plain, own), ends)
    try:
        connection.request(request.method, path, request.body, {"User-Agent": "ulm-by-mail", **request.headers})
        answer = connection.getresponse()
        words = answer.read(ANSWER_MAX).decode("utf-8", "replace")
        if time.monotonic() >= ends:  # cut off amid the answer, which looks like its end
            raise TimeoutError
    except ssl.SSLCertVerificationError as error:
        why = _("the certificate of %(host)s is not good: %(why)s", host=host, why=error.verify_message)
        raise RefusedError(why, for_good=False) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = _("%(host)s cannot be reached: %(why)s", host=host, why=str(error) or type(error).__name__)
        if time.monotonic() >= ends:
            why = _("%(host)s did not answer in time", host=host)
        raise RefusedError(why, for_good=False) from error
    finally:
        if connection.watch is not None:
            connection.watch.cancel()
        connection.close()
    wait = answer.getheader("Retry-After", "")
    seconds_asked = int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 7 else None
    return Answer(answer.status, seconds_asked, " ".join(words.split()))
