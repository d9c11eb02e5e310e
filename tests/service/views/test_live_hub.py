"""Who follows games is told what changes for their eyes, at once and once, and nothing else; whoever may look no more
is told no more."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from server.service.accounts import links, sessions, tokens
from server.service.accounts.links import BadLinkError
from server.service.chat import messages
from server.service.common import change_signal
from server.service.common.errors import NotFound
from server.service.lists import game_page
from server.service.lists.game_page import INCLUDES
from server.service.play import turns
from server.service.play.turns import undo
from server.service.seating import creating, joining
from server.service.views import live_events
from server.service.views.live_events import AccountSubscription, GameSubscription, PageSubscription, Subscription
from server.service.views.live_hub import Follower, Hub
from server.service.views.turn_page import LinkOverError
from tests.service.conftest import Match, Start

BASE = "/api/v1"
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
END = "the end"


class Watched:
    """Followers of a match whose clock is moved by hand; `heard` has what each is told, with the second."""

    def __init__(self, m: Match) -> None:
        self.m, self.now = m, 0
        self.hub = Hub(m.store, beat=7, clock=lambda: self.now, by_hand=True)
        self.opened: list[Follower] = []

    def follow(
        self,
        sight: Subscription,
        seconds: float = 20,
        still: Callable[[], bool] = lambda: True,
        seen: str | None = None,
    ) -> list[Any]:
        """What is told from now on: `(second, events)`, heartbeats being no events."""
        follower = self.hub.follow(sight, seen, seconds, still)
        heard: list[Any] = [(self.now, follower.first)] if follower.first else []
        self.opened.append(follower)
        follower.begin(lambda told: heard.append((self.now, told)), lambda: heard.append((self.now, END)))
        return heard

    def to(self, second: int) -> None:
        """Let the time go on, second by second."""
        while self.now < second:
            self.now += 1
            self.hub.turn()


def watch(m: Match, seat: int | None, then: Callable[[], Any], signal: bool = False) -> list[Any]:
    """What a watcher with the eyes of `seat` hears in twenty seconds; `then` happens in the third, and is noticed by
    its signal, or by the marks that it leaves."""
    player = None if seat is None else m.players[seat]
    watched = Watched(m)
    heard = watched.follow(
        GameSubscription(m.store, m.id, player), seen=live_events.glance(m.store, m.id, player)["tag"]
    )
    watched.to(2)
    then()
    if signal:
        watched.hub.touch(m.id)
        watched.hub.turn()
    watched.to(25)
    assert watched.hub.following == 0
    return heard


def glances(heard: list[Any]) -> list[Any]:
    return [one.data for _, told in heard if told != END for one in told]


@pytest.mark.parametrize("signal", [True, False], ids=["signal", "marks"])
def test_4_a_hidden_draw_is_told_to_its_owner_alone(match: Start, signal: bool) -> None:
    m = match(auto_draw=False)
    mover = m.active
    silence = {seat: watch(m, seat, lambda: None) for seat in (0, 1, None)}
    assert silence[None] == [(7, []), (14, []), (20, END)]
    for seat in (*m.others(), mover):
        assert m.page(mover)["phase"] == "draw"
        heard = watch(m, seat, lambda: m.play(mover, "draw"), signal)
        if seat == mover:
            assert [one["ply"] for one in glances(heard)] == [1]
        else:
            assert heard == silence[seat]  # the same heartbeats, at the same times
            with m.store.write():
                m.store.database.execute_sql("DELETE FROM move")
                m.store.database.execute_sql("DELETE FROM snapshot")
                m.store.database.execute_sql("UPDATE game SET ply = 0, public_ply = 0, version = version + 1")
    push = next(move for move in m.legal(mover) if move.startswith("push"))
    for seat in m.others():
        heard = glances(watch(m, seat, lambda: m.play(mover, push), signal))
        assert [one["ply"] for one in heard] == [2]
        undo(m.store, m.id, m.players[mover], 1, m.clock())


def test_what_is_included_is_what_who_asks_would_be_shown(match: Start) -> None:
    """At each ply of some turns, to both seats and a spectator; and whose move it was that is told."""
    m = match(auto_draw=True)
    own: list[tuple[int, bool]] = []
    for _ in range(40):
        mover, before = m.active, m.ply(m.active)
        move = next((one for one in m.legal(mover) if one == "end"), m.legal(mover)[-1])
        played = turns.play(m.store, m.id, m.players[mover], before, [move], None, m.clock(), include=INCLUDES)
        for seat in (0, 1, None):
            player = None if seat is None else m.players[seat]
            page, told = m.page(seat), live_events.told(m.store, m.id, player, INCLUDES)
            log = game_page.log(m.store, m.id, player)["moves"]
            ends = [entry["ply"] for entry in log if entry["move"] == "end"]
            assert told["view"] == page["view"]
            assert told["log"] == log[ends[-3] if len(ends) > 2 else 0 :]
            assert told["legal_moves"] == ([] if seat is None else m.legal(seat))
            assert told["moved"] == mover
            assert told["own"] == (seat == mover)
            if seat == mover:
                shown = {"applied": 1, "ply": page["ply"], "view": page["view"], "legal_moves": m.legal(mover)}
                assert played == {**shown, "log": log[before:]}
        own.append((mover, any(entry["automatic"] for entry in played["log"])))
    assert {mover for mover, _ in own} == {0, 1}


def test_a_message_wakes_those_who_may_read_it(match: Start) -> None:
    m = match()
    heard = watch(m, 1, lambda: messages.post(m.store, m.id, m.players[0], "Hello", m.clock()))
    assert [one["messages"] is not None for one in glances(heard)] == [True]
    quiet = watch(m, None, lambda: messages.post(m.store, m.id, m.players[0], "Again", m.clock()))
    assert glances(quiet) == []


def test_who_has_the_same_eyes_is_shown_what_was_computed_once(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten strangers, an account that sits elsewhere, and both players, three times each."""
    m = match(auto_draw=False)
    elsewhere = replace(m.players[0], id="somebodyelse")
    watched = Watched(m)
    eyes = [None] * 10 + [elsewhere, *m.players, *m.players, *m.players]
    heard = [watched.follow(GameSubscription(m.store, m.id, player)) for player in eyes]
    shown: list[Any] = []
    glance = live_events.glance
    monkeypatch.setattr(live_events, "glance", lambda *args: shown.append(args[2]) or glance(*args))
    mover = m.active
    m.play(mover, "draw")
    watched.to(1)
    m.play(mover, next(move for move in m.legal(mover) if move.startswith("push")))
    watched.to(2)
    assert len(shown) == 6  # three pairs of eyes, twice
    for player, told in zip(eyes, heard, strict=True):
        plies = [(second, one["ply"], one["seat"]) for second, one in ((at, each) for at, events in told
                 for each in (event.data for event in events))]  # fmt: skip
        seat = m.players.index(player) if player in m.players else None
        drawn = [(1, 1, seat)] if seat == mover else []
        assert plies == [(0, 0, seat), *drawn, (2, 2, seat)]


