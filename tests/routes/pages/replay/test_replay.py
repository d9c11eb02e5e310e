"""The pages of replays without a script: list, viewer and its boards, who may see them, playing on, frames."""

from __future__ import annotations

import base64
import gzip
import importlib
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import pytest

from replays import frames as taking_apart
from replays.picture import picture
from replays.score_chart import Round, score_chart
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.service.archive import analyses, replay_lists, replays
from server.service.common.errors import NotFound
from server.service.lists import game_page
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.service.views import replay_viewer
from server.storage.database import Store
from server.storage.models import accounts, archive
from server.storage.models.games import Seat
from tests.routes.pages.conftest import SQLITE, Browser, Match, Time, everything, sign_in, steady
from tests.service.conftest import NOW, make_player

pytestmark = SQLITE
GAME = f"/replays/{EXAMPLE_ID}"


class _Page(HTMLParser):
    """Elements by tag, as lists of their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[dict[str, str | None]]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.found.setdefault(tag, []).append(dict(attributes))

    def with_(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        names = {name.replace("_", "-"): value for name, value in wanted.items()}
        return [one for one in self.found.get(tag, []) if all(one.get(name) == value for name, value in names.items())]


@pytest.fixture
def example(store: Store, time: Time) -> Store:
    assert ensure_example(store, NOW) == EXAMPLE_ID
    return store


def steps(text: str) -> dict[str, int]:
    """Where the links of the viewer lead, by step."""
    links = [one for one in _Page(text).found["a"] if "data-step" in one]
    return {str(one["data-step"]): int(re.search(r"ply=(\d+)", str(one["href"]))[1]) for one in links}  # type: ignore[index]


def board(text: str, layout: str) -> str:
    """The picture that a page of the viewer shows."""
    found = re.search(rf'data-layout="{layout}">(<svg.*?</svg>)</div>', text, re.DOTALL)
    assert found is not None
    return found[1]


def wanted(store: Store, ply: int, seat: int | None, layout: str) -> str:
    """The picture that it should show."""
    replay = replays.replay_at(store, EXAMPLE_ID, ply, seat, None)
    return picture(replay, ply, seat, layout=layout, theme="page", prefix=replay_viewer.PREFIXES[layout])


# The viewer


@pytest.mark.parametrize(("ply", "seat"), [(0, None), (41, None), (41, 0), (41, 2), (197, 1)])
def test_the_page_shows_the_board_of_its_ply_and_seat_before_any_script(example, browser: Browser, ply, seat):
    text = browser.open(f"{GAME}?ply={ply}" + ("" if seat is None else f"&seat={seat}")).text
    for layout in ("narrow", "wide"):
        assert board(text, layout) == wanted(example, ply, seat, layout)
    marked = _Page(text).with_("a", aria_current="step")
    assert [one["href"] for one in marked] == [f"?ply={ply}" + ("" if seat is None else f"&seat={seat}")]


def test_links_step_by_move_turn_and_round(example, browser: Browser):
    timeline = replays.timeline(example, EXAMPLE_ID)["plies"]
    ends = [one["ply"] for one in timeline if one["move"] == "end"]
    last = timeline[-1]["ply"]
    at = ends[4] + 1
    found = steps(browser.open(f"{GAME}?ply={at}").text)
    assert (found["first"], found["back"], found["on"], found["last"]) == (0, at - 1, at + 1, last)
    assert (found["turn-back"], found["turn-on"]) == (ends[4], ends[5])
    assert (found["round-back"], found["round-on"]) == (ends[2], ends[5])  # three players: a round is three turns
    assert steps(browser.open(f"{GAME}?ply=0").text) == {
        "first": 0, "back": 0, "turn-back": 0, "round-back": 0, "on": 1, "turn-on": ends[0], "round-on": ends[2],
        "last": last,
    }  # fmt: skip
    at_end = steps(browser.open(f"{GAME}?ply={last}").text)
    assert {at_end[name] for name in ("on", "turn-on", "round-on", "last")} == {last}
    assert at_end["back"] == last - 1


def test_every_move_is_in_the_list_as_a_link_in_sentences(example, browser: Browser):
    text = browser.open(GAME).text
    timeline = replays.timeline(example, EXAMPLE_ID)["plies"]
    lines = re.findall(r'<li class="line" data-ply="(\d+)"><a href="\?ply=(\d+)"[^>]*>([^<]+)</a>', text)
    assert [int(ply) for ply, _, _ in lines] == [one["ply"] for one in timeline]
    assert all(ply == link for ply, link, _ in lines)
    assert timeline[0]["text"] == ["Blue draws brown."]
    assert lines[0][2] == "Blue draws a Card tile."  # a page names tiles by what they do


def test_a_seat_reads_only_what_it_knew(example, browser: Browser):
    """Its move list has the public sentences of the others' private events."""
    whole = browser.open(GAME).text
    private = re.findall(
        r"(?:Green|Blue) (?:draws|keeps|looks at) "
        r"(?!\d|a card|a \w+ tile|the)[^.<]+\.",
        whole,
    )
    assert any("Nave" in text for text in private), "the example has hidden cards"
    as_red = browser.open(f"{GAME}?seat=0").text
    moves = as_red[as_red.index('id="moves"') : as_red.index('class="below"')]
    assert [text for text in private if text in moves] == []


