"""As an attacker: forms from elsewhere, frames of others, names that are code, addresses that a header makes up."""

import html
import re
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from itsdangerous import Signer

from server.app import create_app
from server.routes.http import browser_session
from server.service.accounts import links, sessions
from server.service.archive import kept_records, puzzles, replays
from server.service.chat import messages
from server.service.seating import creating, invitations
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.routes.pages.conftest import (
    Browser,
    everything,
    give_address,
    read,
    sign_in,
    steady,
    turn_token,
)
from tests.service.conftest import NOW, make_player
from tests.tables import Game, Invitation, Message, Player, Seat

HOSTILE = """x" onload="alert(1)"><script>alert('&quot;')</script>"""


VALUES = {"secret": "none", "size": "192", "channel_id": 1, "slot": "N2", "words": "end", "ply": 0,
          "crop": "whole", "lesson": 1, "theme": "dark", "code": "en",
          "rule_id": "A5", "chapter": "turn", "which": "today", "player_id": "master", "act": "start",
          "tournament_id": "none", "day": "2026-11-21", "month": "2026-11", "collection_id": "none"}  # fmt: skip
"""What stands in addresses, but for games and tokens."""


def rules(app, method):
    """The pages' own addresses that take `method`."""
    return [
        rule
        for rule in app.url_map.iter_rules()
        if method in rule.methods and not rule.rule.startswith(("/api", "/static", "/spool"))
    ]


def address(rule, **values):
    """An address of a rule, with these values for its parts."""
    return re.sub(r"<(?:[^:<>]*(?:\([^)]*\))?:)?(\w+)>", lambda part: str(values[part[1]]), rule.rule)


# Forms from elsewhere