def test_watching_ends_with_the_store_the_time_and_the_watcher(match: Start) -> None:
    m = match()
    watched, sight = Watched(m), lambda: GameSubscription(m.store, m.id, None)
    allowed = iter([True, False])
    told = [
        watched.follow(sight(), 20),
        watched.follow(sight(), 60, lambda: next(allowed)),
        watched.follow(sight(), 60),
    ]
    watched.to(22)
    first = told[0][0]
    assert told[0] == [first, (7, []), (14, []), (20, END)]
    assert told[1] == [first, (7, []), (14, END)]
    assert told[2] == [first, (7, []), (14, []), (21, [])]
    watched.opened[2].close()
    left = list(told[2])
    late = watched.follow(sight(), 60)
    m.store.closing.set()
    watched.to(30)
    assert told[2] == left
    assert late == [(22, first[1]), (23, END)]
    assert watched.hub.following == 0
    m.play_turn()
    watched.hub.touch(m.id)  # of a game that nobody follows
    watched.hub.turn()


def test_what_changes_before_a_stream_begins_is_told(match: Start) -> None:
    m = match()
    watched = Watched(m)
    follower = watched.hub.follow(GameSubscription(m.store, m.id, None), None, 60, lambda: True)
    m.play_turn()
    watched.hub.touch(m.id)
    watched.hub.turn()
    heard: list[Any] = []
    follower.begin(heard.append, lambda: None)
    watched.hub.turn()
    assert [one.data["ply"] for told in heard for one in told] == [m.ply(0)]
    watched.to(5)
    assert len(heard) == 1


