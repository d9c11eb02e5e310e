"""Pages for people, and what links in mails lead to. A GET changes nothing: mail scanners follow links. A module with
routes is imported here alone; what several need is a helper in their folder or in `shared`."""

from flask import Blueprint, Flask

from server.routes.pages.account import (
    account_forms,
    appearance,
    feeds,
    installed_app,
    own_bots,
    own_channels,
    own_data,
    sign_in,
    unsubscribe,
)
from server.routes.pages.contests import deal_pages, tournament_pages
from server.routes.pages.game import live, messages, panel_forms, pause_link, turn_pages
from server.routes.pages.learn import learn_pages
from server.routes.pages.lobby import first_page, invitation, new_game, people, standings
from server.routes.pages.puzzles import puzzle_pages
from server.routes.pages.replay import collection_pages, viewer
from server.routes.pages.rulebook import rules
from server.routes.pages.shared import rendering, static_files

MODULES = (
    first_page, new_game, people, standings, turn_pages, panel_forms, sign_in,
    account_forms, own_data, own_bots, own_channels, feeds, installed_app, appearance, invitation, messages,
    pause_link, unsubscribe, live, viewer, collection_pages, rules, learn_pages,
    puzzle_pages, deal_pages, tournament_pages,
)  # fmt: skip


def register(app: Flask) -> None:
    """Add the pages to `app`, with their templates and static files."""
    rendering.install(app)
    blp = Blueprint("pages", __name__, template_folder="templates")
    blp.add_url_rule("/static/<path:filename>", "static", static_files.send)
    app.register_blueprint(blp)
    for module in MODULES:
        app.register_blueprint(module.blp)
