"""What a token may be used for. A token has one or more scopes, none of which holds another."""

from __future__ import annotations

from collections.abc import Sequence

from server.language import gettext as _
from server.service.common.errors import bad_field

SCOPES = ("read", "play", "account")
"""Read games and the own profile; do something in games; change the account, and read all that is kept of it."""


def check(wanted: object) -> tuple[str, ...]:
    """Scopes as they are stored, each once, in the order of `SCOPES`. Raises `Unprocessable`."""
    if not isinstance(wanted, (list, tuple)) or not wanted or any(one not in SCOPES for one in wanted):
        raise bad_field("scopes", _("give one or more of %(scopes)s", scopes=", ".join(SCOPES)))
    return tuple(one for one in SCOPES if one in wanted)


def in_words() -> dict[str, str]:
    """What each scope lets a token do."""
    return {
        "read": _("read your games and your profile"),
        "play": _("play, write and make games in your name"),
        "account": _("change your account, and delete it"),
    }


def read(stored: str) -> tuple[str, ...]:
    """The scopes of a token from how they are stored."""
    return tuple(stored.split())


def write(scopes: Sequence[str]) -> str:
    """How scopes are stored."""
    return " ".join(scopes)
