"""The links of turns in mails: how long they are good, whom they let play, and where an old one leads."""

import re
from datetime import timedelta

import pytest

from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.service.accounts import links, sessions
from server.service.chat import messages
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from tests.routes.pages.conftest import (
    NOW,
    Browser,
    everything,
    give_address,
    nothing_to_play,
    read,
    sign_in,
    turn_token,
)
from tests.tables import Mail


def test_a_stale_link_says_what_happened_and_whose_turn_it_is(match, browser):
    m = match(3)
    seat, token = m.active, turn_token(m)
    browser.open(f"/t/{token}")
    form = browser.sending("push N2")
    m.play_turn()
    page = browser.open(f"/t/{token}").text
    assert "This turn is over" in page
    assert f"It is Player {m.active}’s turn now" in page
    assert f"Player {seat} ends the turn." in page
    assert nothing_to_play(browser), "nothing can be done with it"
    response = browser.press(form)
    assert response.status_code == 409
    assert "The game has moved on" in response.text


def other_turns(browser, token):
    """The tokens of turns on the page, but for the one it was opened by."""
    return [one for one in re.findall(r"/t/([\w.-]+)", browser.response.text) if one != token]


def test_a_link_ends_with_its_lifetime(match, browser, time):
    m = match(2)
    token = turn_token(m)
    time.now = NOW + timedelta(days=130)
    assert "too old" in browser.open(f"/t/{token}", 410).text
    assert "/sign-in" in [form.action for form in browser.forms] + read(browser.response).links


def sent_links(m):
    """What waits in the outbox to be sent as the link of a present turn."""
    rows = m.store.ask(lambda: list(Mail.select().where(Mail.kind == "turn_link").order_by(Mail.id)))
    return [QueuedMail(row.id, row.key, row.kind, row.due_at, row.created_at, row.game_id, row.ply, row.player_id,
                   row.address) for row in rows]  # fmt: skip


@pytest.mark.parametrize("private", [False, True])
def test_a_link_is_good_for_its_turn_alone(match, browser, time, private):
    """Whoever has an old one reads no hand and no message, writes none, plays and resigns nothing, however often the
    seat is to move again, and gets no other link of it either."""
    m = match(3, private=private)
    seat, token = m.active, turn_token(m)
    give_address(m.store, m.players[seat], "ann@example.org")
    here = f"/t/{token}"
    messages.post(m.store, m.id, m.players[(seat + 1) % 3], "for members alone", NOW)
    browser.open(here)
    form = browser.sending("push N2").fields["form"]
    assert "for members alone" in browser.response.text
    assert browser.client.get(f"{here}/messages").status_code == 200
    turns = 0
    while turns < 5:
        m.play_turn()
        if m.active != seat:
            continue
        turns += 1
        before = everything(m.store)
        over = 410 if private else 200
        page = browser.open(here, over).text
        assert other_turns(browser, token) == []
        assert nothing_to_play(browser)
        assert "for members alone" not in page
        assert [one.action for one in browser.forms] == [f"{here}/present"]
        assert f"/sign-in?next=/games/{m.id}" in page
        ply = m.ply(seat)
        for path in ("/resign", f"/at/{ply}", f"?ply={ply}&draft=push N1", "/pulse"):
            answer = browser.client.get(here + path)
            # What the seat alone sees of the newest position is no position for anybody else.
            assert answer.status_code in (over, 404 if path == f"/at/{ply}" else over), path
            assert not nothing_hidden(answer.text, m, seat)
        assert browser.open(f"{here}/messages", 303).headers["Location"] == f"/games/{m.id}/messages"
        assert "/sign-in" in browser.open(f"/games/{m.id}/messages", 303).headers["Location"]
        assert browser.open(f"{here}/move/push/N1", 410 if private else 303)
        sent = {"form": form, "ply": ply, "key": "12345678", "text": "I am Ann"}
        for path, move in (("turn", "resign"), ("turn", "end"), ("undo", ""), ("return", ""), ("messages", "")):
            answer = browser.client.post(f"{here}/{path}", data={**sent, "move": move}, headers=Browser.HEADERS)
            assert answer.status_code in (409, 410), path
        assert everything(m.store) == before, "nothing was written"
    assert turns == 5


def nothing_hidden(text, m, seat):
    """What of the seat's hand stands in an answer."""
    hand = m.page(seat)["view"]["players"][seat]["hand"]
    return [card for card in hand if card in text]


