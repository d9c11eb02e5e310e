"""A wish for a pause is asked of all, by mail with one link; what happens at a table is told there, and what was read
is known."""

import json
import random
import re

import pytest

from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.service.chat import messages
from server.service.lists import game_lists
from server.service.outbox.deliveries import QueuedMail
from server.service.play import pause, timeouts
from server.service.seating import rematches
from server.storage import sql
from server.storage.times import parse_utc
from tests.routes.pages.conftest import NOW, Browser, enter, everything, part, text_of
from tests.service import timed
from tests.tables import Mail, Seat


@pytest.fixture
def table(store):
    """Three with confirmed addresses, and a clock."""
    game = timed.start(store, seats=3, auto_draw=False)
    timed.confirm_addresses(game)
    return game


def mails(game, settings):
    """The mails about pauses that wait, by the name of their reader: as text, or why there is none."""
    rows = game.store.ask(lambda: list(Mail.select().where(Mail.kind == "pause").order_by(Mail.id)))
    names = {player.id: player.name for player in game.players}
    found = {}
    for row in rows:
        one = QueuedMail(row.id, row.key, row.kind, row.due_at, row.created_at, row.game_id, row.ply, row.player_id,
                         row.address, json.loads(row.data))  # fmt: skip
        made = compose(game.store, settings, one, game.now)
        found[names[row.player_id], row.key.split(":")[2]] = (
            made.reason if isinstance(made, Skip) else made.get_body(("plain",)).get_content()
        )
    return found


def newest(found, name):
    return [text for (who, _key), text in found.items() if who == name][-1]


def link(text):
    return re.search(r"/pause/[a-z2-7]{26}", text)[0]


def events(game):
    with game.store.read():
        return [kind for (kind,) in sql.rows(game.store, "SELECT kind FROM message WHERE kind IS NOT NULL ORDER BY id")]


def test_a_wish_for_a_pause_is_granted_by_the_link_of_a_mail_at_one_press(table, browser, settings):
    pause.vote(table.store, table.players[0], table.id, table.now)
    found = mails(table, settings)
    assert {who for who, _key in found} == {"Player 1", "Player 2"}, "all but who wishes for it"
    text = newest(found, "Player 1")
    assert "Player 0 asks for a pause in A game" in text
    before = everything(table.store)
    browser.open(link(text))
    assert everything(table.store) == before, "looking changes nothing"
    form = browser.button("Agree to the pause")
    answer = browser.client.post(form.action, data={**form.fields, "form": "x"}, headers=Browser.HEADERS)
    assert answer.status_code == 403
    assert everything(table.store) == before, "a form of another page does nothing"
    assert "You have asked for a pause" in browser.press(form).text
    assert table.page(None)["pause_votes"] == [0, 1]
    browser.open(link(newest(mails(table, settings), "Player 2")))
    browser.press(browser.button("Agree to the pause"))
    assert table.page(None)["paused"]
    found = mails(table, settings)
    assert newest(found, "Player 1").startswith("A game is paused"), "its beginning is told"
    assert all("granted" in text for text in found.values() if "paused" not in text), "wishes that are no more are not"
    browser.open(link(newest(found, "Player 0")))
    browser.press(browser.button("Let the clock run again"))
    assert not table.page(None)["paused"]
    assert newest(mails(table, settings), "Player 1").startswith("A game goes on"), "its end is told"
    assert events(table)[-4:] == ["pause_wish", "pause_wish", "paused", "resumed"], "the last wish begins it"


def test_a_wish_for_a_pause_is_gone_when_the_game_is(table, browser, settings):
    pause.vote(table.store, table.players[0], table.id, table.now)
    text = newest(mails(table, settings), "Player 1")
    table.play(0, "resign")
    assert table.page(None)["pause_votes"] == [], "that of who resigned"
    pause.vote(table.store, table.players[2], table.id, table.now)
    table.play(1, "resign")
    assert (table.page(None)["status"], table.page(None)["pause_votes"]) == ("finished", [])
    assert "over" in newest(mails(table, settings), "Player 1")
    assert "There is nothing to pause" in browser.open(link(text)).text
    assert [form for form in browser.forms if "/pause/" in form.action] == []
    assert not table.store.ask(lambda: Seat.select().where(Seat.wants_pause).exists())


def test_a_game_that_ends_while_it_is_paused_is_paused_no_more(table):
    for player in table.players:
        pause.vote(table.store, player, table.id, table.now)
    for seat in (0, 1):
        table.play(seat, "resign")
    page = table.page(None)
    assert (page["status"], page["paused"], page["pause_votes"]) == ("finished", False, [])


def test_what_happens_at_a_table_is_told_and_what_was_read_is_known(table, browser):
    store, seat = table.store, table.active
    other = (seat + 1) % 3
    enter(browser, table, other)
    browser.open(f"/games/{table.id}")
    assert "Player 1 has joined." in text_of(part(browser.response.text, "messages"))
    joined = game_lists.unread(store, table.players[0].id, [table.id])
    assert joined == {table.id: 2}
    browser.press(browser.button("I have read this"))
    messages.post(store, table.id, table.players[seat], "Hello", NOW)
    table.now = parse_utc(table.page(None)["deadline"])
    assert timeouts.time_out(store, table.id, table.now, random.Random(1))
    html = browser.open(f"/games/{table.id}").text
    assert f"The time of Player {seat} ran out." in text_of(part(html, "messages"))
    assert html.count('class="unread">2<') == 3, "on the buttons of a desk and of a phone, and on the tab"
    assert "<title>(2) " in html
    assert browser.open("/").text.count("2 new messages") == 1
    other_device = Browser(browser.client.application.test_client())
    enter(other_device, table, other)
    other_device.open(f"/games/{table.id}/messages")
    other_device.press(other_device.button("I have read this"))
    assert 'class="unread"' not in browser.open(f"/games/{table.id}").text
    assert "new message" not in browser.open("/").text


def test_nobody_but_the_table_reads_or_marks_what_happens_there(table, browser):
    pause.vote(table.store, table.players[0], table.id, table.now)
    enter(browser, table, None)
    assert "asks for a pause." not in text_of(browser.open(f"/games/{table.id}").text)
    answer = browser.client.post(f"/games/{table.id}/read", data={"upto": "9"}, headers=Browser.HEADERS)
    assert answer.status_code == 403


def test_a_rematch_is_told_at_the_old_table(table, browser):
    for seat in (0, 1):
        table.play(seat, "resign")
    rematches.offer(table.store, table.players[2], table.id, table.now)
    enter(browser, table, 0)
    assert "Player 2 offers a rematch." in text_of(browser.open(f"/games/{table.id}").text)