def test_the_page_works_in_all_languages(example, browser: Browser, client):
    for code in ("de", "it"):
        client.set_cookie("ulm_language", code)
        text = browser.open(f"{GAME}?ply=60").text
        assert f'<html lang="{code}"' in text
        assert "data-frames=" in text
        assert "Round" not in board(text, "narrow") or code == "it"


@pytest.mark.parametrize("address", [
    f"{GAME}?ply=198", f"{GAME}?seat=3", f"{GAME}?ply=x", f"{GAME}?ply=-1", f"{GAME}?seat=0x1",
    f"{GAME}?ply=9999999", "/replays/nosuch", f"{GAME}/frames?chunk=5", f"{GAME}/frames?layout=tall",
    f"{GAME}/frames?language=xx", f"{GAME}/frames?seat=7", f"{GAME}/states?from=900", f"{GAME}/export.html?theme=pink",
    f"{GAME}/export.html?language=xx", f"/embed/{EXAMPLE_ID}?ply=198", "/embed/nosuch",
])  # fmt: skip
def test_what_there_is_not_is_not_found(example, browser: Browser, address):
    browser.open(address, 404)


def test_a_look_changes_nothing(example, browser: Browser):
    browser.open("/replays")  # the first page of a server makes the key for its forms
    before = everything(example)
    for path in ("/replays", GAME, f"{GAME}/frames", f"{GAME}/record", f"{GAME}/states", f"/embed/{EXAMPLE_ID}"):
        browser.open(path)
    assert everything(example) == before


# Boards in chunks


