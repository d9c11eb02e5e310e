"""The first page, making and joining games, and playing at once."""

import re
from datetime import timedelta
from html import unescape

import pytest

from server.routes.pages.lobby.new_game import PERSON
from server.service.accounts import profiles, sessions
from server.service.archive import replay_lists
from server.service.common.naming import LEVELS
from server.service.lists import game_page
from server.service.play import turns
from server.service.seating import creating, joining
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage.times import parse_utc
from tests.routes.pages.conftest import NOW, Browser, read, sign_in
from tests.service.conftest import make_player
from tests.tables import Game, Player


def send(browser, action, follow=False, **fields):
    """Send the form of the present page that goes there, with these fields alone."""
    found = next(form for form in browser.forms if form.action == action)
    kept = {name: found.fields[name] for name in ("form", "invitation") if name in found.fields}
    browser.response = browser.client.post(
        action, data={**kept, **fields}, headers=Browser.HEADERS, follow_redirects=follow
    )
    return browser.response


def game_of(answer):
    assert answer.status_code == 303, answer.text[-500:]
    return re.fullmatch(r"/games/(\w+)", answer.headers["Location"])[1]


def alerts(answer):
    """What is told beside fields."""
    return [unescape(text) for text in re.findall(r'class="wrong"[^>]*>([^<]*)<', answer.text)]


# The first page


def test_a_stranger_is_told_what_this_is_and_may_play_at_once(store, browser):
    ensure_example(store, NOW)
    page = browser.open("/")
    assert page.text.count("Play against bots now") == 1
    assert {"/sign-in", "/new", "/rules", "/replays", f"/replays/{EXAMPLE_ID}"} <= set(read(page).links)
    [picture] = {found["src"] for tag, found in read(page).tags if tag == "img"}
    answer = browser.client.get(picture)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert browser.client.get("/picture/whole-pink-en.svg").status_code == 404


def test_own_games_come_first_and_say_whose_turn_it_is(match, browser):
    m = match(2)
    seat = m.active
    sign_in(browser.client, m.store, m.players[seat])
    page = browser.open("/").text
    assert "(1) Your games" in page
    assert re.search(rf'href="/games/{m.id}">Play your turn', page)
    sign_in(browser.client, m.store, m.players[1 - seat])
    page = browser.open("/").text
    assert "Play your turn" not in page
    assert f"Player {seat} is to move" in page


def test_a_deadline_is_told_by_the_readers_clock(store, browser):
    ann = make_player(store, "Ann")
    profiles.update_profile(store, ann, {"preferences": {"time_zone": "Asia/Tokyo"}}, NOW)
    creating.create(store, ann, 2, "Clocked", None, "", ["steady"], False, NOW, clock={"turn_hours": 24})
    sign_in(browser.client, store, ann)
    page = browser.open("/").text
    assert "until Sun, 22 Nov 2026, 18:30" in page
    assert "22 hours left" in page


def test_private_games_show_to_nobody_else(store, browser):
    ann, eve = make_player(store, "Ann"), make_player(store, "Eve")
    creating.create(store, ann, 2, "Conspiracy", None, "", [], True, NOW)
    running = creating.create(store, ann, 3, "Secret play", None, "", ["steady", "steady"], True, NOW)["id"]
    for player in (None, eve):
        if player is not None:
            sign_in(browser.client, store, player)
        for path in ("/", "/?list=open", "/?list=watch"):
            page = browser.open(path).text
            assert "Conspiracy" not in page
            assert "Secret play" not in page
        assert browser.client.get(f"/games/{running}/join").status_code == 404
    sign_in(browser.client, store, ann)
    assert "Conspiracy" in browser.open("/").text


def test_a_list_has_pages(store, browser):
    ann = make_player(store, "Ann")
    for number in range(45):
        creating.create(store, ann, 2, f"Game {number:02}", None, "", [], False, NOW + timedelta(minutes=number))
    assert "/?list=open" in read(browser.open("/")).links
    seen = []
    path = "/?list=open"
    for _ in range(3):
        page = browser.open(path)
        seen += re.findall(r"<h3><a[^>]*>(Game \d\d)", page.text)
        after = [found["href"] for tag, found in read(page).tags if tag == "a" and found.get("rel") == "next"]
        path = after[0] if after else ""
    assert path == ""
    assert seen == [f"Game {number:02}" for number in reversed(range(45))]
    for wrong in ("/?list=open&page=4", "/?list=open&page=0", "/?list=open&page=x", "/?list=open&page=²",
                  "/?list=turns", "/?list=nonsense"):  # fmt: skip
        browser.open(wrong, 404)