@pytest.mark.parametrize("signal", [True, False], ids=["signal", "marks"])
def test_all_games_of_an_account_on_one_stream(match: Start, monkeypatch: pytest.MonkeyPatch, signal: bool) -> None:
    """Joined later, gone on, left, ended: each is told once, with the game; a hidden draw and others' games are not."""
    m = match(auto_draw=False)
    if signal:
        monkeypatch.setattr(change_signal, "POLL_SECONDS", 1e9)
    mover, other = m.players[m.active], m.players[1 - m.active]
    watched = Watched(m)
    if signal:
        watched.hub.turn()
        change_signal.changes(m.store).listen(watched.hub.touch)
    ours = watched.follow(AccountSubscription(m.store, other), 90)
    mine = watched.follow(AccountSubscription(m.store, mover), 90)
    quiet = watched.follow(AccountSubscription(m.store, replace(other, id="nobodyknown1")), 90)

    def told() -> list[Any]:
        watched.to(watched.now + 1)
        news = [(one.event, one.data["game"], one.data.get("status")) for _, each in ours for one in each]
        ours.clear()
        return news

    tag = ours[0][1][-1].tag
    assert told() == [("game", m.id, "running")]
    m.play(mover_seat := m.active, "draw")
    assert told() == []
    assert [one.data["ply"] for _, each in mine for one in each] == [0, 1]
    m.play(mover_seat, next(move for move in m.legal(mover_seat) if move.startswith("push")))
    assert told() == [("game", m.id, "running")]
    joined = creating.create(m.store, mover, 3, None, None, None, None, False, m.clock())["id"]
    assert told() == []
    joining.join(m.store, other, joined, None, None, m.clock())
    assert told() == [("game", joined, "open")]
    resumed = watched.hub.follow(AccountSubscription(m.store, other), tag, 90, lambda: True)
    assert [one.data["game"] for one in resumed.first] == [m.id, joined]
    assert [one.tag is None for one in resumed.first] == [True, False]
    again = watched.hub.follow(AccountSubscription(m.store, other), resumed.first[-1].tag, 90, lambda: True)
    assert again.first == []
    resumed.close()
    again.close()
    joining.leave(m.store, other, joined, m.clock())
    assert told() == [("left", joined, None)]
    m.play(m.active, "resign")
    assert told() == [("game", m.id, "finished")]
    # Who was not there when it ended is told when they come back, once.
    resumed = watched.hub.follow(AccountSubscription(m.store, other), tag, 90, lambda: True)
    assert [(one.data["game"], one.data["status"]) for one in resumed.first] == [(m.id, "finished")]
    again = watched.hub.follow(AccountSubscription(m.store, other), resumed.first[-1].tag, 90, lambda: True)
    anew = watched.hub.follow(AccountSubscription(m.store, other), None, 90, lambda: True)
    assert again.first == anew.first == []
    for one in (resumed, again, anew):
        one.close()
    m.store.closing.set()
    watched.to(watched.now + 1)
    assert [each for _, each in quiet if each != END] == [[]]  # a heartbeat