@pytest.mark.parametrize("seat", [None, 1])
def test_chunks_hold_the_very_pictures(example, client, seat):
    eyes = "" if seat is None else f"&seat={seat}"
    plies = replay_lists.summary(example, EXAMPLE_ID)["plies"]
    seen = 0
    for number in range(plies // replay_viewer.CHUNK + 1):
        answer = client.get(f"{GAME}/frames?layout=narrow&chunk={number}{eyes}")
        made = json.loads(gzip.decompress(answer.data))
        assert made["from"] == number * replay_viewer.CHUNK
        for ply, numbers in enumerate(made["plies"], made["from"]):
            seen += 1
            if ply % 7 == 0 or ply in (made["from"], plies):
                assert "".join(made["parts"][part] for part in numbers) == wanted(example, ply, seat, "narrow")
    assert seen == plies + 1


def test_a_chunk_is_small_and_each_part_is_in_it_once(example):
    packed, _ = replay_viewer.chunk(example, EXAMPLE_ID, 1, None, "wide", "en", None)
    made = json.loads(gzip.decompress(packed))
    assert len(packed) < 60_000
    assert len(made["parts"]) == len(set(made["parts"]))
    assert taking_apart.frames(replays.replay_at(example, EXAMPLE_ID, 0, None, None), 0, 0)["from"] == 0


def test_who_draws_leaves_the_threads_to_others(example, client):
    """When a few are in line, whoever comes then is told at once to come again; what is drawn already is given."""
    assert client.get(f"{GAME}/frames?chunk=2").status_code == 200
    for _ in range(replay_viewer.IN_LINE):
        assert replay_viewer.line.places.acquire(blocking=False)
    try:
        assert client.get(f"{GAME}/frames?chunk=3").status_code == 503
        assert client.get(f"{GAME}/frames?chunk=2").status_code == 200
    finally:
        for _ in range(replay_viewer.IN_LINE):
            replay_viewer.line.places.release()
    assert client.get(f"{GAME}/frames?chunk=3").status_code == 200


def test_boards_are_kept_by_browsers_only_under_the_address_of_their_version(example, client, browser: Browser):
    address = re.search(r'data-frames="([^"]+)"', browser.open(GAME).text)[1].replace("&amp;", "&")
    kept = client.get(f"{address}&layout=wide&chunk=0")
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kept.headers["Content-Encoding"] == "gzip"
    other = client.get(f"{re.sub('v=[0-9a-f]+', 'v=00', address)}&layout=wide&chunk=0")
    assert other.data == kept.data
    assert other.headers["Cache-Control"] == "no-store"


def finished(match: Callable[..., Match], store: Store, private: bool) -> tuple[Match, Player]:
    """A finished game of two, and a stranger."""
    m = match(private=private)
    m.play_turn()
    m.play(m.active, "resign")
    assert m.page(0)["status"] == "finished"
    return m, make_player(store, "Stranger")


def test_a_move_without_consequences_is_told_in_words(match, store, client, time):
    """Who may sail in Tillage and stays: no event tells of it, and the notation is for nobody to read."""
    m = match()
    while not any(move.startswith("seal tillage") for move in m.legal(m.active)):
        legal = m.legal(m.active)
        m.play(m.active, next(move for kind in ("push", "end") for move in legal if move.startswith(kind)))
    mover = m.active
    m.play(mover, "seal tillage")
    m.play(mover, next(move for move in m.legal(mover) if move.startswith("dock")))
    m.play(mover, "barge 0")
    m.play(mover, "resign")
    text = client.get(f"/replays/{m.id}").text
    assert f"Player {mover} sails no further." in text
    assert "barge 0" not in re.sub("<[^>]*>", "", text)


def test_a_new_name_is_shown_though_boards_are_kept(match, store, client, time):
    m, _ = finished(match, store, private=False)
    before = client.get(f"/replays/{m.id}").text
    assert "Player 1" in before
    with store.write():  # as the deletion of an account does
        Seat.update(name="Somebody else").where(Seat.game == m.id, Seat.seat == 1).execute()
    after = client.get(f"/replays/{m.id}").text
    assert [after[at.start() - 40 : at.end() + 40] for at in re.finditer("Player 1", after)] == []
    assert "Somebody else" in board(after, "wide")
    versions = [re.search(r"frames\?v=([0-9a-f]+)", text)[1] for text in (before, after)]  # type: ignore[index]
    assert versions[0] != versions[1]


# Who may see it


def paths(game: str) -> list[str]:
    return [f"/replays/{game}{rest}" for rest in ("", "?ply=1&seat=0", "/frames", "/record", "/states", "/export.html")]


def test_running_games_have_no_replay_for_anybody(match, store, client, time):
    m = match()
    m.play_turn()
    for player in (None, m.players[0]):
        if player is not None:
            sign_in(client, store, player)
        for path in [*paths(m.id), f"/embed/{m.id}"]:
            answer = client.get(path)
            assert answer.status_code == 404
            assert m.players[1].name not in answer.text


def test_private_games_are_for_their_members_and_never_in_frames(match, store, client, time):
    m, stranger = finished(match, store, private=True)
    for player in (None, stranger):
        if player is not None:
            sign_in(client, store, player)
        for path in [*paths(m.id), f"/embed/{m.id}"]:
            assert client.get(path).status_code == 404, path
        assert m.id not in client.get("/replays").text
    sign_in(client, store, m.players[0])
    for path in paths(m.id):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "public" not in answer.headers["Cache-Control"]
    page = client.get(f"/replays/{m.id}").text
    assert "iframe" not in page
    address = re.search(r'data-frames="([^"]+)"', page)[1].replace("&amp;", "&")  # type: ignore[index]
    assert client.get(address).headers["Cache-Control"].startswith("private")
    assert client.get(f"/embed/{m.id}").status_code == 404  # also for a member: a frame's visitor is nobody
    assert m.id in client.get("/replays").text


# Frames of other sites


def test_only_the_embedded_viewer_may_stand_in_a_frame(example, client):
    answer = client.get(f"/embed/{EXAMPLE_ID}?ply=12&seat=1")
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    assert "Set-Cookie" not in answer.headers
    page = _Page(answer.text)
    assert page.found.get("form", []) == []
    assert [one for one in page.found["a"] if one["href"].startswith("/")] == []  # no way into the site but one
    [out] = page.with_("a", id="out")
    assert out["href"].endswith(f"/replays/{EXAMPLE_ID}?ply=12&seat=1")
    assert out["rel"] == "noopener"
    assert board(answer.text, "narrow") == wanted(example, 12, 1, "narrow")
    whole = client.get(GAME)
    assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]


