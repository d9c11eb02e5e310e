"""Whether a request comes from the server's own machine: what its operator alone may read is told by that."""

import ipaddress
from urllib.parse import urlsplit

from flask import request

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


def from_this_machine() -> bool:
    """Return whether the request comes from this machine, asks for it, and came through no proxy.

    A proxy on this machine that adds no header of its own mostly passes on the public name that its callers ask for.
    """
    name = urlsplit(f"//{request.host}").hostname or ""
    addresses = (request.remote_addr or "", "127.0.0.1" if name == "localhost" else name)
    return all(map(_is_loopback, addresses)) and not any(name in request.headers for name in _FORWARDED)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