@SQLITE
@pytest.mark.parametrize("how", ["session", "all sessions", "token"])
def test_who_signs_out_is_told_no_more(app: Flask, match: Start, how: str) -> None:
    m, now = match(), datetime.now(UTC)
    [ben, ann] = m.players
    client = app.test_client()
    if how == "token":
        token = tokens.create(m.store, ann, "lost", now)
        answer = client.get(f"{BASE}/games/{m.id}/events", headers={"Authorization": f"Bearer {token['token']}"})
    else:
        session = sessions.new_session(m.store, ann.id, now)
        client.set_cookie("ulm_session", session)
        answer = client.get(f"/games/{m.id}/stream")
    lines = iter(answer.response)
    first = next(lines)
    assert b"retry" in first
    assert b'"seat":1' in first
    written = messages.post(m.store, m.id, ben, "To who is there", m.clock())
    assert f'"messages":{written["id"]}'.encode() in next(lines)
    if how == "token":
        tokens.create(m.store, ann, "kept", now)
        tokens.revoke(m.store, ann, token["id"], now)
    elif how == "session":
        sessions.sign_out(m.store, session, now)
    else:
        sessions.sign_out_everywhere(m.store, ann, now)
    messages.post(m.store, m.id, ben, "To who has gone", m.clock())
    assert list(lines) == []


def test_a_link_has_its_seats_eyes_while_it_is_live(match: Start) -> None:
    m = match(private=True)
    mover = m.active
    claims = {"player_id": m.players[mover].id, "game_id": m.id, "ply": m.ply(mover), "seat": mover}
    token = links.turn_token(m.store, now=m.clock(), **claims)
    messages.post(m.store, m.id, m.players[0], "For members", m.clock())
    assert live_events.by_link(m.store, token, m.clock()) == live_events.glance(m.store, m.id, m.players[mover])
    m.play_turn()
    stale = live_events.by_link(m.store, token, m.clock())
    assert stale["seat"] is None
    assert stale["messages"] is None
    assert stale["tag"] != live_events.glance(m.store, m.id, m.players[mover])["tag"]
    m.play_turn()  # the link was for the turn before
    assert m.active == mover
    with pytest.raises(LinkOverError):
        live_events.by_link(m.store, token, m.clock())
    with pytest.raises(BadLinkError):
        live_events.by_link(m.store, token[:-2], m.clock())


def test_4_a_long_poll_is_not_woken_by_a_hidden_draw(match: Start) -> None:
    m = match(auto_draw=False)
    mover = m.active
    watched = Watched(m)
    heard = {}
    for seat in (0, 1, None):
        player = None if seat is None else m.players[seat]
        tag = game_page.etag(game_page.page(m.store, m.id, player))
        heard[seat] = watched.follow(PageSubscription(m.store, m.id, player), seen=tag)
    m.play(mover, "draw")
    messages.post(m.store, m.id, m.players[0], "This is on nobody's page.", m.clock())
    watched.to(2)
    assert {seat for seat, told in heard.items() if told} == {mover}
    m.play(mover, next(move for move in m.legal(mover) if move.startswith("push")))
    watched.to(4)
    assert all(heard.values())


def test_a_long_poll_is_told_of_a_game_that_is_not_to_be_seen_any_more(
    match: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    m = match(private=True)
    watched = Watched(m)
    tag = game_page.etag(game_page.page(m.store, m.id, m.players[0]))
    heard = watched.follow(PageSubscription(m.store, m.id, m.players[0]), seen=tag)
    with pytest.raises(NotFound):
        watched.follow(PageSubscription(m.store, m.id, None))
    with m.store.write():
        m.store.database.execute_sql("DELETE FROM seat WHERE seat = 0")
        m.store.database.execute_sql("UPDATE game SET version = version + 1")
    watched.to(2)
    assert len(heard) == 1