def test_a_finished_game_leads_to_its_replay_and_a_sandbox_stands_apart(store, browser):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 2, "Short", None, "", ["steady"], False, NOW)["id"]
    ply = game_page.page(store, game, ann)["ply"]
    turns.play(store, game, ann, ply, ["resign"], None, NOW)
    assert replay_lists.summary(store, game)["result"]
    left = creating.create(store, ann, 2, "Left", None, "", [], False, NOW)["id"]
    joining.leave(store, ann, left, NOW)
    sign_in(browser.client, store, ann)
    page = browser.open("/")
    assert f"/replays/{game}" in read(page).links
    assert "Your finished games" in page.text


# Playing at once


@pytest.mark.parametrize(("wish", "seats"), [("2", 2), ("3", 3), ("4", 4), ("9", 3), ("", 3)])
def test_one_click_makes_a_guest_a_game_and_a_session(store, browser, wish, seats):
    browser.open("/")
    answer = send(browser, "/guest", seats=wish, time_zone="Europe/Rome")
    game = game_of(answer)
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    [player] = list_of(store, Player)
    assert player.name.startswith("Guest ")
    assert "Europe/Rome" in player.preferences
    page = game_page.page(store, game, sessions.player_by_id(store, player.id))
    assert (page["status"], page["seats"], page["seat"]) == ("running", seats, 0)
    shown = browser.open("/")
    assert "Keep your games" in shown.text
    assert f"/games/{game}" in read(shown).links
    assert browser.open(f"/games/{game}").status_code == 200


def list_of(store, model):
    with store.read():
        return list(model.select())


@pytest.mark.parametrize(
    ("bot", "rules", "kind", "tower"),
    [("random", "advanced", "random", True), ("steady", "basic", "steady", False), ("", "", "apprentice", False),
     ("deep", "tower", "apprentice", False), ("master", "basic", "master", False)],
)  # fmt: skip
def test_bots_and_rules_are_chosen_with_the_same_click(store, browser, bot, rules, kind, tower):
    browser.open("/")
    game = game_of(send(browser, "/guest", seats="3", bot=bot, rules=rules))
    page = game_page.page(store, game, None)
    assert [place["bot"] for place in page["players"]] == [None, kind, kind]
    assert page["options"] == {"rotate_start": False, "tower": tower}


def test_the_master_is_one_click_away(store, browser):
    """Whatever is chosen beside that button: the form sends it all."""
    for player in (None, make_player(store, "Ann")):
        if player is not None:
            sign_in(browser.client, store, player)
        page = browser.open("/").text
        [value] = re.findall(r'name="duel" value="(\w+)">Duel with the master builder<', page)
        game = game_of(send(browser, "/guest", seats="4", bot="random", rules="advanced", duel=value))
        page = game_page.page(store, game, None)
        assert [place["bot"] for place in page["players"]] == [None, "master"]
        assert page["options"]["tower"] is True


def test_somebody_signed_in_plays_as_who_they_are(store, browser):
    ann = make_player(store, "Ann")
    sign_in(browser.client, store, ann)
    browser.open("/")
    game = game_of(send(browser, "/guest", seats="2"))
    assert game_page.page(store, game, ann)["seat"] == 0
    assert len(list_of(store, Player)) == 1


@pytest.mark.parametrize(("path", "wish"), [("/", "/guest"), ("/new", "/new")])
def test_one_form_makes_one_game(store, browser, path, wish):
    """Sent again by a reload or a way back, it leads to the game that there is; filled in otherwise, to another."""
    sign_in(browser.client, store, make_player(store, "Ann"))
    browser.open(path)
    [form] = [form for form in browser.forms if form.action == wish]
    first, again = (game_of(browser.press(form, follow=False, second="random")) for _ in range(2))
    assert first == again
    assert game_of(browser.press(form, follow=False, seats="4", second="random", third="random")) != first
    browser.open(path)
    [fresh] = [form for form in browser.forms if form.action == wish]
    assert game_of(browser.press(fresh, follow=False, second="random")) != first


