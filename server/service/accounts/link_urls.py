"""The addresses of links in mails, and those that mails are answered to."""

from __future__ import annotations

from urllib.parse import urlencode

from server.settings import Settings


def turn_url(settings: Settings, token: str) -> str:
    """Address of the turn page."""
    return f"{settings.public_url}/t/{token}"


def move_url(settings: Settings, token: str, move: str) -> str:
    """Address of the turn page with a move (`push N2`) prepared; `token` is that of the turn."""
    return f"{settings.public_url}/t/{token}/move/{move.replace(' ', '/')}"


def messages_url(settings: Settings, game_id: str) -> str:
    """Address of the messages of a game, for who is signed in."""
    return f"{settings.public_url}/games/{game_id}/messages"


def unsubscribe_url(settings: Settings, token: str) -> str:
    """Address that ends mail, also by the one POST of RFC 8058."""
    return f"{settings.public_url}/unsubscribe/{token}"


def confirm_url(settings: Settings, token: str) -> str:
    """Address that confirms a mail address."""
    return f"{settings.public_url}/confirm/{token}"


def sign_in_url(settings: Settings, token: str, back: str = "") -> str:
    """Address that signs in, once; `back` is the path to come to afterwards ("": home)."""
    return f"{settings.public_url}/sign-in/{token}" + ("?" + urlencode({"next": back}) if back else "")


def invitation_url(settings: Settings, token: str) -> str:
    """Address that takes an invited seat."""
    return f"{settings.public_url}/invitation/{token}"


def reply_address(settings: Settings, token: str) -> str | None:
    """Mail address that takes moves of a turn; `token` is that of the turn. None where mail is not answered."""
    return f"play+{token}@{settings.reply_domain}" if settings.reply_domain else None


def talk_address(settings: Settings, token: str) -> str | None:
    """Mail address whose mails are messages to a table; `token` is a talk token. None where mail is not answered."""
    return f"talk+{token}@{settings.reply_domain}" if settings.reply_domain else None
