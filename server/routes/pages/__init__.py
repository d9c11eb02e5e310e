"""Pages for people, and what the links in mails lead to. HTML and forms, which work without script and better with it.

A GET changes nothing, ever: mail scanners follow links. Every change is a POST of a form that came from a page here.
"""

from flask import Flask

from . import (
    account,
    frame,
    fresh,
    game,
    invitation,
    live,
    lobby,
    look,
    mailing,
    messages,
    new_game,
    own_data,
    profile,
    replay,
    rules,
    table_forms,
    turn,
)
from .look import wanted_language

__all__ = ("register", "wanted_language")

MODULES = (
    lobby, new_game, turn, game, table_forms, account, fresh, profile, own_data, look, invitation, messages, mailing,
    live, replay, rules,
)  # fmt: skip


def register(app: Flask) -> None:
    """Add the pages to `app`."""
    app.register_blueprint(frame.blp)
    for module in MODULES:
        app.register_blueprint(module.blp)