def test_who_is_signed_in_does_not_show_in_a_frame(example, store, client):
    player = make_player(store, "Ann of Ulm")
    stranger = steady(client.get(f"/embed/{EXAMPLE_ID}").text)
    sign_in(client, store, player)
    assert steady(client.get(f"/embed/{EXAMPLE_ID}").text) == stranger


# Playing on


def test_playing_on_makes_a_sandbox_of_ones_own(example, store, browser: Browser, client):
    ann = make_player(store, "Ann")
    sign_in(client, store, ann)
    browser.open(f"{GAME}?ply=30&seat=1")
    form = browser.button("Play on")
    assert (form.fields["ply"], form.fields["seat"]) == ("30", "1")
    answer = browser.press(form, follow=False, play="1")
    assert answer.status_code == 303
    game = answer.location.rsplit("/", 1)[1]
    page = game_page.page(store, game, ann)
    assert (page["origin"], page["private"]) == ("sandbox", True)
    assert [seat["bot"] for seat in page["players"]] == ["apprentice", None, "apprentice"]
    browser.open(f"{GAME}?ply=30")
    whole = browser.press(browser.button("Play on"), follow=False, play="")
    page = game_page.page(store, whole.location.rsplit("/", 1)[1], ann)
    assert [seat["bot"] for seat in page["players"]] == [None, None, None]


@pytest.mark.parametrize("someone", [True, False])
def test_a_position_that_cannot_be_played_on_is_refused_in_words(
    example, store, browser: Browser, client, someone: bool
):
    if someone:
        sign_in(client, store, make_player(store, "Ann"))
    browser.open(f"{GAME}?ply=197")
    before = everything(example)
    answer = browser.press(browser.button("Play on"), follow=False)
    assert answer.status_code == 422
    assert everything(example) == before, "no account is made for nothing"
    assert 'role="alert"' in answer.text
    assert board(answer.text, "wide") == wanted(example, 197, None, "wide")


def test_a_stranger_plays_on_as_a_guest(example, store, browser: Browser):
    assert f'"/sign-in?next={GAME}?ply=30&seat=1"' in unquote(browser.open(f"{GAME}?ply=30&seat=1").text), "and back"
    before = everything(example)
    answer = browser.press(browser.button("Play on"), follow=False, play="1", time_zone="Europe/Rome")
    assert answer.status_code == 303
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    with store.read():
        [guest] = accounts.Player.select()
    assert guest.name.startswith("Guest ")
    assert "Europe/Rome" in guest.preferences
    page = game_page.page(store, answer.location.rsplit("/", 1)[1], sessions.player_by_id(store, guest.id))
    assert (page["origin"], page["private"], page["seat"]) == ("sandbox", True, 1)
    assert browser.open(answer.location).status_code == 200
    assert everything(example) != before
    again = browser.open(GAME)
    assert 'id="sign-in"' not in again.text, "from now on it is the guest who plays on"
    browser.press(browser.button("Play on"), follow=False, play="1")
    with store.read():
        assert accounts.Player.select().count() == 1


