"""The addresses of links in mails, and those that mails are answered to."""

from __future__ import annotations

from server.settings import Settings

_PATHS = {"turn": "t", "sign_in": "sign-in"}


def link_url(settings: Settings, purpose: str, token: str) -> str:
    """Address of the page that a link of this purpose opens; that of `unsubscribe` also takes the POST of RFC 8058."""
    return f"{settings.public_url}/{_PATHS.get(purpose, purpose)}/{token}"


def move_url(settings: Settings, token: str, move: str) -> str:
    """Address of the turn page with a move (`push N2`) prepared; `token` is that of the turn."""
    return f"{link_url(settings, 'turn', token)}/move/{move.replace(' ', '/')}"


def game_url(settings: Settings, game_id: str) -> str:
    """Address of the page of a game, for who is signed in."""
    return f"{settings.public_url}/games/{game_id}"


def messages_url(settings: Settings, game_id: str) -> str:
    """Address of the messages of a game, for who is signed in."""
    return f"{game_url(settings, game_id)}/messages"


def reply_address(settings: Settings, token: str) -> str:
    """Mail address that takes moves of a turn; `token` is that of the turn. "" where mail is not answered."""
    return f"play+{token}@{settings.reply_domain}" if settings.reply_domain else ""


def talk_address(settings: Settings, token: str) -> str:
    """Mail address whose mails are messages to a table; `token` is a talk token. "" where mail is not answered."""
    return f"talk+{token}@{settings.reply_domain}" if settings.reply_domain else ""
