"""Pages for people, and what the links in mails lead to. HTML and forms, which work without script and better with it.

A GET changes nothing, ever: mail scanners follow links. Every change is a POST of a form that came from a page here.
"""

from flask import Flask

from server.routes.pages.account import fresh_sign_in, own_data, profile, sign_in, unsubscribe
from server.routes.pages.game import game_page, live, mail_link, messages, panel_forms
from server.routes.pages.lobby import home, invitation, new_game
from server.routes.pages.replay import viewer
from server.routes.pages.rulebook import rules
from server.routes.pages.shared import appearance, frame
from server.routes.pages.shared.appearance import wanted_language

__all__ = ("register", "wanted_language")

MODULES = (
    home,
    new_game,
    mail_link,
    game_page,
    panel_forms,
    sign_in,
    fresh_sign_in,
    profile,
    own_data,
    appearance,
    invitation,
    messages,
    unsubscribe,
    live,
    viewer,
    rules,
)


def register(app: Flask) -> None:
    """Add the pages to `app`."""
    app.register_blueprint(frame.blp)
    for module in MODULES:
        app.register_blueprint(module.blp)