@pytest.mark.parametrize("someone", [True, False])
def test_playing_on_asks_for_a_form_of_ours(example, store, browser: Browser, client, someone: bool):
    if someone:
        sign_in(client, store, make_player(store, "Ann"))
    browser.open(GAME)
    form = browser.button("Play on")
    before = everything(example)
    assert browser.press(replace(form, fields={**form.fields, "form": "forged"})).status_code == 403
    foreign = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert browser.press(form, headers=foreign).status_code == 403
    assert browser.press(replace(form, action="/replays/nosuchgame/continue")).status_code == 404
    assert everything(example) == before, "no account is made for nothing"


# The list


def test_the_list_leads_to_the_viewers_and_tells_how_games_ended(example, client):
    text = client.get("/replays").text
    assert f'href="{GAME}"' in text
    result = replay_lists.summary(example, EXAMPLE_ID)["result"]
    for score in result["scores"]:
        assert f"<b>{score['total']}</b>" in text
    assert text.count("★") == len(result["winners"])


@pytest.mark.parametrize(("query", "there"), [
    ("seats=3", True), ("seats=2", False), ("tower=true", True), ("tower=false", False), ("origin=example", True),
    ("origin=played", False), ("score_min=20", True), ("score_min=500", False), ("score_max=500", True),
    ("from=2026-11-21", True), ("from=2026-11-22", False), ("to=2026-11-21", True), ("to=2026-11-20", False),
    ("rotate_start=true", False), ("player=me", False), ("winner=me", False), ("seats=&tower=&from=", True),
    ("page=2", False),
])  # fmt: skip
def test_filters_choose(example, client, query, there):
    answer = client.get(f"/replays?{query}")
    assert answer.status_code == 200
    assert (f'href="{GAME}"' in answer.text) is there


@pytest.mark.parametrize(
    "query", ["from=yesterday", "score_min=many", "seats=9", "page=0", "nonsense=1", "origin=mars"]
)
def test_filters_that_cannot_be_read_are_said_to_be_wrong(example, client, query):
    answer = client.get(f"/replays?{query}")
    assert answer.status_code == 422
    assert "wrong" in answer.text or "notice bad" in answer.text


def test_my_own_games_and_victories_can_be_chosen(match, store, client, time):
    m, stranger = finished(match, store, private=False)
    winner = m.page(0)["result"]["winners"][0]
    for player, member, won in ((m.players[winner], True, True), (m.players[1 - winner], True, False),
                                (stranger, False, False)):  # fmt: skip
        sign_in(client, store, player)
        assert (m.id in client.get("/replays?player=me").text) is member
        assert (m.id in client.get("/replays?winner=me").text) is won


def test_a_long_list_has_pages(match, store, client, time):
    for number in range(3):
        match(seed=number + 1).end_early()
    first = client.get("/replays?page_size=2").text
    assert first.count('<ul class="seats">') == 2
    [after] = [one for one in _Page(first).found["a"] if one.get("rel") == "next"]
    second = client.get(after["href"]).text
    assert second.count('<ul class="seats">') == 1
    assert 'rel="prev"' in second


# Files


def test_files_are_given_to_be_kept_and_never_shown_as_pages_of_ours(example, client):
    for path, kind in (("record", "application/json"), ("export.html", "text/html")):
        answer = client.get(f"{GAME}/{path}")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.mimetype == kind
    assert json.loads(client.get(f"{GAME}/record").data) == replays.record(example, EXAMPLE_ID)


