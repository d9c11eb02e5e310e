"""What tests of the page of a game share: who looks, and which part of it they look at."""

from __future__ import annotations

import re
from html import unescape

from server.service.seating import creating, joining
from tests.routes.pages.conftest import NOW, Browser, sign_in
from tests.service.conftest import Match, make_player

CLOCK = {"turn_hours": 24, "reserve_hours": 48, "night": None, "reminders": [], "vacation_days": 0, "start_by": None}


def enter(browser: Browser, m, seat: int | None) -> None:
    """Sign in as the player of a seat, or out."""
    if seat is None:
        browser.client.delete_cookie("ulm_session")
    else:
        sign_in(browser.client, m.store, m.players[seat])


def part(page: str, name: str) -> str:
    """The section of the page with this id, up to the next."""
    begin = "<(?:section|details)"
    found = re.search(rf'{begin}[^>]* id="{name}".*?(?={begin} class="(?:part|panels)|</main>)', page, re.S)
    return "" if found is None else found[0]


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def form_to(browser: Browser, end: str):
    [form] = [form for form in browser.forms if form.action.endswith("/" + end)]
    return form


def timed(store, start: bool = True) -> Match:
    """Two players and a clock."""
    players = [make_player(store, name) for name in ("Ann", "Ben")]
    page = creating.create(
        store, players[0], 2, "Slow", None, "", [], False, NOW, clock={**CLOCK, "on_timeout": "steady"}
    )
    joining.join(store, players[1], page["id"], "", None, NOW)
    return Match(store, page["id"], players)


def nothing_to_play(browser: Browser) -> bool:
    """Whether the page has no button for a move, for taking one back, for resigning."""
    return not browser.moves() and not [
        form for form in browser.forms if form.action.endswith(("/turn", "/undo", "/resign"))
    ]
