"""The addresses that mail comes to: `play+TOKEN@ULM_REPLY_DOMAIN` and its likes.

    play+TOKEN    plays the turn that the token is for
    talk+TOKEN    writes to the table
    bounce+TOKEN  what a mail server says about one mail of ours
    bounce        the same, where a report has to go to one address for all (feedback loops)
    check+TOKEN   `ulm mail doctor` wants to know whether mail arrives

Whether a token is one of ours is not looked at here, nor told to whoever sends: any mail to an address of this form is
taken, so that nobody finds tokens by trying.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from typing import Literal, cast

from server.inbox.limits import RECIPIENTS

Purpose = Literal["play", "talk", "bounce", "check"]

TOKEN = "[a-z2-7]{26}"  # noqa: S105 - how one looks
_LOCAL = re.compile(rf"(?:(play|talk|bounce|check)\+({TOKEN})|bounce)")
_IN_TEXT = re.compile(rf"(?:(?:play|talk|bounce|check)\+{TOKEN}|(?<![\w.+-])bounce)@[a-z0-9.-]{{1,253}}(?![\w-])")

_LONGEST = 400  # with a local part of 64 and a domain of 253 letters, and brackets

_NOTED = ("Delivered-To", "X-Original-To", "X-Delivered-To", "Envelope-To", "X-Envelope-To", "X-Forwarded-To")
"""Where mail servers write the recipient of the envelope down, before what the sender has written."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address of ours. `token` is empty for `bounce` alone."""

    purpose: Purpose
    token: str


def ascii_domain(name: str) -> str:
    """A domain as mail servers write it: small letters, in ASCII."""
    try:
        return name.strip().rstrip(".").lower().encode("idna").decode("ascii")
    except UnicodeError:
        return name.lower()


def parse(text: str, domain: str) -> Address | None:
    """The address of ours that `text` is, in any case, with or without angle brackets; None for every other."""
    if len(text) > _LONGEST:
        return None
    local, at, host = text.strip().removeprefix("<").removesuffix(">").lower().rpartition("@")
    found = _LOCAL.fullmatch(local)
    if not at or found is None or not domain or ascii_domain(host) != ascii_domain(domain):
        return None
    return Address(cast("Purpose", found[1] or "bounce"), found[2] or "")


def of_envelope(recipients: Iterable[str], domain: str) -> list[Address]:
    """Those of the envelope's recipients that are ours, each once."""
    found = (parse(text, domain) for text in recipients)
    return list(dict.fromkeys(one for one in found if one is not None))[:RECIPIENTS]


def of_headers(headers: Message, domain: str) -> list[Address]:
    """The same, from a mail that lies in a mailbox: first by what its server noted, then by whom it is written to."""
    for names in (*((name,) for name in _NOTED), ("To", "Cc")):
        lines = [str(value) for name in names for value in headers.get_all(name, [])]
        texts = [text for line in lines[:50] for text in _IN_TEXT.findall(line.lower())]
        if found := of_envelope(texts, domain):
            return found
    return []


def tokens_in(text: str, purpose: Purpose, domain: str) -> list[str]:
    """The tokens of addresses for `purpose` anywhere in a text, each once, in their order."""
    found = (parse(written, domain) for written in _IN_TEXT.findall(text.lower()))
    return list(dict.fromkeys(one.token for one in found if one is not None and one.purpose == purpose and one.token))