def test_a_slash_too_much_leads_to_the_page(store, browser):
    """`/replays/`, `/new/` were 404."""
    for path, place in (("/new/", "/new"), ("/replays/?page=2", "/replays?page=2"), ("/rules//", "/rules")):
        answer = browser.open(path, 308)
        assert answer.headers["Location"] == place
    for path in ("/nothing/", "/api/v1/games/"):
        browser.open(path, 404)
    answer = browser.client.get("/", environ_overrides={"PATH_INFO": "//new/"})
    assert answer.headers["Location"] == "/new"  # and not to another site


# Making a game


WISH = {"second": "person", "third": "nobody", "fourth": "nobody", "clock": "none"}


def make(browser, **fields):
    browser.open("/new")
    return send(browser, "/new", **{**WISH, **fields})


def test_a_stranger_makes_a_game_with_a_name(store, browser):
    game = game_of(make(browser, your_name="Ann", second="steady", third="person", tower="on", private="on",
                        clock="three_days", client_seed="some words"))  # fmt: skip
    [ann] = list_of(store, Player)
    page = game_page.page(store, game, sessions.player_by_id(store, ann.id))
    assert (page["name"], page["seats"], page["private"], page["status"]) == ("Game of Ann", 3, True, "open")
    assert page["options"] == {"rotate_start": False, "tower": True}
    assert page["clock"]["turn_hours"] == 72
    assert [place and (place["name"], place["bot"]) for place in page["players"]] == [
        ("Ann", None), ("steady bot", "steady"), None]  # fmt: skip


def test_every_bot_can_be_chosen(browser):
    offered = re.findall(
        r'<option value="(\w+)"', re.findall(r"<select.*?</select>", browser.open("/new").text, re.S)[0]
    )
    assert set(offered) == {PERSON, *LEVELS}


def test_a_clock_of_ones_own(store, browser):
    ann = make_player(store, "Ann")
    sign_in(browser.client, store, ann)
    game = game_of(make(browser, name="Slow", clock="own", turn_hours="36", reserve_hours="", vacation_days="7",
                        reminders="25; 80 %", on_timeout="resign", night_from="23:00", night_to="06:30",
                        start_by="2026-12-01", weekends_off="on", due_time="20:00"))  # fmt: skip
    assert game_page.page(store, game, ann)["clock"] == {
        "turn_hours": 36, "reserve_hours": 0, "vacation_days": 7, "reminders": [0.25, 0.8], "on_timeout": "resign",
        "night": {"from": "23:00", "to": "06:30"}, "start_by": "2026-12-01T23:59:00Z",
        "weekends_off": True, "due_time": "20:00",
    }  # fmt: skip


WRONG = {
    "nobody else": {"second": "nobody"},
    "no such bot": {"second": "deep_thought"},
    "no clock of this name": {"clock": "soon"},
    "no number": {"clock": "own", "turn_hours": "1e2"},
    "the same reminder twice": {"clock": "own", "turn_hours": "24", "reminders": "50 50"},
    "half a night": {"clock": "day", "night_from": "22:00"},
    "no hour of the day": {"clock": "day", "due_time": "25:00"},
    "an hour of the night": {"clock": "day", "due_time": "23:00", "night_from": "22:00", "night_to": "07:00"},
    "a day that is past": {"clock": "day", "start_by": "2026-11-01"},
    "the last day": {"clock": "day", "start_by": "9999-12-31"},
    "a long name": {"name": "x" * 61},
    "a long seed": {"client_seed": "x" * 65},
    "no name of one's own": {"your_name": " "},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_made(store, browser, fields):
    answer = make(browser, **{"your_name": "Ann <b>", "reserve_hours": "12", **fields})
    assert answer.status_code == 422
    assert len(alerts(answer)) == 1
    assert alerts(answer)[0].endswith(".")
    assert list_of(store, Player) == list_of(store, Game) == []
    if "your_name" not in fields:
        assert 'value="Ann &lt;b&gt;"' in answer.text, "what was typed stays"


# Taking a seat


def test_a_stranger_joins_with_a_name(store, browser):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 2, "Friday", {"tower": True}, "", [], False, NOW, clock={"turn_hours": 24})["id"]
    page = browser.open(f"/games/{game}/join")
    assert "advanced game" in page.text
    assert "1 day a turn" in page.text
    assert game_page.page(store, game, ann)["commitment"] in page.text, "to be noted before one's share is given"
    assert any(link.startswith("/sign-in?next=/games/") for link in read(page).links)
    assert game_of(send(browser, f"/games/{game}/join", name="Ben")) == game
    assert [place["name"] for place in game_page.page(store, game, ann)["players"]] == ["Ann", "Ben"]
    assert browser.client.get(f"/games/{game}/join").headers["Location"] == f"/games/{game}"
    assert browser.open(f"/games/{game}").status_code == 200


