"""The turn page: a link plays one turn of one seat, with forms alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from server.service import games, links, sandboxes, turn_page
from server.storage.models import Seat
from tests.pages.conftest import NOW, SQLITE, Browser, Start, read, turn_token


def play_to_the_end(browser: Browser, path: str) -> list[str]:
    """A whole turn by buttons; the moves that were played."""
    played = []
    browser.open(path)
    for _ in range(60):
        moves = browser.moves()
        if not moves:
            return played
        move = next((m for m in ("draw", "end") if m in moves), None) or next(iter(moves))
        played.append(move)
        assert browser.press(moves[move]).status_code == 200  # drafted, or sent with what was drafted
    raise AssertionError("the turn does not end")


def nothing_to_play(browser: Browser) -> bool:
    """Whether the page has no button for a move, for taking one back, for resigning."""
    return not browser.moves() and not [
        form for form in browser.forms if form.action.endswith(("/turn", "/undo", "/resign"))
    ]


def test_a_whole_turn_by_forms_alone(match: Start, browser: Browser) -> None:
    m = match(3)
    seat = m.active
    path = f"/t/{turn_token(m)}"
    assert "Your turn" in browser.open(path).text
    played = play_to_the_end(browser, path)
    assert played[-1] == "end"
    assert any(move.startswith("push") for move in played)
    assert m.active != seat
    log = [move["move"] for move in games.log(m.store, m.id, m.players[seat])["moves"] if move["seat"] == seat]
    assert log == ["draw", *played]
    assert "This turn is over" in browser.response.text


def test_a_whole_game_by_forms_alone(match: Start, browser: Browser) -> None:
    m = match(2)
    for _ in range(25):
        if m.to_move is None:
            break
        play_to_the_end(browser, f"/t/{turn_token(m)}")
    assert m.page(0)["status"] == "finished"
    assert "The game is over" in browser.response.text
    assert f"/replays/{m.id}" in read(browser.response).links


@SQLITE
def test_every_legal_move_has_a_button_and_nothing_else(match: Start, browser: Browser) -> None:
    m = match(2, options={"tower": True}, auto_draw=False)
    for step in range(40):
        seat = m.active
        browser.open(f"/t/{turn_token(m)}")
        legal = m.legal(seat)
        assert sorted(browser.moves()) == sorted(legal)
        m.play(seat, legal[step * 7 % len(legal)])


def test_a_push_link_drafts_its_move(match: Start, browser: Browser) -> None:
    m = match(2)
    seat, token = m.active, turn_token(m)
    before = m.ply(seat)
    for slot in ("N1", "W3"):
        response = browser.open(f"/t/{token}/push/{slot}", 303)
        browser.open(response.headers["Location"])
        assert browser.sending("end").fields["draft"] == f"push {slot}"
        assert "Undo from here" in browser.response.text
    assert m.ply(seat) == before, "nothing is played by looking"
    response = browser.press(browser.button("Send this move"), follow=False)
    assert (response.status_code, response.headers["Location"]) == (303, f"/t/{token}")
    assert m.ply(seat) == before + 1
    assert m.page(seat)["view"]["turn"]["slot"] == "W3"
    asked = browser.open(f"/t/{token}/push/N1", 303).headers["Location"]
    assert "You have pushed already" in browser.open(asked).text
    assert "no such slot" in browser.open(f"/t/{token}/push/X9", 404).text


def test_a_push_before_the_draw_is_not_offered(match: Start, browser: Browser) -> None:
    m = match(2, auto_draw=False)
    page = browser.open(browser.open(f"/t/{turn_token(m)}/push/N2", 303).headers["Location"]).text
    assert "First you draw" in page
    assert list(browser.moves()) == ["draw"]


def test_what_ending_gives_away_and_taking_back(match: Start, browser: Browser) -> None:
    m = match(2)
    seat, token = m.active, turn_token(m)
    browser.open(f"/t/{token}")
    before = m.ply(seat)
    browser.press(browser.sending("push N2"))
    assert "Ending the turn now gives that away" in browser.response.text
    assert "unused" in browser.response.text
    form = browser.button("Take back")
    browser.press(form)
    assert m.ply(seat) == before
    assert "push N2" in browser.moves()
    # Sent twice it takes back once.
    assert browser.press(form).status_code == 422
    assert m.ply(seat) == before
    assert not [form for form in browser.forms if form.label.startswith("Take back")], "a draw stays drawn"


def test_several_moves_are_taken_back_at_once(match: Start, browser: Browser) -> None:
    m = match(2)
    seat, token = m.active, turn_token(m)
    before = m.ply(seat)
    browser.open(f"/t/{token}")
    browser.press(browser.moves()["push N2"])
    more = next(move for move in browser.moves() if move in ("money", "river", "clear S"))
    browser.press(browser.moves()[more])
    assert m.ply(seat) == before
    browser.press(browser.button("Send these 2 moves"))
    assert m.ply(seat) == before + 2
    first, second = [form for form in browser.forms if form.label.startswith("Take back")]
    assert (int(first.fields["ply"]), int(second.fields["ply"])) == (before, before + 1)
    browser.press(first)
    assert m.ply(seat) == before


def test_a_form_that_is_sent_twice_plays_once(match: Start, browser: Browser) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N2")
    before = m.ply(seat)
    assert browser.press(form, follow=False).status_code == 303
    assert browser.press(form, follow=False).status_code == 303
    assert m.ply(seat) == before + 1


def test_the_end_of_a_turn_that_is_sent_twice_is_not_said_to_have_failed(match: Start, browser: Browser) -> None:
    """By then the link is for a turn that is over; but what was sent was played."""
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    browser.press(browser.sending("push N2"))
    form = browser.sending("end")
    assert browser.press(form, follow=False).status_code == 303
    assert m.active != seat
    stands = m.ply(seat)
    assert browser.press(form, follow=False).status_code == 303
    assert browser.press(replace(form, fields={**form.fields, "move": "money"}), follow=False).status_code == 409
    assert browser.press(replace(form, fields={**form.fields, "key": "another one"}), follow=False).status_code == 409
    assert m.ply(seat) == stands


def test_the_same_move_again_after_it_was_taken_back(match: Start, browser: Browser) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    for _ in range(2):
        browser.press(browser.sending("push N2"))
        assert m.ply(seat) == before + 1
        browser.press(browser.button("Take back"))
        assert m.ply(seat) == before


def test_a_form_of_an_older_state_is_refused_and_says_so(match: Start, browser: Browser) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N2")
    m.play(seat, "push N1")
    response = browser.press(form)
    assert response.status_code == 409
    assert "The game has moved on" in response.text
    assert "Your turn" in response.text, "the page goes on with the present state"


@pytest.mark.parametrize("move", ["push X1", "nonsense", "", "push N1 gray", "x" * 500, "draw"])
def test_a_move_that_cannot_be_is_refused(match: Start, browser: Browser, move: str) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    response = browser.press(browser.sending("push N2"), move=move)
    assert response.status_code == 422
    assert "role=\"alert\"" in response.text
    assert "Traceback" not in response.text
    assert m.ply(seat) == before


@pytest.mark.parametrize("ply", ["", "-1", "x", "1e3", "９", "99999999999"])
def test_a_ply_that_is_none(match: Start, browser: Browser, ply: str) -> None:
    m = match(2)
    browser.open(f"/t/{turn_token(m)}")
    assert browser.press(browser.sending("push N2"), ply=ply).status_code in (409, 422)


def test_resigning_asks_first(match: Start, browser: Browser) -> None:
    m = match(3)
    seat, token = m.active, turn_token(m)
    assert "Leave this game?" in browser.open(f"/t/{token}/resign").text
    assert not m.page(seat)["view"]["players"][seat]["resigned"]
    browser.press(browser.button("Yes, I resign"))
    assert m.page(seat)["view"]["players"][seat]["resigned"]
    assert "This turn is over" in browser.open(f"/t/{token}/resign").text


def test_a_stale_link_says_what_happened_and_whose_turn_it_is(match: Start, browser: Browser) -> None:
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
    m.play_turn()
    m.play_turn()
    assert m.active == seat
    page = browser.open(f"/t/{token}").text
    present = next(link for link in read(browser.response).links if link.startswith("/t/") and "/" not in link[3:])
    assert present != f"/t/{token}"
    assert nothing_to_play(browser)
    assert "Your turn" in browser.open(present).text
    assert browser.moves()


def test_a_stale_link_leads_nowhere_when_it_is_too_old(match: Start, browser: Browser, time) -> None:
    m = match(2)
    token = turn_token(m)
    m.play_turn()
    m.play_turn()
    time.now = NOW + timedelta(days=30)
    browser.open(f"/t/{token}")
    assert not [link for link in read(browser.response).links
                if link.startswith("/t/") and not link.startswith(f"/t/{token}")], "no other turn"
    assert nothing_to_play(browser)
    assert "too old" in browser.open(f"/t/{token}/messages", 410).text
    time.now = NOW + timedelta(days=130)
    assert "too old" in browser.open(f"/t/{token}", 410).text


def test_a_stale_link_does_not_live_on_from_turn_to_turn(match: Start, browser: Browser, time) -> None:
    """What it leads to is as old as its mail: whoever found the link has no seat for ever by following it in time."""
    m = match(2)
    path = f"/t/{turn_token(m)}"

    def present() -> str | None:
        m.play_turn()
        m.play_turn()
        browser.open(path)
        own = f"/t/{path.split('/')[2]}"
        return next((one for one in read(browser.response).links if one.startswith("/t/") and not one.startswith(own)),
                    None)

    for days in (10, 20):
        time.now = NOW + timedelta(days=days)
        found = present()
        assert found is not None
        path = found
        browser.open(path)
        assert browser.moves(), "within its time it leads to the present turn"
    time.now = NOW + timedelta(days=30)
    assert present() is None
    assert nothing_to_play(browser)


def test_after_a_finished_game_the_link_leads_to_the_replay(match: Start, browser: Browser) -> None:
    m = match(2)
    token = turn_token(m)
    m.play(m.active, "resign")
    page = browser.open(f"/t/{token}").text
    assert "The game is over" in page
    assert f'href="/replays/{m.id}"' in page


def test_links_that_are_not_right(match: Start, browser: Browser) -> None:
    m = match(3)
    seat, token = m.active, turn_token(m)
    other = (seat + 1) % 3
    # Signed by us, for a seat that is another's: the pair has to fit.
    crossed = turn_token(m, other, ply=m.ply(seat), player_id=m.players[seat].id)
    foreign = turn_token(m, seat, player_id=m.players[other].id)
    gone = turn_token(m, seat, game_id="nosuchgame12")
    nobody = turn_token(m, seat, player_id="nobody")
    for wrong in (crossed, foreign, gone, nobody):
        for path in (f"/t/{wrong}", f"/t/{wrong}/push/N1", f"/t/{wrong}/resign", f"/t/{wrong}/messages"):
            browser.open(path, 404)
    for purpose in ("confirm", "sign_in", "invitation", "session", "form", "unsubscribe"):
        claims = {"player": m.players[seat].id, "game": m.id, "ply": m.ply(seat), "seat": seat}
        browser.open(f"/t/{links.sign(m.store, purpose, now=NOW, **claims)}", 404)
        assert browser.client.get(f"/confirm/{token}").status_code == 404
    for text in (token[:-3], token + "A", "A" + token, token.replace(".", "", 1), "x", "%00", "é", "a" * 3000):
        assert browser.client.get(f"/t/{text}").status_code == 404
    half = token.split(".")
    assert browser.client.get(f"/t/{half[0]}.{half[1]}.{half[2][::-1]}").status_code == 404


def test_a_link_of_another_seat_plays_for_nobody_else(match: Start, browser: Browser) -> None:
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


@pytest.mark.parametrize("headers", [
    {"Origin": "https://evil.example"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
])
def test_a_form_from_elsewhere_is_refused(match: Start, browser: Browser, headers: dict[str, str]) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    for form in browser.forms:
        if form.method == "post":
            assert browser.press(form, headers=headers).status_code == 403
    assert m.ply(seat) == before


@pytest.mark.parametrize("token", ["", "x.y.z", None])
def test_a_form_without_its_token_is_refused(match: Start, browser: Browser, token: str | None) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N2")
    if token is None:
        del form.fields["form"]
    else:
        form.fields["form"] = token
    before = m.ply(seat)
    assert browser.press(form).status_code == 403
    assert "Open it anew" in browser.response.text
    assert m.ply(seat) == before


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost"}, Browser.HEADERS])
def test_a_form_from_here_is_taken(match: Start, browser: Browser, headers: dict[str, str]) -> None:
    m = match(2)
    seat = m.active
    browser.open(f"/t/{turn_token(m)}")
    before = m.ply(seat)
    assert browser.press(browser.sending("push N2"), headers=headers).status_code == 200
    assert m.ply(seat) == before + 1


def test_a_form_that_lay_about_for_weeks_is_refused(match: Start, browser: Browser, time) -> None:
    m = match(2)
    browser.open(f"/t/{turn_token(m)}")
    form = browser.sending("push N2")
    time.now += timedelta(days=8)
    assert browser.press(form).status_code == 403


def test_coming_back_ends_the_autopilot(match: Start, browser: Browser, time) -> None:
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


@SQLITE
def test_the_owner_of_a_sandbox_plays_all_seats(match: Start, browser: Browser) -> None:
    m = match(2)
    me = m.players[m.active]
    sandbox = sandboxes.branch(m.store, me, m.id, m.ply(m.active), None, None, None, NOW)
    game = {key: sandbox[key] for key in ("id", "status", "seat", "to_move", "ply")}
    path = f"/t/{turn_page.present(m.store, me, game, NOW)}"
    for _ in range(4):
        browser.open(path)
        if not browser.moves():
            path = next(one for one in read(browser.response).links if one.startswith("/t/") and "/messages" not in one)
        play_to_the_end(browser, path)
    moves = games.log(m.store, sandbox["id"], me)["moves"]
    assert {move["seat"] for move in moves} == {0, 1}
