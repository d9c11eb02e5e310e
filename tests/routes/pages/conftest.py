"""What the tests of pages share: a clock that stands still, a game, a browser without script, parts of a page."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from server.service.accounts import links, sessions
from server.service.seating import creating, joining
from server.storage.database import Store
from tests.service.conftest import (  # noqa: F401 - fixtures
    NOW,
    Match,
    Start,
    give_address,
    make_player,
    match,
    offer,
    patrician,
    swept,
    town_hall,
)
from tests.tables import MODELS, Mail

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


ON_BOTH_DATABASES = ("test_account.py", "test_people.py", "test_players.py", "test_secrets.py")
"""Pages have no SQL of their own, and the services behind them are tested on both: most of their tests need but one."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave PostgreSQL out where it proves nothing more."""
    here = Path(__file__).parent
    spared = [
        item
        for item in items
        if item.path.is_relative_to(here) and item.path.name not in ON_BOTH_DATABASES and "postgresql" in item.name
    ]
    if spared:
        config.hook.pytest_deselected(items=spared)
        items[:] = [item for item in items if item not in spared]


@dataclass
class Time:
    """The application's clock: it stands still until a test moves it."""

    now: datetime = NOW + timedelta(hours=2)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time(app: Flask) -> Time:
    clock = Time()
    app.extensions["ulm.now"] = clock
    return clock


@dataclass
class Form:
    """A form of a page: where it goes, what is in it, and what its button says."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    label: str = ""
    method: str = "post"
    name: str | None = None  # its id


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = False
        self.in_form = False

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        found = dict(attributes)
        self.tags.append((tag, found))
        if tag == "form":
            assert found["method"] in ("post", "get", "dialog")
            self.forms.append(Form(found.get("action") or "", method=found["method"], name=found.get("id")))
            self.in_form = True
        elif (
            tag in ("input", "textarea") and "name" in found and self.in_form
        ):  # else it chooses a tab, and is not sent
            self.forms[-1].fields[found["name"]] = found.get("value") or ""
        elif tag == "button" and found.get("type") != "button":
            self.inside = True
            if "form" in found:  # it belongs to a form elsewhere on the page: as a form of its own
                [owner] = [form for form in self.forms if form.name == found["form"]]
                self.forms.append(Form(owner.action, dict(owner.fields), method=owner.method))
            if "name" in found:
                self.forms[-1].fields[found["name"]] = found["value"]
        elif tag == "a":
            self.links.append(found["href"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "button":
            self.inside = False
        elif tag == "form":
            self.in_form = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.forms[-1].label = " ".join(f"{self.forms[-1].label} {data}".split())


def steady(text: str) -> str:
    """A page or its headers without what is new in each: the request's id, the nonce of its scripts, the tokens and
    keys of its forms; and with style sheets as files, also those that a browser gets within the first page."""
    text = re.sub(
        r'<style nonce="[^"]*" data-sheet="([^"]*)">[^<]*</style>\n<link rel="prefetch" as="style" href="\1">',
        r'<link rel="stylesheet" href="\1">',
        text,
    )
    text = re.sub(r"Set-Cookie: ulm_sheets=.*\r\n|Content-Length: .*\r\n", "", text)
    text = re.sub(r"X-Request-Id: \w+", "", re.sub(r'nonce(-|=")[\w-]{22}', r"nonce\1", text))
    return re.sub(r'name="(?:form|key)" value="[^"]*"', "", text)


_SHAPES = re.compile(r"</?(?:circle|ellipse|g|line|path|polygon|polyline|rect|text|use)\b[^>]*>")
"""What pictures are made of: most of a page with a board, and no part of any form."""


def read(response: Any) -> _Reader:
    """The forms, links and tags of a page: a text, or what has one."""
    reader = _Reader()
    reader.feed(response if isinstance(response, str) else response.text)
    return reader


class Browser:
    """What a person has: pages, links, buttons. It sends the headers that a browser sends."""

    HEADERS = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}  # noqa: RUF012 - never changed

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.response: TestResponse | None = None

    def open(self, path: str, status: int = 200) -> TestResponse:
        self.response = self.client.get(path)
        assert self.response.status_code == status, self.response.text[-600:]
        return self.response

    @property
    def forms(self) -> list[Form]:
        """The forms of the page; neither that at its foot, for language and colours, nor what closes a dialog."""
        forms = read(_SHAPES.sub("", self.response.text)).forms
        return [form for form in forms if form.action not in ("/look", "")]

    def moves(self) -> dict[str, Form]:
        """The buttons of moves, by move: each drafts its move, or sends it with what is drafted."""
        return {form.fields["move"]: form for form in self.forms if "move" in form.fields}

    def sending(self, move: str) -> Form:
        """The form that sends what is drafted and `move`."""
        [form] = [form for form in self.forms if form.name == "sending"]
        return replace(form, fields={**form.fields, "move": move})

    def press(
        self, form: Form, headers: dict[str, str] | None = None, follow: bool = True, **fields: str
    ) -> TestResponse:
        chosen = self.HEADERS if headers is None else headers
        if form.method == "get":
            self.response = self.client.get(form.action, query_string={**form.fields, **fields}, headers=chosen)
            return self.response
        self.response = self.client.post(
            form.action, data={**form.fields, **fields}, headers=chosen, follow_redirects=follow
        )
        return self.response

    def end(self) -> TestResponse:
        """End the turn, and answer yes where the page asks because something is lost by it."""
        response = self.press(self.moves()["end"])
        return self.press(self.moves()["end"]) if 'id="move-end-now"' in response.text else response

    def button(self, label: str) -> Form:
        """The form of that button; of two that do the same the first."""
        form, *others = [form for form in self.forms if form.label.startswith(label)]
        assert all((one.action, one.fields) == (form.action, form.fields) for one in others)
        return form


@pytest.fixture
def browser(client: FlaskClient, time: Time) -> Browser:
    return Browser(client)


def sign_in(client: FlaskClient, store: Store, player: Any, now: datetime = NOW) -> None:
    """Give the browser a session of that player, as a link by mail gives one."""
    client.set_cookie("ulm_session", sessions.new_session(store, player.id, now, fresh=True))


def turn_token(m: Match, seat: int | None = None, now: datetime = NOW + timedelta(hours=1), **claims: Any) -> str:
    """A link to the present turn, as its mail has it."""
    chosen = m.active if seat is None else seat
    fields = {"player_id": m.players[chosen].id, "game_id": m.id, "ply": m.ply(chosen), "seat": chosen}
    return links.turn_token(m.store, now=now, **{**fields, **claims})


def mails(store: Store, kind: str) -> list[Mail]:
    return store.ask(lambda: list(Mail.select().where(Mail.kind == kind).order_by(Mail.id)))


def everything(store: Any) -> dict[str, list[Any]]:
    """Every row of every table, but for when sessions were last used, which is noted as it is for tokens."""
    with store.read():
        return {
            model.__name__: sorted(
                map(repr, model.select(*(one for one in model._meta.sorted_fields if one.name != "seen_at")).tuples())
            )
            for model in MODELS
        }


@pytest.fixture
def long_game(match: Start) -> Match:  # noqa: F811 - the fixture
    m = match(2)
    for _ in range(11):
        m.play_turn()
    return m


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
