"""What an enhanced status code of mail (RFC 3463: `5.1.1`) says of the address, in answers and in bounces."""

from __future__ import annotations

import re

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")

OF_THE_SENDER = frozenset(("1.7", "1.8"))
"""Bad *sender's* address: the one exception among those that begin with 1."""
OF_THE_MAIL = frozenset(("2.3", "3.4"))
"""Too long: nothing that another mail to the same address has to share."""


def find(words: str) -> str:
    """The first enhanced status code in what a mail server said; empty when it said none."""
    found = _STATUS.search(words)
    return found.group() if found else ""


def kind(status: str) -> tuple[str, str]:
    """Class and the rest of a status code: `("5", "1.1")`. Raises `ValueError` for what is none."""
    if not _STATUS.fullmatch(status):
        raise ValueError(f"{status!r} is no status code such as 5.1.1")
    head, _, rest = status.partition(".")
    return head, rest


def is_bad_address(status: str) -> bool:
    """Whether a mail with this status never arrives because of the address (not policy, contents, size)."""
    head, rest = kind(status)
    return head == "5" and rest[0:2] in ("1.", "2.", "4.") and rest not in OF_THE_SENDER | OF_THE_MAIL