def test_a_private_game_is_joined_by_its_invitation(store, browser):
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    made = creating.create(store, ann, 3, "Hidden", None, "", [], True, NOW)
    path = f"/games/{made['id']}/join"
    browser.open(path, 404)
    browser.open(f"{path}?invitation=wrong", 404)
    sign_in(browser.client, store, ben)
    short = browser.client.get(f"/games/{made['id']}?invitation={made['invitation']}")
    assert short.headers["Location"] == f"{path}?invitation={made['invitation']}"
    browser.open(short.headers["Location"])
    assert "You join as <strong>Ben</strong>" in browser.response.text
    game_of(send(browser, path))
    assert game_page.page(store, made["id"], ben)["seat"] == 1


# Lists: where a game stands


def test_a_card_shows_round_points_and_square(match, browser):
    m = match(3)
    while m.page(m.active)["round"] < 3:
        m.play_turn()
    view = m.page(m.active)["view"]
    sign_in(browser.client, m.store, m.players[m.active])
    page = browser.open("/").text
    card = page.partition('class="game-card urgent"')[2]
    assert "Round 3 of 10" in card
    points = [player["vp"] for player in view["players"]]
    lead = points[m.active] - max(points[: m.active] + points[m.active + 1 :])
    said = f"you lead by {lead}" if lead > 0 else f"you are {-lead} behind" if lead else "you are level"
    assert f"<b>{said}</b>" in card
    assert re.findall(r'<b class="points">(\d+)<', page)[:3] == [str(player["vp"]) for player in view["players"]]
    shown = re.findall(r'<g class="t-(\w+)"', card)[:9]
    assert shown == [color for row in view["grid"] for color in row]


def test_who_hosts_and_gets_no_mail_is_told_so(store, browser):
    said = "no mail reaches you"
    assert said in browser.open("/new").text  # a stranger, who is to be a guest
    ann = make_player(store, "Ann")
    sign_in(browser.client, store, ann)
    game = creating.create(store, ann, 2, None, None, "", [], False, NOW)["id"]
    for change, told in (
        ({"email": None}, said),
        ({"email": "ann@example.org"}, "until you have confirmed your address"),
        ({"email_confirmed_at": NOW}, None),
        ({"mail_stopped_at": NOW}, "because the last one came back"),
    ):
        with store.write():
            Player.update(change).execute()
        for path in ("/new", f"/games/{game}"):
            page = browser.open(path).text
            assert told in page if told else "mail reaches you" not in page


# Too late


def test_who_comes_late_reads_what_the_game_is_and_where_to_go(store, match, browser):
    m = match(2)
    page = browser.open(f"/games/{m.id}/join").text
    assert "This game has begun" in page
    assert f"/games/{m.id}" in read(page).links
    m.play_turn()
    m.play(m.active, "resign")
    page = browser.open(f"/games/{m.id}/join").text
    assert "This game is over." in page
    assert f"/replays/{m.id}" in read(page).links
    private = match(2, private=True)
    key = store.ask(lambda: Game.get_by_id(private.id).invitation)
    page = browser.open(f"/games/{private.id}/join?invitation={key}").text
    assert "This game has begun" in page
    assert f"/games/{private.id}" not in read(page).links, "it is not for their eyes"
    ann = make_player(store, "Ann")
    gone = creating.create(store, ann, 2, "Gone", None, "", [], False, NOW)["id"]
    joining.leave(store, ann, gone, NOW)
    assert "This game was given up." in browser.open(f"/games/{gone}/join").text
    page = browser.open(f"/games/{gone}").text
    assert "It was given up before it began." in page
    assert "/new" in read(page).links


def test_games_to_watch_show_a_sign_of_life(match, browser, time):
    m = match(2)
    m.play_turn()
    hidden = match(2, private=True)
    hidden.play_turn()
    ended = [one["at"] for one in game_page.log(m.store, m.id, None)["moves"] if one["move"] == "end"]
    time.now = parse_utc(ended[-1]) + timedelta(minutes=7)
    page = browser.open("/").text
    assert "1 game to watch is under way</a>, last turn 7 minutes ago." in page
    assert f'href="/games/{m.id}">Watch<' in page
    m.play(m.active, next(move for move in m.legal(m.active) if move != "resign"))
    assert "last turn 7 minutes ago." in browser.open("/").text, "of moves within a turn nothing is told"
