"""The turn page: a link plays one turn of one seat, with forms alone."""

from dataclasses import replace
from datetime import timedelta
from html import escape

import pytest

from server.engine.ulm2 import RULES
from server.notify.compose import compose
from server.service.explain import card_facts
from server.service.outbox.deliveries import QueuedMail
from server.service.views import turn_page
from server.settings import Settings
from server.storage.times import utc
from tests.routes.pages.conftest import (
    NOW,
    Browser,
    enter,
    everything,
    give_address,
    read,
    sign_in,
    text_of,
    turn_token,
)
from tests.tables import Seat


def play_to_the_end(browser, path):
    """A whole turn by buttons; the moves that were played."""
    played = []
    browser.open(path)
    for _ in range(60):
        moves = browser.moves()
        if not moves:
            return played
        move = next((m for m in ("draw", "end") if m in moves), None) or next(iter(moves))
        played.append(move)
        pressed = browser.end() if move == "end" else browser.press(moves[move])
        assert pressed.status_code == 200  # drafted, or sent with what was drafted
    raise AssertionError("the turn does not end")


def test_a_whole_game_by_forms_alone(match, browser):
    m = match(2)
    for _ in range(25):
        if m.to_move is None:
            break
        play_to_the_end(browser, f"/t/{turn_token(m)}")
    assert m.page(0)["status"] == "finished"
    assert "The game is over" in browser.response.text
    assert f"/replays/{m.id}" in read(browser.response).links


def test_a_push_link_drafts_its_move(match, browser):
    m = match(2)
    seat, token = m.active, turn_token(m)
    before = m.ply(seat)
    for slot in ("N1", "W3"):
        response = browser.open(f"/t/{token}/move/push/{slot}", 303)
        browser.open(response.headers["Location"])
        assert browser.sending("end").fields["draft"] == f"push {slot}"
        assert "Undo: " in browser.response.text
    assert m.ply(seat) == before, "nothing is played by looking"
    response = browser.press(browser.button("Send this now"), follow=False)
    assert (response.status_code, response.headers["Location"]) == (303, f"/t/{token}")
    assert m.ply(seat) == before + 1
    assert m.page(seat)["view"]["turn"]["slot"] == "W3"
    asked = browser.open(f"/t/{token}/move/push/N1", 303).headers["Location"]
    assert "You have already pushed" in browser.open(asked).text
    assert "no such move" in browser.open(f"/t/{token}/move/push/X9", 404).text


def test_each_move_of_a_mail_has_a_link_that_drafts_it_or_asks(match, browser):
    """Nothing is played by looking, also where the move would reveal something or end the turn."""
    m = match(2)
    seen = set()
    drafted = '<a class="button quiet undo"'
    for step in range(40):
        seat, token = m.active, turn_token(m)
        legal, before = m.legal(seat), everything(m.store)
        if step % 4 == 0:
            for move in legal:
                shown = browser.open(f"/t/{token}/move/{move.replace(' ', '/')}", 303).headers["Location"]
                page = browser.open(shown).text
                asks = ("Play this?", "Which of these?", "End the turn now?")
                assert drafted in page or any(question in page for question in asks)
                seen.add((move.split()[0], drafted in page))
            assert everything(m.store) == before
        m.play(seat, legal[step * 7 % len(legal)])
    assert seen >= {("push", True), ("swap", True), ("end", False)}
    assert "no such move" in browser.open(f"/t/{turn_token(m)}/move/fly/N1", 404).text


def test_what_ending_gives_away_and_taking_back(match, browser):
    m = match(2)
    seat, token = m.active, turn_token(m)
    browser.open(f"/t/{token}")
    before = m.ply(seat)
    browser.press(browser.sending("push N2"))
    browser.open(f"/t/{token}")
    browser.press(browser.moves()["end"])
    assert m.active == seat, "it asks first, and nothing is played"
    assert "You would then lose what you could still do" in browser.response.text
    lost = turn_page.page_of_game(m.store, m.id, m.players[seat], before, ["push N2"]).draft.lost
    assert lost
    assert all(escape(line) in browser.response.text for line in lost), "it says what"
    form = browser.button("Take back")
    browser.press(form)
    assert m.ply(seat) == before
    assert "push N2" in browser.moves()
    # Sent twice it takes back once.
    assert browser.press(form).status_code == 422
    assert m.ply(seat) == before
    assert not [form for form in browser.forms if form.label.startswith("Take back")], "a draw stays drawn"


def test_the_end_of_a_turn_that_is_sent_twice_is_not_said_to_have_failed(match, browser):
    """By then the link is for a turn that is over; but what was sent was played."""
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    push, before = browser.sending("push N2"), m.ply(seat)
    for _ in range(2):
        browser.press(push)
        assert m.ply(seat) == before + 1
    form = browser.sending("end")
    assert browser.press(form, follow=False).status_code == 303
    assert m.active != seat
    stands = m.ply(seat)
    assert browser.press(form, follow=False).status_code == 303
    assert browser.press(replace(form, fields={**form.fields, "move": "money"}), follow=False).status_code == 409
    assert browser.press(replace(form, fields={**form.fields, "key": "another one"}), follow=False).status_code == 409
    assert m.ply(seat) == stands