def test_no_form_is_taken_from_elsewhere(app, match, client, time):
    """Every address that takes a form: without our token, with one made for another visitor, sent by another site."""
    m = match(2)
    seat = m.active
    token, player = turn_token(m), m.players[seat]
    session = sessions.new_session(m.store, player.id, NOW)
    client.set_cookie("ulm_session", session)
    # Another visitor has tokens for each kind of form: that of strangers, of their own session, of their own link.
    own = [sessions.form_token(secret, NOW) for secret in (
        "nobody", "sign-in", "", sessions.new_session(m.store, m.players[1 - seat].id, NOW),
        turn_token(m, 1 - seat))]  # fmt: skip
    right = [sessions.form_token(secret, NOW) for secret in (session, token, "nobody", "sign-in")]
    data = {"ply": m.ply(seat), "move": m.legal(seat)[0], "key": "12345678", "text": "hi", "note": "x", "mail": "mute",
            "address": "x@example.org", "email": "x@example.org", "name": player.name, "wish": "all", "seats": "2",
            "second": "steady", "everywhere": "1", "remove": "1", "kind": "blocked", "language": "de",
            "theme": "dark"}  # fmt: skip
    purposes = {
        "confirm": {"player": player.id, "address": "x"},
        "unsubscribe": {"player": player.id},
        "sign-in": {"player": player.id, "address": "x"},
        "invitation": {"invitation": 1},
    }
    links_held = {
        kind: links.make(m.store, kind.replace("-", "_"), now=NOW, **claims) for kind, claims in purposes.items()
    }
    before = everything(m.store)
    tried = 0
    for rule in rules(app, "POST"):
        held = links_held.get(rule.rule.split("/")[1], token)
        path = address(
            rule, game_id=m.id, token=held, number="1", token_id="1", session_id="1", handle="hal", channel_id="1",
            player_id=m.players[1 - seat].id, tournament_id="none", act="start", collection_id="1",
        )  # fmt: skip
        for_strangers = rule.rule in ("/look", "/sign-in")
        wrong = [None, "", "x", *([] if for_strangers else own)]
        for form in wrong:
            sent = data if form is None else {**data, "form": form}
            answer = client.post(path, data=sent, headers=Browser.HEADERS)
            assert answer.status_code == 403, (path, form)
        for form in (*right, sessions.form_token(held, NOW)):
            for headers in (
                {"Origin": "https://evil.example"},
                {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
                {"Origin": "null", "Sec-Fetch-Site": "same-site"},
            ):
                answer = client.post(path, data={**data, "form": form}, headers=headers)
                assert answer.status_code == 403, (path, headers)
        tried += 1
    assert tried > 30
    assert everything(m.store) == before


@pytest.mark.parametrize("signed", ["garbage", "", "2026-01-01", "2026-11-21T09:30", "\xff"])
def test_a_form_that_anybody_can_sign_is_read_with_care(client, signed):
    """Strangers' forms are signed with a word, not with a secret: what is signed is whatever somebody wrote."""
    form = Signer("sign-in", salt="ulm form", key_derivation="hmac", digest_method=sha256).sign(signed).decode()
    answer = client.post("/sign-in", data={"form": form, "email": "ann@example.org"}, headers=Browser.HEADERS)
    assert answer.status_code == 403


def test_only_what_is_made_for_frames_can_be_framed(app, match, client, store, time):
    """And what can be has nothing to press that does anything: no form, and nothing of who is signed in."""
    ensure_example(store, NOW)
    m = match(2)
    sign_in(client, m.store, m.players[0])
    values = {**VALUES, "token": turn_token(m)}
    framed = []
    for rule in rules(app, "GET"):
        for game_id in (m.id, EXAMPLE_ID):
            if rule.rule.endswith(("/stream", "/export.gif", "/export.html")):
                continue
            with client.get(address(rule, game_id=game_id, **values)) as answer:
                assert answer.status_code < 500
                if "X-Frame-Options" in answer.headers:
                    assert answer.headers["X-Frame-Options"] == "DENY"
                else:
                    framed.append(answer.request.path)
                    assert read(answer).forms == []
                    assert m.players[0].name not in answer.text
                if answer.mimetype == "text/html" and answer.status_code != 303:
                    assert "'unsafe" not in answer.headers["Content-Security-Policy"]
    assert framed == [f"/embed/{EXAMPLE_ID}"]


# Names that are code


_SHAPES = re.compile(
    r'</?(?:circle|ellipse|g|line|path|polygon|polyline|rect|use)\b(?: [a-z-]+="[\w .,:;#()%+-]*")*/?>'
)
"""What pictures are made of, most of a page with a board, as long as nothing that could be code stands in it."""


class _Frame(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(_SHAPES.sub("", text))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def test_the_code_for_other_sites_brings_no_code_of_the_games_name(store, browser):
    """Whoever pastes it into a page of theirs gets a frame, whatever the game is called."""
    ensure_example(store, NOW)
    with store.write():
        Game.update(name=HOSTILE, title=None).where(Game.id == EXAMPLE_ID).execute()
    for query in ("", "?ply=3&seat=1"):
        page = browser.open(f"/replays/{EXAMPLE_ID}{query}").text
        found = re.search(r'<textarea id="code"[^>]*>(.*?)</textarea>', page, re.DOTALL)
        code = html.unescape(found[1])
        [(tag, attributes)] = _Frame(code).tags
        assert tag == "iframe"
        assert attributes.keys() == {"src", "width", "height", "title", "loading"}
        assert attributes["title"] == HOSTILE
        assert f"/embed/{EXAMPLE_ID}?ply=" in (attributes["src"] or "")


# Addresses that a header makes up


def test_nobody_chooses_where_the_links_of_others_lead(settings, store, match, time):
    """Behind a proxy that passes on what its callers send, the one who sends it is the only one who gets it."""
    app = create_app(replace(settings, proxy_hops=1), store)
    app.extensions["ulm.now"] = time
    ensure_example(store, NOW)
    m = match(2)
    client = app.test_client()
    sign_in(client, store, m.players[m.active])
    paths = ("/", "/rules", "/sign-in", "/account", f"/games/{m.id}", f"/games/{m.id}/at/1",
             f"/replays/{EXAMPLE_ID}", f"/embed/{EXAMPLE_ID}", f"/games/{m.id}/messages")  # fmt: skip
    evil = {"X-Forwarded-Prefix": "//evil.example", "X-Forwarded-Host": "evil.example"}
    for headers in (evil, {}):  # what is kept of pages is kept by the first who asks
        for path in paths:
            page = client.get(path, headers=headers)
            assert page.status_code == 200
            assert bool(headers) or "evil.example" not in page.text, path
    stranger = app.test_client()
    for path in ("/", "/rules", f"/replays/{EXAMPLE_ID}"):
        stranger.get(path, headers=evil)
        assert "evil.example" not in steady(stranger.get(path).text), path


@pytest.mark.parametrize("wish", [
    "//evil.example", "/\\evil.example", "https://evil.example/", "/\t/evil.example", "\\\\evil.example",
    "javascript:alert(1)", "/x\r\nSet-Cookie: a=b", " //evil.example", "/%0d%0aLocation:x\n",
])  # fmt: skip
def test_nobody_is_sent_elsewhere(match, client, time, wish):
    m = match(2)
    form = sessions.form_token("nobody", NOW)
    answer = client.post("/look", data={"form": form, "language": "de", "back": wish}, headers=Browser.HEADERS)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    forms = read(client.get("/sign-in", query_string={"next": wish})).forms
    assert [one.fields.get("next", "") for one in forms if one.action == "/sign-in"] == [""]
    session = sessions.new_session(m.store, m.players[0].id, NOW)
    client.set_cookie("ulm_session", session)
    form = sessions.form_token(session, NOW)
    answer = client.post(f"/games/{m.id}/note", data={"form": form, "note": "x", "back": wish}, headers=Browser.HEADERS)
    assert answer.headers["Location"] == f"/games/{m.id}?done=note#note"


def test_a_table_of_others_is_nobodys_business(match, client, time, app):
    """A private game is nowhere for somebody who plays elsewhere: 404 at every address of it, to look at or to send."""
    m = match(2, private=True)
    player = make_player(m.store, "Elsewhere")
    waiting = creating.create(m.store, m.players[0], 3, "Ours", None, "", [], True, NOW)["id"]
    session = sessions.new_session(m.store, player.id, NOW)
    client.set_cookie("ulm_session", session)
    form = sessions.form_token(session, NOW)
    data = {"form": form, "ply": "0", "move": "draw", "key": "12345678", "text": "hi", "note": "x", "mail": "mute",
            "address": "x@example.org"}  # fmt: skip
    before = everything(m.store)
    tried = 0
    for game_id in (m.id, waiting):
        for method in ("GET", "POST"):
            for rule in rules(app, method):
                if "game_id" not in rule.arguments:
                    continue
                path = address(rule, **{**VALUES, "game_id": game_id})
                answer = client.open(
                    path, method=method, data=data if method == "POST" else None, headers=Browser.HEADERS
                )
                assert answer.status_code == 404, (method, path)
                assert "Ours" not in answer.text
                tried += 1
    assert tried > 40
    assert everything(m.store) == before


def test_names_and_texts_are_text_on_every_page(app, match, client, time):
    """Whatever people and games are called and say, pages have the same elements with the same attributes."""
    ensure_example(app.extensions["ulm.store"], NOW)
    puzzles.ensure_puzzles(app.extensions["ulm.store"], NOW)
    m = match(2)
    m.play_turn()
    seat = m.active
    session = sessions.new_session(m.store, m.players[seat].id, NOW)
    client.set_cookie("ulm_session", session)
    waiting = creating.create(m.store, m.players[1 - seat], 3, "Waiting", None, "", [], False, NOW)["id"]
    values = {**VALUES, "token": turn_token(m), "ply": 2, "player_id": m.players[1 - seat].id}
    message = messages.post(m.store, m.id, m.players[1 - seat], "hello", NOW)["id"]
    short = match(2)
    short.play_turn()
    short.play(0, "resign")
    imported = kept_records.keep(m.store, m.players[1 - seat], _foreign(replays.record(m.store, short.id)), NOW)["id"]

    def call_everything(text):
        with m.store.write():
            Game.update(name=text).execute()
            Seat.update(name=text, note=text).where(Seat.name.is_null(False)).execute()
            Player.update(name=text).execute()
            Message.update(text=text).where(Message.id == message).execute()

    def structure():
        found = {}
        client.delete_cookie("ulm_sheets")  # each time as a browser that has no style sheet yet, and then has them
        for rule in rules(app, "GET"):
            if rule.rule.endswith(("/stream", "/export.gif", "/frames", "/record", "/states")):
                continue
            for game_id in (m.id, EXAMPLE_ID, imported, waiting) if "game_id" in rule.arguments else ("",):
                for query in ("", "?ply=5&seat=1", f"?ply={m.ply(seat)}&draft=push N1"):
                    if rule.rule.endswith("/export.html") and (query or game_id != imported):
                        continue  # seconds each: the one that another server has named is enough
                    path = address(rule, game_id=game_id, **values) + query
                    with client.get(path) as answer:
                        if answer.status_code == 200 and answer.mimetype == "text/html":
                            found[path] = [(tag, sorted(attributes)) for tag, attributes in _Frame(answer.text).tags]
                            assert not [tag for tag, names in found[path] if {"onload", "onerror"} & {*names}], path
        return found

    hostile = HOSTILE + "'-alert(1)-'{{7*7}}${7*7}%(name)s\\u003cb"
    call_everything("W" * len(hostile))
    plain = structure()
    assert {path.split("/")[1].split("?")[0] for path in plain} >= {"", "games", "t", "replays", "embed", "account"}
    call_everything(hostile)
    changed = structure()
    assert changed.keys() == plain.keys()
    assert [path for path in plain if changed[path] != plain[path]] == []


def _foreign(record):
    """The record as another server might have given it, as hostile as it can be."""
    return {**record, "id": HOSTILE, "name": HOSTILE, "players": [{"name": HOSTILE} for _ in record["players"]]}


def test_who_signs_out_leaves_no_drafts_in_the_browser(match, client, time):
    m = match(2)
    session = sessions.new_session(m.store, m.players[0].id, NOW)
    client.set_cookie("ulm_session", session)
    form = sessions.form_token(session, NOW)
    answer = client.post("/sign-out", data={"form": form}, headers=Browser.HEADERS)
    assert answer.status_code == 303
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert "ulm_session=;" in answer.headers["Set-Cookie"]


def test_what_is_kept_by_a_cookie_is_as_long_as_one_of_ours(app, browser, match):
    m = match(2)
    browser.client.set_cookie("ulm_session", "x" * 3_000)
    browser.open(f"/games/{m.id}")
    browser.open("/")
    assert browser.press(browser.button("Play")).status_code == 200, "the form is good for its cookie all the same"
    with app.test_request_context(headers={"Cookie": f"ulm_session={'x' * 3_000}"}):
        assert len(browser_session.session_secret()) == sessions.TOKEN_MAX
        session = sessions.new_session(m.store, m.players[0].id, NOW)
    with app.test_request_context(headers={"Cookie": f"ulm_session={session}"}):
        assert browser_session.session_secret() == session


def test_nobody_is_given_another_session_from_elsewhere(app, match, browser, client, time):
    """Over plain HTTP a browser says of a form neither where it comes from nor, by our policy, its origin. The tokens
    of these forms anybody can have: what tells them apart is a cookie that is sent from our own pages alone."""
    m = match(2)
    waiting = creating.create(m.store, m.players[0], 3, "Open", None, "", [], False, NOW)["id"]
    link = links.sign_in_token(m.store, now=time.now, player_id=m.players[0].id, address="eve@example.org")
    give_address(m.store, m.players[0], "eve@example.org")
    invitations.invite(m.store, m.players[0], waiting, "eve2@example.org", NOW)
    number = m.store.ask(lambda: Invitation.get().id)
    invitation = links.invitation_token(m.store, now=NOW, invitation_id=number, address="eve2@example.org")
    paths = {"/guest": "nobody", "/new": "nobody", f"/games/{waiting}/join": "nobody", f"/sign-in/{link}": link,
             f"/invitation/{invitation}": invitation}  # fmt: skip
    before = everything(m.store)
    for path, secret in paths.items():
        form = sessions.form_token(secret, NOW)  # the attacker's own: it is bound to nothing of the victim's
        data = {"form": form, "name": "Eve", "your_name": "Eve", "second": "steady", "clock": "none", "seats": "2"}
        for headers in ({"Origin": "null"}, {}):
            answer = app.test_client().post(path, data=data, headers=headers)
            assert answer.status_code == 403, path
            assert "ulm_session" not in answer.headers.get("Set-Cookie", "")
    assert everything(m.store) == before
    # From our own page it goes: the cookie comes with the page, and is for such browsers alone.
    strict = browser.open("/").headers["Set-Cookie"]
    assert "ulm_here=1" in strict
    assert "SameSite=Strict" in strict
    assert browser.press(browser.button("Play"), headers={"Origin": "null"}).status_code == 200
    modern = app.test_client().get("/", headers={"Sec-Fetch-Site": "none"})
    assert [one for one in modern.headers.getlist("Set-Cookie") if not one.startswith("ulm_sheets=")] == []
