"""As a cheater and as a mail scanner: looking changes nothing and shows nobody else's hand."""

import io
import itertools
import re
from datetime import UTC, datetime, timedelta

import pytest

from server import logs, metering
from server.board.words import words_of
from server.service.accounts import links, sessions
from server.service.admin import figures
from server.service.chat import messages
from server.service.seating import creating, invitations
from tests.routes.pages.conftest import (
    NOW,
    SQLITE,
    everything,
    give_address,
    read,
    sign_in,
    steady,
    turn_token,
)
from tests.tables import Invitation

CARD = words_of("en").card


def invitation_link(m, address):
    open_game = creating.create(m.store, m.players[0], 2, "Open", None, "", [], True, NOW)
    invitations.invite(m.store, m.players[0], open_game["id"], address, NOW)
    number = m.store.ask(lambda: Invitation.select().where(Invitation.address == address).get().id)
    return links.invitation_token(m.store, now=NOW, invitation_id=number, address=address)


@pytest.fixture
def pages(match, client, time):
    """A game in its middle, and an address of every kind of page."""
    m = match(3)
    stale = turn_token(m)
    m.play_turn()
    seat = m.active
    give_address(m.store, m.players[seat], "ann@example.org")
    give_address(m.store, m.players[(seat + 1) % 3], "ben@example.org")
    messages.post(m.store, m.id, m.players[0], "Hello!", NOW)
    token = turn_token(m)
    claim = links.address_claim("ann@example.org")
    sign_in(client, m.store, m.players[seat])
    return m, {
        "turn": f"/t/{token}",
        "push": f"/t/{token}/move/push/N2",
        "move": f"/t/{token}/move/swap/gray",
        "blocked push": f"/t/{token}/move/push/E3",
        "resign": f"/t/{token}/resign",
        "undo": f"/t/{token}/undo",
        "messages": f"/t/{token}/messages",
        "stale": f"/t/{stale}",
        "stale push": f"/t/{stale}/move/push/N1",
        "waiting": f"/t/{turn_token(m, (seat + 1) % 3)}",
        "confirm": "/confirm/" + links.make(m.store, "confirm", now=NOW, player=m.players[seat].id, address=claim),
        "sign-in": "/sign-in",
        "sign in here": "/sign-in/"
        + links.sign_in_token(
            m.store, now=NOW + timedelta(hours=1, minutes=30), player_id=m.players[seat].id, address="ann@example.org"
        ),
        "sign-out": "/sign-out",
        "me": "/me",
        "home": "/",
        "list": "/?list=running",
        "new": "/new",
        "join": f"/games/{m.id}/join",
        "draft": f"/t/{token}?ply={m.ply(seat)}&draft=push N1",
        "game": f"/games/{m.id}",
        "draft of the game": f"/games/{m.id}?ply={m.ply(seat)}&draft=push N1",
        "resign from the game": f"/games/{m.id}/resign",
        "position": f"/games/{m.id}/at/2",
        "position by a link": f"/t/{token}/at/2",
        "account": "/account",
        "tokens of the account": "/account/tokens",
        "end of the account": "/account/delete",
        "data of the account": "/account/export",
        "farewell": "/account/gone",
        "whole log": f"/games/{m.id}?log=all&done=note",
        "replays": "/replays",
        "rules": "/rules",
        "game's messages": f"/games/{m.id}/messages",
        "invitation": "/invitation/" + invitation_link(m, "dan@example.org"),
        "invitation of a player": "/invitation/" + invitation_link(m, "ben@example.org"),
        "unsubscribe": "/unsubscribe/"
        + links.make(m.store, "unsubscribe", now=NOW, player=m.players[seat].id, game=m.id),
        "style": "/static/ulm.css",
        "wrong": "/t/abc",
    }


@SQLITE
def test_looking_changes_nothing(pages, client):
    """GET and HEAD, once and again, as a browser, a scanner or a prefetch: every row of every table stays."""
    m, paths = pages
    before = everything(m.store)
    ways = itertools.product(({}, {"Sec-Purpose": "prefetch"}, {"Purpose": "prefetch", "User-Agent": "scanner"}),
                             ("GET", "HEAD", "OPTIONS"))  # fmt: skip
    for path, (headers, method) in itertools.product(paths.values(), [*ways, ({}, "GET")]):
        with client.open(path, method=method, headers=headers) as response:
            assert response.status_code < 500
            assert method != "HEAD" or response.data == b""
    assert everything(m.store) == before
    assert before["Mail"], "the comparison saw rows"
    elsewhere = {"push", "move", "blocked push", "stale push", "me", "join"}
    for name in paths.keys() - elsewhere - {"undo", "sign-out", "wrong"}:
        with client.get(paths[name]) as response:
            assert response.status_code == 200, name
    for name in elsewhere:
        with client.get(paths[name]) as response:
            assert response.status_code == 303, name
    # What only takes a form says so.
    assert client.get(paths["undo"]).status_code == client.get(paths["sign-out"]).status_code == 405