def test_who_comes_by_an_old_link_has_the_present_one_sent(match, browser, time):
    """To the address of the account, and to nowhere else; whether it is their turn, the answer does not tell."""
    m = match(2, private=True)
    seat, token = m.active, turn_token(m)
    give_address(m.store, m.players[seat], "ann@example.org")
    m.play_turn()
    browser.open(f"/t/{token}")
    ask = browser.button("Send me the link")
    waiting = browser.press(ask).text
    assert "If it is your turn, its link is on its way" in waiting
    assert sent_links(m) == [], "it is not their turn"
    m.play_turn()
    assert "If it is your turn, its link is on its way" in browser.press(ask).text
    assert "ann@example.org" not in browser.response.text
    [one] = sent_links(m)
    assert (one.player_id, one.address) == (m.players[seat].id, None), "to the present address of the account"
    mail = compose(m.store, Settings(), one, time.now)
    assert mail["To"].addresses[0].addr_spec == "ann@example.org"
    present = re.search(r"/t/([\w.-]+)$", mail.get_body(("plain",)).get_content(), re.MULTILINE)[1]
    assert present != token
    assert "Your turn" in browser.open(f"/t/{present}").text
    assert browser.moves()
    m.play_turn()
    assert isinstance(compose(m.store, Settings(), one, time.now), Skip), "that turn is over by now"
    assert browser.press(ask).status_code == 410
    assert browser.press(ask).status_code == 429
    assert int(browser.response.headers["Retry-After"]) <= 3600
    assert "several times" in browser.response.text
    assert len(sent_links(m)) == 1
    sessions.sign_out_everywhere(m.store, m.players[seat], NOW)
    assert browser.press(ask).status_code == 410
    assert "signed out everywhere" in browser.open(f"/t/{token}", 410).text
    assert "/sign-in" in read(browser.response).links


def test_an_old_link_leads_its_own_player_on(match, browser):
    m = match(2)
    token = turn_token(m)
    player = m.players[m.active]
    m.play_turn()
    browser.open(f"/t/{token}")
    assert not [form for form in browser.forms if form.action.endswith("/present")], "no mail reaches the account"
    sign_in(browser.client, m.store, player)
    assert f"/games/{m.id}" in read(browser.open(f"/t/{token}")).links
    assert "Go on to the game" in browser.response.text


def test_signing_out_everywhere_ends_the_links_in_mails(match, browser):
    m = match(2)
    seat, token = m.active, turn_token(m)
    browser.open(f"/t/{token}")
    form = browser.sending("push N2")
    sessions.sign_out_everywhere(m.store, m.players[seat], NOW)
    before = everything(m.store)
    for path in ("", "/move/push/N1", "/resign", "/messages", "/at/0", "/stream", "/pulse"):
        assert browser.client.get(f"/t/{token}{path}").status_code == 410, path
    assert browser.press(form).status_code == 410
    assert everything(m.store) == before
    assert "Your turn" in browser.open(f"/t/{turn_token(m)}").text, "that of the next mail is good"


def test_links_that_are_not_right(match, browser):
    m = match(3)
    seat, token = m.active, turn_token(m)
    other = (seat + 1) % 3
    # Made by us, for a seat that is another's: the pair has to fit.
    crossed = turn_token(m, other, ply=m.ply(seat), player_id=m.players[seat].id)
    foreign = turn_token(m, seat, player_id=m.players[other].id)
    gone = turn_token(m, seat, game_id="nosuchgame12")
    nobody = turn_token(m, seat, player_id="nobody")
    for wrong in (crossed, foreign, gone, nobody):
        for path in (f"/t/{wrong}", f"/t/{wrong}/move/push/N1", f"/t/{wrong}/resign", f"/t/{wrong}/messages"):
            browser.open(path, 404)
    for purpose in ("confirm", "sign_in", "invitation", "unsubscribe"):
        claims = {"player": m.players[seat].id, "game": m.id, "ply": m.ply(seat), "seat": seat}
        browser.open(f"/t/{links.make(m.store, purpose, now=NOW, **claims)}", 404)
        assert browser.client.get(f"/confirm/{token}").status_code == 404
    for text in (token[:-3], token + "A", "A" + token, token[::-1], "x", "%00", "é", "a" * 3000):
        assert browser.client.get(f"/t/{text}").status_code == 404


def test_a_link_of_another_seat_plays_for_nobody_else(match, browser):
    m = match(2)
    seat, other = m.active, 1 - m.active
    waiting = turn_token(m, other)
    page = browser.open(f"/t/{waiting}").text
    assert "This turn is over" in page
    assert nothing_to_play(browser)
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N1")
    before = m.ply(seat)
    form.action = f"/t/{waiting}/turn"
    assert browser.press(form).status_code == 403, "a form belongs to its link"
    assert m.ply(seat) == before