class _Texts(HTMLParser):
    """All that a page says to people: its texts but for moves, what its elements are called, what its script says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: set[str] = set()
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self._open.append(tag)
        for name, value in attributes:
            if name in ("title", "aria-label") or (name.startswith("data-") and name != "data-ply"):
                self.said.add(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "code"} & set(self._open):
            self.said.add(data.strip())


@pytest.mark.parametrize("code", ["de", "it"])
def test_the_page_to_keep_speaks_its_reader_s_language(example, client, code):
    english = client.get(f"{GAME}/export.html").text
    client.set_cookie("ulm_language", code)
    text = client.get(f"{GAME}/export.html").text
    assert f'<html lang="{code}">' in text
    record = replays.record(example, EXAMPLE_ID)
    names = {record["name"], *(player["name"] for player in record["players"])}
    common = {re.sub(r" \d+\u00a0%$", "", said) for said in _Texts(english).said & _Texts(text).said} - names
    assert [said for said in common if re.search(r"[^\W\d]", said)] == []
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', text)[1]
    boards = json.loads(zlib.decompress(base64.b64decode(packed)))
    replay = replays.spoken_at(example, EXAMPLE_ID, 60, None, None, code)
    for layout, made in boards.items():
        drawn = "".join(made["parts"][part] for part in made["plies"][60])
        assert drawn == picture(replay, 60, layout=layout, language=code)
    assert client.get(f"{GAME}/export.html?language=en").text == english
    assert client.get(f"/api/v1{GAME}/export.html", headers={"Accept-Language": code}).text == english


def test_states_come_one_in_a_line(example, client):
    lines = [json.loads(line) for line in client.get(f"{GAME}/states?from=190").text.splitlines()]
    assert [line["ply"] for line in lines] == list(range(190, 198))
    assert lines[-1]["state"] == replays.state(example, EXAMPLE_ID, 197)["state"]


# Points


def test_the_chart_shows_every_change_and_every_round(example):
    watched = replay_viewer.look(example, EXAMPLE_ID, 50, None, None)
    assert len(watched.log.vp) == watched.plies + 1
    assert len(watched.log.rounds) == 10
    assert watched.log.rounds[-1] == watched.plies
    rounds = [Round(last, f"Round {number}", f"?ply={last}") for number, last in enumerate(watched.log.rounds, 1)]
    totals = [score["total"] for score in watched.summary["result"]["scores"]]
    svg = score_chart(["A<b>", "B", "C"], watched.log.vp, totals, rounds, ply=50, title="T", description='"D"')
    assert svg.count('<a href="?ply=') == 10
    assert "A<b>" not in svg
    assert "&quot;D&quot;" in svg
    assert " style=" not in svg
    for seat in range(3):
        line = re.search(rf'<g class="seat-{seat}"><path class="vp" d="([^"]+)"', svg)[1]  # type: ignore[index]
        values = [row[seat] for row in watched.log.vp]
        assert line.count("V") == sum(one != other for one, other in pairwise(values))
    left, step = (float(re.search(rf'data-{name}="([\d.]+)"', svg)[1]) for name in ("left", "ply-width"))  # type: ignore[index]
    assert f'transform="translate({round(left + 50 * step, 1):g} 0)"' in svg


def test_tables_tell_the_same_as_the_chart(example, browser: Browser):
    text = browser.open(GAME).text
    scores = replay_lists.summary(example, EXAMPLE_ID)["result"]["scores"]
    assert "<td>\u22122</td>" in re.findall(r'<tr class="of-barge">(.*?)</tr>', text, re.DOTALL)[0], "a minus"
    [total] = re.findall(r'<tr class="of-total">(.*?)</tr>', text, re.DOTALL)
    assert re.findall(r"<td>(-?\d+)</td>", total) == [str(score["total"]) for score in scores]
    assert text.count("<tr>") >= 12  # ten rounds, the final scoring, heads


def test_nobody_watches_what_is_not_theirs(match, store):
    m, stranger = finished(match, store, private=True)
    for ask in (lambda: replay_viewer.look(store, m.id, 0, None, stranger),
                lambda: replay_viewer.chunk(store, m.id, 0, None, "wide", "en", stranger)):  # fmt: skip
        with pytest.raises(NotFound):
            ask()
    replay_viewer.chunk(store, m.id, 0, None, "wide", "en", m.players[0])
    with pytest.raises(NotFound):  # also when it was made for somebody else before
        replay_viewer.chunk(store, m.id, 0, None, "wide", "en", stranger)


def test_the_tab_about_luck_and_skill_needs_no_script(example: Store, browser: Browser) -> None:
    """The example brings its analysis along: chances, sums, and the moves that decided, each a link to its ply."""
    plain = browser.open(f"{GAME}?ply=100").text
    assert _Page(plain).with_("a", href="?ply=100&tab=analysis#tabs")
    assert 'id="analysis"' not in plain
    text = browser.open(f"{GAME}?ply=100&tab=analysis").text
    page = _Page(text)
    found = analyses.required(example, EXAMPLE_ID, None)
    assert "moments" in found
    assert found["plies"][-1]["ply"] == replay_lists.summary(example, EXAMPLE_ID)["plies"]
    assert [seat["last"] for seat in found["seats"]] == [0, 1, 0]
    assert len(found["moments"]) == 5
    replay = replays.replay_at(example, EXAMPLE_ID, 0, None, None)
    for moment in found["moments"]:
        assert replay.record.moves[moment["ply"]].text == moment["move"], "the packed analysis is of another game"
        assert page.with_("a", href=f"?ply={moment['ply']}&tab=analysis")
        assert page.with_("a", href=f"?ply={moment['ply']}#go-on")
    assert len(page.with_("svg", aria_labelledby="chances-title chances-desc")) == 1
    assert len(page.with_("svg", aria_labelledby="chart-title chart-desc")) == 1
    cells = [
        re.sub(r"<[^>]*>", " ", row) for row in re.findall(r"<tr><th scope=\"row\" class=\"seat.*?</tr>", text, re.S)
    ]
    assert len(cells) == 3
    for row in cells:
        numbers = [int(number.replace("−", "-")) for number in re.findall(r"[+−]?\d+", row)]
        assert sum(numbers[:-1]) == numbers[-1]
    assert "Played:" in text
    assert "Better:" in text
    assert "Gespielt:" in browser.client.get(f"{GAME}?tab=analysis", headers={"Accept-Language": "de"}).text
    assert "chances-title" not in browser.open(f"/embed/{EXAMPLE_ID}?tab=analysis").text


def test_who_wishes_an_analysis_presses_a_button(example: Store, browser: Browser) -> None:
    """Then the tab says how far it is."""
    with example.write():
        archive.Analysis.delete().execute()
    wished = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert "That takes about 35 seconds" in wished
    assert 'http-equiv="refresh"' not in wished
    text = browser.press(browser.button("Analyse this game")).text
    with example.read():
        assert archive.Analysis.get().wanted_at is not None
    assert "This game waits to be analysed" in text
    assert "About 35 seconds more" in text
    with example.write():
        archive.Analysis.update(lease_owner="a job", done=120).execute()
    shown = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert "120 of 197 moves are done" in shown
    assert "About 15 seconds more" in shown
    # It is loaded again where no script does it, by itself or by a press, and stays where it is.
    assert '<noscript><meta http-equiv="refresh"' in shown
    assert _Page(shown).with_("a", href=f"{GAME}?ply=3&tab=analysis", autofocus=None)
    with example.write():
        archive.Analysis.update(failures=9).execute()
    assert "could not be analysed" in browser.open(f"{GAME}?tab=analysis").text


@pytest.mark.parametrize(("language", "names"), [("de", ("Rot", "Grün", "Blau")), ("it", ("Rosso", "Verde", "Blu"))])
def test_the_colours_of_the_example_are_said_in_the_readers_language(example, browser: Browser, language, names):
    """Also where it was stored before its names had kinds; the record keeps its words."""
    script = importlib.import_module("server.storage.migrations.0029_colours")
    with example.write():
        script.down(None, example.database)
        assert {name for (name,) in Seat.select(Seat.name_kind).tuples()} == {None}
        script.up(None, example.database)
    browser.client.set_cookie("ulm_language", language)
    for address in (GAME, "/replays"):
        page = browser.open(address).text
        assert all(name in page for name in names), address
        assert "Green" not in page, address
    assert [seat["name"] for seat in replays.record(example, EXAMPLE_ID)["players"]] == ["Red", "Green", "Blue"]
