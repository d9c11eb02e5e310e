"""A whole game of three through mail alone.

A mail server that keeps what comes, a running `ulm serve`, and players who do nothing but to follow the links of their
mails and press buttons.
"""

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.notify.conftest import sink, start_sink  # noqa: F401 - fixtures
from tests.notify.letters import text
from tests.notify.sink import Received, Sink
from tests.routes.pages.conftest import Form, read

PLAYERS = ("Ann", "Ben", "Cleo")
PATIENCE = 30
"""Seconds to wait for a mail."""


@dataclass
class Page:
    """A page, and its forms."""

    text: str

    @property
    def forms(self) -> list[Form]:
        return [form for form in read(self).forms if form.action not in ("/look", "")]

    def moves(self) -> dict[str, Form]:
        return {form.fields["move"]: form for form in self.forms if "move" in form.fields}


@dataclass
class Person:
    """Somebody with a mail program and a browser."""

    server: str
    address: str
    browser: urllib.request.OpenerDirector = field(
        default_factory=lambda: urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    )

    def open(self, url: str) -> Page:
        assert url.startswith(self.server + "/"), url
        with self.browser.open(url, timeout=30) as response:
            return Page(response.read().decode())

    def press(self, form: Form, **fields: str) -> Page:
        if form.method == "get":
            return self.open(f"{self.server}{form.action}?{urllib.parse.urlencode({**form.fields, **fields})}")
        data = urllib.parse.urlencode({**form.fields, **fields}).encode()
        headers = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        request = urllib.request.Request(self.server + form.action, data, headers)
        try:
            with self.browser.open(request, timeout=30) as response:
                return Page(response.read().decode())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{error.code}: {error.read().decode()[-800:]}") from None


@dataclass
class Mailbox:
    """What has arrived, each mail handed out once."""

    sink: Sink
    seen: int = 0
    all: list[Received] = field(default_factory=list)

    def next(self, wanted: int = 1) -> list[Received]:
        """The mails that come next, at least so many."""
        self.all = self.sink.wait_for(self.seen + wanted, PATIENCE)
        fresh = self.all[self.seen :]
        self.seen = len(self.all)
        return fresh


def link(received: Received, path: str) -> str:
    """The first link of a mail to a kind of page."""
    found = re.search(rf"https?://\S+/{path}/[\w.-]+(?=\s|$)", text(received.message))
    assert found, text(received.message)
    return found[0]


def take_turn(person: Person, url: str) -> int:
    """Play a turn by buttons, quickly, but with cards to hide; how many buttons it took."""
    page = person.open(url)
    assert re.search(r"<h1[^>]*>Your turn\b", page.text), "a stale mail: it is not this player's turn"
    pushes = [move for move in page.moves() if move.startswith("push")]
    if pushes:
        # As the mail offers it: the link of one push, which prepares it.
        slot = max(pushes, key=lambda move: _cards(page.text, move)).split()[1]
        page = person.open(f"{url}/move/push/{slot}")
    for pressed in range(60):
        moves = page.moves()
        if not moves:
            return pressed
        # A card whenever there is one to be had; clear sides to pay for it; otherwise the shortest way to the end.
        order = [move for verb in ("buy", "clear", "draw", "push", "end") for move in moves if move.split()[0] == verb]
        page = person.press(moves[(order or list(moves))[0]])
    raise AssertionError("the turn does not end")


def _cards(text: str, push: str) -> int:
    """How many card actions the page says that a push would give."""
    [button] = re.findall(rf'<button[^>]*value="{push}".*?</button>', text, re.DOTALL)
    return int(button.count("brown"))


