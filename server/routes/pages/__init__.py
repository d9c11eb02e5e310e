"""Pages for people: what the links in mails lead to. Plain HTML and forms, no script.

A GET changes nothing, ever: mail scanners follow links. Every change is a POST of a form that came from a page here.
"""

from flask import Flask

from . import account, frame, invitation, mailing, messages, turn

MODULES = (turn, account, invitation, messages, mailing)


def register(app: Flask) -> None:
    """Add the pages to `app`."""
    app.register_blueprint(frame.blp)
    for module in MODULES:
        app.register_blueprint(module.blp)
