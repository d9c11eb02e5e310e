"""What the page of a game has beside the turn: players, clock, log, messages, notes, the waiting room."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from server.service import games, messages, notes, pause, sandboxes, sessions
from server.storage.models import Game, Message, parse_utc
from tests.pages.conftest import NOW, SQLITE, Browser, Start, everything, give_address, read, steady, turn_token
from tests.service.conftest import Match, make_player

pytestmark = SQLITE
CLOCK = {"turn_hours": 24, "reserve_hours": 48, "night": None, "reminders": [], "vacation_days": 0, "start_by": None}


def enter(browser: Browser, m, seat: int | None) -> None:
    """Sign in as the player of a seat, or out."""
    if seat is None:
        browser.client.delete_cookie("ulm_session")
    else:
        browser.client.set_cookie("ulm_session", sessions.new_session(m.store, m.players[seat].id, NOW))


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


@pytest.fixture
def long_game(match: Start) -> Match:
    m = match(2)
    for _ in range(11):
        m.play_turn()
    return m


def timed(store, start: bool = True) -> Match:
    """Two players and a clock."""
    players = [make_player(store, name) for name in ("Ann", "Ben")]
    page = games.create(store, players[0], 2, "Slow", None, "", [], False, NOW, clock={**CLOCK, "on_timeout": "steady"})
    games.join(store, players[1], page["id"], "", None, NOW)
    return Match(store, page["id"], players)


# Players


def test_panels_tell_what_lies_before_each(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}").text
    view = m.page(0)["view"]
    panels = re.findall(r'<li class="seat[ "].*?</li>\s+(?=<li class="seat|</ol>)', page, re.S)
    assert len(panels) == 2
    for seat, html in enumerate(panels):
        player, said = view["players"][seat], text_of(html)
        assert said.startswith(f"Player {seat}")
        assert f"{player['vp']} VP" in said
        for key, word in (("coins", "coin"), ("sparrows", "sparrow"), ("seals", "seal"), ("crests", "crest")):
            assert re.search(rf"\b{player[key]} {word}s?\b", said), (key, said)
        assert f"{player['hand_size']} card" in said
        assert ("to move" in said) == (view["active"] == seat) == ('aria-current="true"' in html)
        assert ("you" in said.split()) == (seat == 0)


def test_a_bot_and_a_resigned_seat_are_marked(browser: Browser, store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    game = games.create(store, ann, 3, "G", None, "", ["steady"], False, NOW)["id"]
    games.join(store, ben, game, "", None, NOW)
    m = Match(store, game, [ann, ben])
    games.play(store, game, ben, games.page(store, game, ben)["ply"], ["resign"], None, NOW)
    enter(browser, m, 0)
    said = text_of(part(browser.open(f"/games/{game}").text, "players"))
    assert "bot" in said
    assert "resigned" in said


# Clock


def test_the_clock_is_told_in_the_readers_own_time(browser: Browser, store) -> None:
    m = timed(store)
    seat = m.active
    enter(browser, m, seat)
    html = part(browser.open(f"/games/{m.id}").text, "clock")
    deadline = m.page(seat)["deadline"]
    assert f'datetime="{deadline}"' in html
    assert f'data-deadline="{deadline}"' in html
    assert "You have time until" in html
    assert "left" in text_of(html)
    enter(browser, m, 1 - seat)
    assert f"{m.players[seat].name} has time until" in part(browser.open(f"/games/{m.id}").text, "clock")
    enter(browser, m, None)
    html = part(browser.open(f"/games/{m.id}").text, "clock")
    assert "has time until" in html
    assert "<button" not in html


def test_a_game_without_a_clock_shows_none(browser: Browser, match: Start) -> None:
    m = match(2)
    enter(browser, m, 0)
    assert 'id="clock"' not in browser.open(f"/games/{m.id}").text


def test_a_pause_is_asked_for_and_ended(browser: Browser, store) -> None:
    m = timed(store)
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Ask for a pause"))
    assert m.page(0)["pause_votes"] == [0]
    assert "No pause for me" in browser.response.text
    browser.press(browser.button("No pause for me"))
    assert m.page(0)["pause_votes"] == []
    pause.vote(store, m.players[1], m.id, m.clock())
    assert "Want a pause: Ben" in text_of(browser.open(f"/games/{m.id}").text)
    browser.press(browser.button("Ask for a pause"))
    assert m.page(0)["paused"]
    assert "The game is paused" in browser.response.text
    browser.press(browser.button("Let the clock run again"))
    assert not m.page(0)["paused"]


def test_a_pause_that_cannot_be_is_explained_beside_the_clock(browser: Browser, store, time) -> None:
    m = timed(store)
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    form = browser.button("Ask for a pause")
    with store.write():
        Game.update(deadline=NOW).where(Game.id == m.id).execute()
    assert browser.press(form).status_code == 409
    assert 'role="alert"' in part(browser.response.text, "clock")


# Log and positions


def test_the_log_has_the_last_rounds_and_all_when_asked(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    last = m.ply(0)
    short = part(browser.open(f"/games/{m.id}").text, "log")
    rounds = re.findall(r"<h3>Round (\d+)</h3>", short)
    assert rounds == ["6", "5", "4"]
    assert "?log=all#log" in short
    whole = part(browser.open(f"/games/{m.id}?log=all").text, "log")
    assert re.findall(r"<h3>Round (\d+)</h3>", whole) == ["6", "5", "4", "3", "2", "1"]
    plies = [int(ply) for ply in re.findall(r'/at/(\d+)"', whole)]
    assert sorted(plies) == list(range(1, last + 1))
    said = text_of(whole)
    for told in games.log(m.store, m.id, m.players[0])["moves"]:
        if told["move"].startswith("push"):
            assert f"in at {told['move'].split()[1]}" in said
    assert "?log=all" not in whole


def test_each_line_leads_to_the_position_then(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    found = read(browser.open(f"/games/{m.id}?log=all")).links
    for path in [link for link in found if "/at/" in link][::7]:
        page = browser.open(path).text
        ply = int(path.rpartition("/")[2])
        assert f"After move {ply} of {m.ply(0)}" in page
        assert 'aria-current="true"' in page
    first = browser.open(f"/games/{m.id}/at/0").text
    assert "Before the first move" in first
    assert "/at/1" in first
    assert "/at/-1" not in first
    newest = m.ply(0)
    last = read(browser.open(f"/games/{m.id}/at/{newest}")).links
    assert f"/games/{m.id}/at/{newest - 1}" in last
    assert f"/games/{m.id}/at/{newest + 1}" not in last
    assert f"/games/{m.id}" in last
    browser.open(f"/games/{m.id}/at/{newest + 1}", 404)


def test_a_hidden_draw_is_no_ply_for_others(browser: Browser, match: Start) -> None:
    m = match(2, auto_draw=False)
    m.play_turn()
    seat = m.active
    ply = m.ply(1 - seat)
    paths = [f"/games/{m.id}", f"/games/{m.id}?log=all", f"/games/{m.id}/at/{ply}", f"/games/{m.id}/at/{ply - 1}"]

    def seen(other: int | None) -> list[str]:
        enter(browser, m, other)
        browser.open(f"/games/{m.id}/at/{ply + 1}", 404)
        return [plain(browser.open(path).text) for path in paths]

    def plain(page: str) -> str:
        return re.sub(r'name="key" value="[^"]*"', "", steady(page))

    before = {other: seen(other) for other in (1 - seat, None)}
    m.play(seat, "draw")
    assert {other: seen(other) for other in (1 - seat, None)} == before
    enter(browser, m, seat)
    assert "draws" in text_of(browser.open(f"/games/{m.id}/at/{ply + 1}").text)


def test_a_card_that_was_kept_only_its_player_reads(browser: Browser, match: Start, offer) -> None:
    m = match(offer.seats, seed=offer.seed)
    m.follow(offer.moves)
    seat = m.active
    cards = m.page(seat)["view"]["pending"][-1]["offer"]
    m.play(seat, f"choose {cards[0]}")
    ply = m.ply(None)
    enter(browser, m, seat)
    own = part(browser.open(f"/games/{m.id}").text, "log")
    assert "keeps a card" not in text_of(own)
    for other in [*(s for s in range(offer.seats) if s != seat), None]:
        enter(browser, m, other)
        for path in (f"/games/{m.id}", f"/games/{m.id}/at/{ply}", f"/games/{m.id}/at/{ply - 1}"):
            page = browser.open(path).text
            assert "keeps a card" in text_of(page) or path.endswith(str(ply - 1))
            assert f'data-card="{cards[0]}"' not in page


def test_a_link_shows_the_log_and_positions_for_its_seats_eyes(browser: Browser, match: Start) -> None:
    m = match(2, private=True)
    m.play_turn()
    m.play_turn()
    seat = m.active
    token = turn_token(m)
    ply = m.ply(seat)
    lines = [link for link in read(browser.open(f"/t/{token}")).links if "/at/" in link]
    assert f"/t/{token}/at/{ply}" in lines
    assert f"After move {ply} of {ply}" in browser.open(f"/t/{token}/at/{ply}").text
    assert "you" in text_of(part(browser.response.text, "players") or browser.response.text)
    m.play_turn()
    # The turn is over: the link shows what a spectator sees, though the game is private.
    seen = m.ply(seat)
    page = browser.open(f"/t/{token}/at/{seen}").text
    assert f"After move {seen} of {seen}" in page
    browser.open(f"/t/{token}/at/{seen + 1}", 404)
    browser.open(f"/games/{m.id}/at/1", 404)


# Messages


def test_messages_are_read_and_written_on_the_page(browser: Browser, long_game: Match) -> None:
    m = long_game
    messages.post(m.store, m.id, m.players[1], "Hello <b>there</b>", NOW)
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}?log=all").text
    assert "Hello &lt;b&gt;there&lt;/b&gt;" in page
    answer = browser.press(form_to(browser, "messages"), text="Well pushed", follow=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{m.id}?log=all#messages")
    assert "Well pushed" in part(browser.open(f"/games/{m.id}").text, "messages")
    for bad in ("", "x" * 1001, "a\0b"):
        assert browser.press(form_to(browser, "messages"), text=bad).status_code == 422
        assert 'role="alert"' in part(browser.response.text, "messages")
    assert "x" * 1001 in browser.press(form_to(browser, "messages"), text="x" * 1001).text, "what was typed stays"


def test_only_the_newest_messages_are_on_the_page(browser: Browser, long_game: Match) -> None:
    m = long_game
    for number in range(12):
        messages.post(m.store, m.id, m.players[number % 2], f"number {number}.", NOW)
    enter(browser, m, 0)
    html = part(browser.open(f"/games/{m.id}").text, "messages")
    assert re.findall(r"number (\d+)\.", html) == [str(number) for number in range(4, 12)]
    assert f'href="/games/{m.id}/messages"' in html
    assert "number 0." in browser.open(f"/games/{m.id}/messages").text


def test_messages_are_not_for_those_who_look_on(browser: Browser, long_game: Match) -> None:
    m = long_game
    messages.post(m.store, m.id, m.players[1], "secret plans", NOW)
    eve = make_player(m.store, "Eve")
    enter(browser, m, None)
    assert "secret plans" not in browser.open(f"/games/{m.id}").text
    browser.client.set_cookie("ulm_session", sessions.new_session(m.store, eve.id, NOW))
    page = browser.open(f"/games/{m.id}").text
    assert "secret plans" not in page
    assert not [form for form in browser.forms if form.action.endswith(("/messages", "/note", "/notices", "/pause"))]


def test_by_a_link_there_are_messages_but_nothing_else_of_ones_own(browser: Browser, long_game: Match, time) -> None:
    m = long_game
    seat = m.active
    notes.put(m.store, m.id, m.players[seat], "my secret note")
    messages.post(m.store, m.id, m.players[1 - seat], "well met", NOW)
    token = turn_token(m)
    page = browser.open(f"/t/{token}").text
    assert "well met" in page
    assert "my secret note" not in page
    ends = {form.action.rpartition("/")[2] for form in browser.forms}
    assert not ends & {"note", "notices", "pause", "invite", "leave", "rematch", "bots"}
    answer = browser.press(form_to(browser, "messages"), text="indeed", follow=False)
    assert answer.headers["Location"] == f"/t/{token}#messages"
    assert "indeed" in browser.open(f"/t/{token}").text
    m.play_turn()
    time.now += timedelta(days=30)
    assert "well met" not in browser.open(f"/t/{token}").text, "too old a link"


def test_what_somebody_wrote_who_left_is_not_ascribed_to_who_came(browser: Browser, store) -> None:
    ann, ben, cleo = (make_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    game = games.create(store, ann, 3, "Open", None, "", [], False, NOW)["id"]
    games.join(store, ben, game, "", None, NOW)
    messages.post(store, game, ben, "I must go", NOW)
    games.leave(store, ben, game, NOW)
    games.join(store, cleo, game, "", None, NOW)
    m = Match(store, game, [ann, cleo])
    enter(browser, m, 0)
    for path, where in ((f"/games/{game}", "messages"), (f"/games/{game}/messages", "")):
        page = browser.open(path).text
        html = part(page, where) if where else page
        assert "Somebody who left" in html
        assert "Cleo" not in html
    assert messages.listing(store, game, ann)[0]["name"] is None


# What is one's own


def test_a_note_is_kept_and_nobody_else_sees_it(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    answer = browser.press(form_to(browser, "note"), note="Watch\r\nthe <docks>", follow=False)
    assert answer.headers["Location"] == f"/games/{m.id}?done=note#note"
    page = browser.open(f"/games/{m.id}?done=note").text
    assert "Watch\nthe &lt;docks&gt;" in page
    assert "Your note is kept." in page
    assert notes.get(m.store, m.id, m.players[0]) == {"note": "Watch\nthe <docks>"}
    for other in (1, None):
        enter(browser, m, other)
        assert "docks&gt;" not in browser.open(f"/games/{m.id}").text
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    assert browser.press(form_to(browser, "note"), note="x" * 4001).status_code == 422
    assert 'role="alert"' in part(browser.response.text, "note")
    assert "x" * 4001 in browser.response.text


def test_notices_of_this_game(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    page = browser.press(form_to(browser, "notices"), mail="digest").text
    assert re.search(r'<option value="digest" selected>', page)
    page = browser.press(form_to(browser, "notices"), mail="").text
    assert re.search(r'<option value="" selected>', page)
    assert browser.press(form_to(browser, "notices"), mail="loud").status_code == 422


def test_what_is_said_once_done_is_a_text_of_ours(browser: Browser, long_game: Match) -> None:
    m = long_game
    page = browser.open(f"/games/{m.id}?done=<b>You+have+won</b>").text
    assert "You have won" not in page
    assert 'id="done-said"' not in page


@pytest.mark.parametrize(
    "wish", ["https://evil.example/", "//evil.example/", "/\\evil.example", "/account", "\r\nX: y"]
)
def test_a_form_leads_back_to_its_game_alone(browser: Browser, long_game: Match, wish: str) -> None:
    m = long_game
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    answer = browser.press(form_to(browser, "messages"), text="x", back=wish, follow=False)
    assert answer.headers["Location"] == f"/games/{m.id}#messages"


def test_a_form_keeps_the_draft_of_its_page(browser: Browser, long_game: Match) -> None:
    m = long_game
    seat = m.active
    enter(browser, m, seat)
    push = next(move for move in m.legal(seat) if move.startswith("push"))
    path = f"/games/{m.id}?ply={m.ply(seat)}&draft={push.replace(' ', '+')}"
    browser.open(path)
    answer = browser.press(form_to(browser, "note"), note="x", follow=False)
    assert answer.headers["Location"] == f"{path}&done=note#note"


# Before the start, and after the end


def test_the_waiting_room(browser: Browser, store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    made = games.create(store, ann, 3, "Evening", {"tower": True}, "", [], True, NOW, clock=CLOCK)
    m = Match(store, made["id"], [ann, ben])
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}").text
    said = text_of(part(page, "waiting"))
    assert "2 seats are free" in said
    assert "with Tower tiles" in said
    assert "1 day a turn" in said
    assert f"/games/{m.id}/join?invitation={made['invitation']}" in unescape(page)
    enter(browser, m, 1)
    browser.open(f"/games/{m.id}", 404)
    games.join(store, ben, m.id, "", made["invitation"], NOW)
    page = browser.open(f"/games/{m.id}").text
    assert made["invitation"] in page, "whoever sits there may bring friends"
    assert not [form for form in browser.forms if form.action.endswith("/bots")]
    browser.press(form_to(browser, "leave"))
    assert games.page(store, m.id, ann)["players"][1] is None
    browser.open(f"/games/{m.id}", 404)


def test_a_stranger_is_shown_the_way_to_a_seat(browser: Browser, store) -> None:
    ann = make_player(store, "Ann")
    game = games.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    page = browser.open(f"/games/{game}").text
    assert f'href="/games/{game}/join"' in page
    assert 'name="address"' not in page
    assert not [form for form in browser.forms if "/games/" in form.action]


def test_bots_take_the_free_seats(browser: Browser, store) -> None:
    ann = make_player(store, "Ann")
    game = games.create(store, ann, 3, "Open", None, "", [], False, NOW)["id"]
    enter(browser, Match(store, game, [ann]), 0)
    browser.open(f"/games/{game}")
    form = form_to(browser, "bots")
    browser.press(form)
    assert games.page(store, game, ann)["status"] == "running"
    assert browser.press(form).status_code == 409
    assert "steady bot" in browser.response.text


def test_inviting_by_mail(browser: Browser, store) -> None:
    ann = make_player(store, "Ann")
    game = games.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    enter(browser, Match(store, game, [ann]), 0)
    browser.open(f"/games/{game}")
    page = browser.press(form_to(browser, "invite"), address="ben@example.org").text
    assert "The invitation is on its way." in page
    assert "ben@example.org" not in page
    page = browser.press(form_to(browser, "invite"), address="nobody").text
    assert browser.response.status_code == 422
    assert 'role="alert"' in part(page, "waiting")
    assert 'value="nobody"' in page


def test_a_rematch_leads_to_the_new_game(browser: Browser, match: Start) -> None:
    m = match(2)
    m.play(0, "resign")
    enter(browser, m, 1)
    browser.open(f"/games/{m.id}")
    form = form_to(browser, "rematch")
    answer = browser.press(form, follow=False)
    new = answer.headers["Location"]
    assert new.startswith("/games/")
    assert "Waiting for players" in browser.open(new).text
    give_address(m, 0, "p0@example.org")
    enter(browser, m, None)
    assert not [form for form in (browser.open(f"/games/{m.id}"), browser.forms)[1] if form.action.endswith("rematch")]


# As a cheater


def test_nobody_acts_without_a_form_of_their_own(browser: Browser, store) -> None:
    m = timed(store)
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    forms = {form.action.rpartition("/")[2]: form for form in browser.forms}
    own = [forms[end] for end in ("note", "notices", "pause", "messages")]
    before = everything(store)
    for form in own:
        assert browser.press(form, headers={"Origin": "https://evil.example"}).status_code == 403
        assert browser.press(replace(form, fields={**form.fields, "form": "x"})).status_code == 403
    enter(browser, m, 1)
    for form in own:
        assert browser.press(form, text="x", note="x").status_code == 403, "a form of another session"
    assert everything(store) == before


def test_who_does_not_sit_there_does_nothing(browser: Browser, store, match: Start) -> None:
    m = timed(store)
    hidden = match(2, private=True)
    eve = make_player(store, "Eve")
    browser.client.set_cookie("ulm_session", sessions.new_session(store, eve.id, NOW))
    browser.open("/account")
    token = browser.forms[0].fields["form"]
    before = everything(store)
    for end in ("note", "notices", "pause", "messages", "invite", "bots", "leave", "rematch"):
        for game, status in ((m.id, (403, 409)), (hidden.id, (404,))):
            fields = {"form": token, "text": "x", "note": "x", "mail": "mute", "address": "x@example.org"}
            answer = browser.client.post(f"/games/{game}/{end}", data=fields, headers=browser.HEADERS)
            assert answer.status_code in status, (end, answer.status_code)
    assert everything(store) == before


def test_looking_changes_nothing(browser: Browser, long_game: Match) -> None:
    m = long_game
    enter(browser, m, 0)
    before = everything(m.store)
    for end in ("", "?log=all", "?done=note", "/at/0", "/at/3", "/messages"):
        browser.open(f"/games/{m.id}{end}")
    for end in ("note", "notices", "pause", "invite", "bots", "leave", "rematch"):
        assert browser.client.get(f"/games/{m.id}/{end}").status_code == 405
    assert everything(m.store) == before


def test_the_page_without_its_board_is_light(browser: Browser, long_game: Match) -> None:
    m = long_game
    for number in range(15):
        messages.post(m.store, m.id, m.players[0], f"{number} " + "x" * 990, NOW)
    enter(browser, m, m.active)
    page = browser.open(f"/games/{m.id}").text
    without = re.sub(r"<svg(?! class=\"icon\").*?</svg>", "", page, flags=re.S)
    assert len(without.encode()) < 150_000


def test_deadlines_that_are_past_are_told_so(browser: Browser, store, time) -> None:
    m = timed(store)
    time.now = parse_utc(m.page(0)["deadline"]) + timedelta(minutes=1)
    assert "the time is over" in text_of(part(browser.open(f"/games/{m.id}").text, "clock"))


def test_messages_of_an_account_that_is_gone(browser: Browser, long_game: Match) -> None:
    m = long_game
    messages.post(m.store, m.id, m.players[1], "bye", NOW)
    with m.store.write():
        Message.update(player=None).execute()
    enter(browser, m, 0)
    assert "Somebody who left" in part(browser.open(f"/games/{m.id}").text, "messages")


# Other kinds of games


def test_a_sandbox_is_looked_at_by_its_owner_alone(browser: Browser, match: Start) -> None:
    m = match(2)
    for _ in range(3):
        m.play_turn()
    m.play(1, "resign")
    made = sandboxes.branch(m.store, m.players[0], m.id, 5, None, None, "What if", m.clock())
    own = Match(m.store, made["id"], m.players)
    enter(browser, m, 0)
    browser.open(f"/games/{own.id}")
    own.play(0, next(move for move in games.legal_moves(m.store, own.id, m.players[0])["moves"] if move != "resign"))
    page = browser.open(f"/games/{own.id}").text
    assert f"/games/{own.id}/at/1" in page
    assert "After move 1 of" in browser.open(f"/games/{own.id}/at/1").text
    browser.press(form_to_note(browser, own.id), note="try this", follow=False)
    assert notes.get(m.store, own.id, m.players[0]) == {"note": "try this"}
    enter(browser, m, 1)
    browser.open(f"/games/{own.id}", 404)
    browser.open(f"/games/{own.id}/at/1", 404)


def form_to_note(browser: Browser, game: str):
    browser.open(f"/games/{game}")
    return form_to(browser, "note")


def test_the_example_is_open_to_all(browser: Browser, store) -> None:
    game = games.ensure_example(store, NOW)
    page = browser.open(f"/games/{game}?log=all").text
    found = [link for link in read(browser.response).links if "/at/" in link]
    assert len(found) > 100
    browser.open(found[0])
    assert 'id="messages"' not in page
    assert 'id="clock"' not in page


def test_a_game_that_was_given_up_is_looked_at(browser: Browser, store) -> None:
    m = timed(store)
    m.play_turn()
    with store.write():
        Game.update(status="abandoned", finished_at=NOW, deadline=None).where(Game.id == m.id).execute()
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}").text
    assert 'id="clock"' not in page
    assert "Offer a rematch" in page
    browser.open(f"/games/{m.id}/at/1")


def test_names_are_text_wherever_they_stand(browser: Browser, store) -> None:
    eve, ben = make_player(store, "<b>Eve</b>"), make_player(store, "Ben")
    game = games.create(store, eve, 2, "<i>Game</i>", None, "", [], False, NOW)["id"]
    m = Match(store, game, [eve, ben])
    messages.post(store, game, eve, "hello", NOW)
    enter(browser, m, 0)
    pages = [browser.open(f"/games/{game}").text]
    games.join(store, ben, game, "", None, NOW)
    m.play_turn()
    pages += [browser.open(f"/games/{game}{end}").text for end in ("", "/at/1", "/messages")]
    for page in pages:
        assert "&lt;b&gt;Eve&lt;/b&gt;" in page
        assert "<b>Eve" not in page
        assert "<i>Game" not in page