def test_the_same_move_again_after_it_was_taken_back(match, browser):
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    for _ in range(2):
        browser.press(browser.sending("push N2"))
        assert m.ply(seat) == before + 1
        browser.press(browser.button("Take back"))
        assert m.ply(seat) == before


def test_a_move_or_a_ply_that_cannot_be_is_refused(match, browser):
    m = match(2)
    seat, path = m.active, f"/t/{turn_token(m)}"
    before = m.ply(seat)
    for move in ("push X1", "nonsense", "", "push N1 gray", "x" * 500, "draw"):
        browser.open(path)
        response = browser.press(browser.sending("push N2"), move=move)
        assert response.status_code == 422
        assert 'role="alert"' in response.text
        assert "Traceback" not in response.text
    for ply in ("", "-1", "x", "1e3", "９", "99999999999"):
        browser.open(path)
        assert browser.press(browser.sending("push N2"), ply=ply).status_code in (409, 422)
    assert m.ply(seat) == before


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost"}, Browser.HEADERS])
def test_a_form_from_here_is_taken(match, browser, headers):
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    assert browser.press(browser.sending("push N2"), headers=headers).status_code == 200
    assert m.ply(seat) == before + 1


def test_a_form_that_lay_about_for_weeks_is_refused(match, browser, time):
    m = match(2)
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N2")
    time.now += timedelta(days=8)
    assert browser.press(form).status_code == 403


def test_coming_back_ends_the_autopilot(match, browser, time):
    m = match(2)
    seat, token = m.active, turn_token(m)
    with m.store.write():
        Seat.update(autopilot=True, timeouts=2).where(Seat.game == m.id, Seat.seat == seat).execute()
    assert "the server plays your turns" in browser.open(f"/t/{token}").text
    assert "the server plays your turns" not in browser.open(f"/t/{turn_token(m, 1 - seat)}").text
    browser.open(f"/t/{token}")
    form = browser.button("I am back")
    browser.press(form)
    assert "the server plays your turns" not in browser.response.text
    with m.store.read():
        place = Seat.get(Seat.game == m.id, Seat.seat == seat)
        assert (place.autopilot, place.timeouts) == (False, 0)
    time.now = NOW + timedelta(days=30)
    assert browser.client.post(form.action, data=form.fields).status_code in (403, 410)


def test_the_mat_has_links_for_what_is_legal_now_not_for_what_was_at_the_same_ply(match, browser):
    """After moves that were taken back another position may have the same ply, and the same may lie on the mat."""
    m = match(2)
    seat = m.active
    m.play(seat, next(move for move in m.legal(seat) if move.startswith("push")))
    sign_in(browser.client, m.store, m.players[seat])
    for actions in (1, 0, 1):

        def change(state, actions=actions):
            state.players[seat].hand = ("first_chronicle",)
            state.turn.free_play, state.turn.card_credits = False, actions
            state.turn.activated = (0,) * len(state.turn.activated)

        m.edit(change)
        page = browser.open(f"/games/{m.id}").text
        mat = page[page.index('id="mat"') :].partition("</section>")[0]
        assert "card-first_chronicle" in mat
        assert ('data-move="play first_chronicle' in mat) == bool(actions)


def test_what_is_asked_after_a_card_names_that_card_for_its_player_alone(match, browser, town_hall):
    """Q3: a coin or a tile? The card that was just drawn may need the tile, and on a phone it was out of sight."""
    m = match(town_hall.seats, seed=town_hall.seed)
    m.follow(town_hall.moves)
    seat = m.active
    card = m.page(seat)["view"]["players"][seat]["hand"][-1]
    facts = card_facts.of_card(RULES, card)
    said = f"New in your hand: {facts.name}. Top: {facts.played}."
    asked = f"Town Hall: a coin or a tile? {said} "
    enter(browser, m, seat)
    assert asked in text_of(browser.open(f"/games/{m.id}").text)
    assert asked in text_of(browser.open(f"/t/{turn_token(m, seat)}").text)
    give_address(m.store, m.players[seat], "ann@example.org")
    queued = QueuedMail(1, "k", "turn_link", utc(NOW), utc(NOW), m.id, m.ply(seat), m.players[seat].id)
    letter = compose(m.store, Settings(), queued, NOW)
    for kind in ("plain", "html"):
        assert said in text_of(letter.get_body((kind,)).get_content())
    for other in (1 - seat, None):
        enter(browser, m, other)
        assert "New in your hand" not in browser.open(f"/games/{m.id}").text
    enter(browser, m, seat)
    m.play(seat, "coin")
    assert "New in your hand" not in browser.open(f"/games/{m.id}").text