@SQLITE
def test_every_page_keeps_its_address_to_itself(pages, client):
    _, paths = pages
    for name, path in paths.items():
        if name in ("style", "data of the account"):
            continue
        response = client.get(path)
        if response.status_code == 303:
            continue
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert re.search(r"script-src 'nonce-[\w-]{22}';", policy)
        assert "unsafe" not in policy
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Frame-Options"] == "DENY"
        assert response.mimetype == "text/html"
        for tag, attributes in read(response).tags:
            assert tag not in ("iframe", "object", "embed", "base")
            if tag == "script":
                # What runs is a file; the map tells at which addresses these find each other.
                assert attributes.get("type") == "importmap" or attributes["src"].startswith("/static/js/"), name
            if tag in ("script", "style"):
                assert attributes["nonce"] in policy
            assert not [key for key in attributes if key.startswith("on") or key == "style"], (name, tag)
            for key in ("src", "href", "action", "srcset"):
                value = attributes.get(key) or ""
                # Nothing is loaded from elsewhere, and no link leads there: no Referer to fear either.
                assert not value or value.startswith(("/", "#", "?")), (name, tag, value)
                assert not value.startswith("//")


@SQLITE
def test_errors_are_pages_without_secrets(pages, client, app, monkeypatch):
    _, paths = pages
    token = paths["turn"][3:]
    for path in (
        "/t/" + token[:-2],
        f"/t/{token}/move/push/Q9",
        "/confirm/x",
        "/sign-in/x",
        "/invitation/x",
        "/nothing",
        "/games/abcabcabcabc/messages",
        f"/t/{token}/undo",
    ):
        response = client.get(path)
        assert response.status_code in (404, 405), path
        assert response.mimetype == "text/html", path
        assert "<h1>" in response.text
        assert "Traceback" not in response.text
        assert token not in response.text

    def broken(*_):
        raise RuntimeError("secret words")

    monkeypatch.setattr("server.service.views.turn_page.page_of_link", broken)
    response = client.get(paths["turn"])
    assert response.status_code == 500
    assert response.mimetype == "text/html"
    assert "secret words" not in response.text
    assert token not in response.text


@pytest.fixture
def log_lines():
    stream = io.StringIO()
    logs.configure("DEBUG", stream)
    return stream


@SQLITE
def test_no_token_is_in_logs_or_metrics(pages, client, browser, log_lines, monkeypatch):
    _m, paths = pages
    for path in paths.values():
        client.get(path).close()
    browser.open(paths["turn"])
    browser.press(browser.moves()[next(iter(browser.moves()))])
    browser.open("/sign-in")
    browser.press(browser.forms[0], email="ann@example.org")
    session = client.get_cookie("ulm_session").value
    monkeypatch.setattr("server.service.views.turn_page.page_of_link", lambda *_: 1 / 0)
    assert client.get(paths["turn"]).status_code == 500
    metrics = metering.text(figures.readings(_m.store, datetime.now(UTC)))
    text = log_lines.getvalue()
    assert "path=/t/<token> " in text
    assert "ZeroDivisionError" in text
    assert "game-pages.turn" in metrics
    tokens = [part for path in paths.values() for part in path.split("/") if len(part) >= 26]
    assert len(tokens) > 8
    for secret in (*tokens, session, "ann@example.org"):
        assert secret not in text
        assert secret not in metrics


@SQLITE
def test_a_hidden_draw_is_seen_in_no_page_of_others(match, browser, patrician):
    """record.md §4, for the pages: before and after the draw of another they are the same but for their nonces."""
    m = match(patrician.seats, seed=patrician.seed)
    m.follow(patrician.moves)
    seat = m.active
    others = [other for other in range(patrician.seats) if other != seat]
    tokens = {other: turn_token(m, other) for other in others}

    def shown(other):
        browser.client.set_cookie("ulm_session", session[other])
        pages: list[str | bytes] = []
        ply = m.ply(other)
        for path in (
            f"/t/{tokens[other]}",
            f"/t/{tokens[other]}?ply={ply}&draft=push N1",
            f"/games/{m.id}",
            f"/games/{m.id}?ply={ply}&draft=push N1",
            f"/games/{m.id}/at/{ply}",
            "/",
            "/pulse",
            f"/games/{m.id}/pulse",
            f"/t/{tokens[other]}/pulse",
        ):
            pages.append(steady(browser.open(path).text))
            assert browser.moves() == {}
        pages.append(browser.client.get(f"/games/{m.id}/since").get_data())
        assert browser.client.get(f"/games/{m.id}/at/{ply + 1}").status_code == 404
        return pages

    session = {other: sessions.new_session(m.store, m.players[other].id, NOW) for other in others}
    before = {other: shown(other) for other in others}
    m.play(seat, "draw")
    assert {other: shown(other) for other in others} == before
