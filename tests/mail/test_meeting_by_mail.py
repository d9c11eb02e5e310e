"""Two people who invite, play, write, pause, end and play again through mail alone: links of mails, and buttons."""

import re

import pytest

from tests.mail.test_whole_game import Mailbox, Page, Person, link, take_turn
from tests.notify.conftest import sink, start_sink  # noqa: F401 - fixtures
from tests.notify.letters import text
from tests.notify.sink import Received, Sink
from tests.routes.pages.conftest import Form


class Post:
    """The mails of both; each is looked for by whom it goes to and what its subject says."""

    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox, self.waiting = mailbox, list[Received]()

    def take(self, to: str, subject: str) -> Received:
        """The mail to somebody with this in its subject, when it is there."""
        while True:
            for mail in self.waiting:
                if mail.to == [to] and subject in str(mail.message["Subject"]):
                    self.waiting.remove(mail)
                    return mail
            try:
                self.waiting += self.mailbox.next()
            except AssertionError:
                there = [(mail.to, str(mail.message["Subject"])) for mail in self.waiting]
                raise AssertionError(f"no mail to {to} with {subject!r}: {there}") from None


@pytest.mark.slow
def test_two_people_meet_play_and_meet_again_by_mail(start_server, sink: Sink) -> None:  # noqa: F811
    server = start_server(
        ULM_SMTP_URL=sink.url, ULM_MAIL_PICTURES="off", ULM_MAIL_WORKERS="0", ULM_MAIL_FROM="ulm@example.org"
    )
    post = Post(Mailbox(sink))
    ann, ben = Person(server.url, "ann@example.org"), Person(server.url, "ben@example.org")

    # Ann signs up, makes a game and invites Ben.
    [sign_up] = ann.open(f"{server.url}/sign-up").forms
    ann.press(sign_up, name="Ann", email=ann.address)
    confirm = ann.open(link(post.take(ann.address, "onfirm"), "confirm"))
    ann.press(confirm.forms[0])
    [make] = ann.open(f"{server.url}/new").forms
    for name in ("tower", "rotate_start", "hints"):
        del make.fields[name]
    room = ann.press(make, name="By mail", second="person", third="nobody", fourth="nobody", clock="day")
    ann.press(form_with(room, "address"), address=ben.address)
    page = ben.open(link(post.take(ben.address, "An invitation"), "invitation"))
    ben.press(page.forms[0], name="Ben")

    # Whoever is to move plays a turn by the links of the mail, and the other hears of it.
    starts = [post.take(person.address, "started") for person in (ann, ben)]
    first, second = (ann, ben) if "your turn" in str(starts[0].message["Subject"]) else (ben, ann)
    name = {ann.address: "Ann", ben.address: "Ben"}
    take_turn(first, link(starts[(ann, ben).index(first)], "t"))
    turn = link(post.take(second.address, "your turn"), "t")

    # A message, from the page of the link of a mail.
    second.press(form_with(second.open(f"{turn}/messages"), "text"), text="I am away from tomorrow on.")
    said = post.take(first.address, f"a message from {name[second.address]}")
    assert "I am away from tomorrow on." in text(said.message)

    # A pause is wished on the page of the game, agreed to and ended by the link of its mail; both hear of each.
    game = re.findall(r"\S+/games/\w+", text(said.message))[0]
    second.press(form_with(second.open(game), "wish"))
    for person, subject in ((first, "asks for a pause"), (second, "is paused")):
        asked = link(post.take(person.address, subject), "pause")
        person.press(form_with(person.open(asked), "wish"))
    post.take(first.address, "goes on")

    # It ends, and both sit down again: one offers, the other takes the seat by the link of the mail.
    resigning = form_with(second.open(f"{game}/resign"), "ply")
    second.press(resigning)
    for person in (first, second):
        post.take(person.address, "is over")
    offering = next(form for form in first.open(game).forms if form.action.endswith("/rematch"))
    first.press(offering)
    page = second.open(link(post.take(second.address, "rematch"), "invitation"))
    second.press(page.forms[0])
    assert {person.address for person in (first, second) if post.take(person.address, "started")} == {*name}
    assert not post.waiting, "nobody was told anything twice, or anything else"


def form_with(page: Page, field: str) -> Form:
    """The form of a page that has a field."""
    return next(form for form in page.forms if field in form.fields)