@pytest.mark.slow
def test_a_game_of_three_through_mail_alone(start_server, sink: Sink) -> None:  # noqa: F811
    server = start_server(
        ULM_SMTP_URL=sink.url, ULM_MAIL_PICTURES="off", ULM_MAIL_WORKERS="0", ULM_MAIL_FROM="ulm@example.org"
    )
    mailbox = Mailbox(sink)
    people = {name: Person(server.url, f"{name.lower()}@example.org") for name in PLAYERS}
    by_address = {person.address: name for name, person in people.items()}

    # Ann makes an account with a program, which confirms her address by the mail that comes: on the page, where nobody
    # is signed in to the account, that would end its token. She invites the others.
    ann = server.call("/players", {"name": "Ann", "email": people["Ann"].address})
    [confirm] = mailbox.next()
    address = link(confirm, "confirm")
    assert "every session and every token" in people["Ann"].open(address).text
    server.call("/players/me/confirmation", {"token": address.rpartition("/")[2]}, ann["token"], "PUT")
    assert "is already confirmed for the account Ann" in people["Ann"].open(address).text
    game = server.call("/games", {"seats": 3, "name": "By mail", "private": True}, ann["token"])["id"]
    for name in ("Ben", "Cleo"):
        server.call(f"/games/{game}/invitations", {"address": people[name].address}, ann["token"])
    invitations = mailbox.next(2)
    assert [mail.to for mail in invitations] == [["ben@example.org"], ["cleo@example.org"]]
    for mail, name in zip(invitations, ("Ben", "Cleo"), strict=True):
        page = people[name].open(link(mail, "invitation"))
        assert f">{name}</a>" in people[name].press(page.forms[0], name=name).text
    seats = {player["name"]: player["seat"] for player in server.call(f"/games/{game}", token=ann["token"])["players"]}

    # From here on there is nothing but mails. Who sat there before hears that Ben has come.
    [came, *fresh] = sorted(mailbox.next(4), key=lambda mail: "started" in str(mail.message["Subject"]))
    assert (came.to, "Ben" in text(came.message)) == (["ann@example.org"], True)
    assert sorted(mail.to[0] for mail in fresh) == sorted(by_address)
    turns: Counter[str] = Counter()
    while not any("is over" in str(mail.message["Subject"]) for mail in fresh):
        active = server.call(f"/games/{game}", token=ann["token"])["to_move"]
        [mine] = [mail for mail in fresh if seats[by_address[mail.to[0]]] == active]
        assert len(fresh) == (3 if not turns else 1), [str(mail.message["Subject"]) for mail in fresh]
        name = by_address[mine.to[0]]
        turns[name] += 1
        assert take_turn(people[name], link(mine, "t")) >= 1
        fresh = mailbox.next()

    # Each is told once that it is over, and nothing comes after that.
    fresh += mailbox.next(3 - len(fresh)) if len(fresh) < 3 else []
    assert sorted(mail.to[0] for mail in fresh) == sorted(by_address)
    assert turns == dict.fromkeys(PLAYERS, 10)
    time.sleep(5)
    assert len(sink.received()) == len(mailbox.all) == 1 + 2 + 1 + 3 + 29 + 3
    ids = [mail.message_id for mail in mailbox.all]
    assert len(ids) == len(set(ids)), "no mail came twice"
    assert all(len(mail.to) == 1 for mail in mailbox.all)
    replay = server.call(f"/replays/{game}", token=ann["token"])
    for mail in fresh:
        name = by_address[mail.to[0]]
        total = replay["result"]["scores"][seats[name]]["total"]
        assert f"You end with {total} VP" in " ".join(text(mail.message).split())
        assert "The game is over" in people[name].open(link(mail, "t")).text
    # The mails of one player are one thread.
    for name, person in people.items():
        own = [mail.message for mail in mailbox.all if mail.to == [person.address]]
        assert len({message["References"] for message in own if message["References"]}) == 1, name
    record = server.call(f"/replays/{game}/record", token=ann["token"])
    assert server.call("/replays/verify", record)["valid"]
    log = server.log()
    assert not re.search(r"/(t|confirm|invitation)/[\w-]{20,}", log)
    assert "@example.org" not in log.replace("ulm@example.org", "")
