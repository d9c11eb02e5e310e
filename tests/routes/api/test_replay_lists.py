"""Lists of replays by what they were like, and many positions in one answer."""

import gzip
import json
import random
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays import tables
from replays.files import Item, Source
from server.routes.http.answers import zstd
from server.service.lists import list_pages
from tests.routes.caller import BASE, Caller, new_game, play_on, players
from tests.routes.conftest import Played, PlayedOnce

CORPUS = Path(__file__).parents[2] / "replays" / "corpus.jsonl.gz"
BEFORE, DAY, AFTER = "2026-03-01", "2026-03-02", "2026-03-03"


@pytest.fixture
def finished(app: Flask, client: FlaskClient, played_once: PlayedOnce) -> Played:
    """A game that ended on DAY: its id, its players, its last page."""
    app.extensions["ulm.now"] = lambda: datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)

    def play() -> Played:
        callers = players(client, 3)
        game = new_game(callers, options={"tower": True})
        return game, callers, play_on(callers, game, random.Random(7))

    return played_once(play)


def test_filters(finished: Played, stranger: Caller) -> None:
    game, callers, last = finished
    scores, winners = last["result"]["scores"], last["result"]["winners"]
    best = scores[winners[0]]["total"]
    cases = [
        (f"from={DAY}", True), (f"to={DAY}", True), (f"from={DAY}&to={DAY}", True), (f"from={AFTER}", False),
        (f"to={BEFORE}", False), (f"from={AFTER}&to={BEFORE}", False), ("to=9999-12-31", True),
        (f"score_min={best}", True), (f"score_max={best}", True), (f"score_min={best + 1}", False),
        (f"score_max={best - 1}", False), ("score_min=-100000&score_max=100000", True), ("winner=nobody", False),
        (f"seats=3&tower=true&from={DAY}&score_min={best}", True),
    ]  # fmt: skip
    for seat, caller in enumerate(callers):
        cases.append((f"winner={caller.id}", seat in winners))
        found = caller.get("/replays?winner=me").json
        assert [replay["id"] for replay in found] == ([game] if seat in winners else [])
    for query, there in cases:
        answer = stranger.get(f"/replays?{query}")
        assert [replay["id"] for replay in answer.json] == ([game] if there else []), query
        assert json.loads(answer.headers["X-Pagination"])["total"] == int(there), query
    for bad in ("from=yesterday", "from=2026-02-30", "to=2026-3-2", "to=20260302", "score_min=x", "score_min=--1",
                "score_max=1e3", "winner=", "won=1"):  # fmt: skip
        stranger.get(f"/replays?{bad}", status=422)
    stranger.get("/replays?winner=me", status=401)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_many_states_are_those_of_each(finished: Played, stranger: Caller) -> None:
    game, _, last = finished
    for query, first, end, seat in (
        ("", 0, last["ply"], None), ("?from=5&to=9", 5, 9, None), ("?from=0&to=0", 0, 0, None),
        (f"?from={last['ply'] - 3}&seat=2", last["ply"] - 3, last["ply"], 2), ("?to=30&seat=0", 0, 30, 0),
    ):  # fmt: skip
        answer = stranger.get(f"/replays/{game}/states{query}")
        assert answer.mimetype == "application/x-ndjson"
        assert "Link" not in answer.headers
        found = lines(answer.text)
        assert [line["ply"] for line in found] == list(range(first, end + 1))
        eyes = "" if seat is None else f"?seat={seat}"
        for line in found[:: max(1, len(found) // 8)]:
            assert line == stranger.get(f"/replays/{game}/states/{line['ply']}{eyes}").json


def test_states_are_packed_and_kept(finished: Played, stranger: Caller) -> None:
    game, _, _ = finished
    path = f"/replays/{game}/states?to=40&v={stranger.get(f'/replays/{game}').json['edition']}"
    plain = stranger.get(path)
    packed = stranger.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 5
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for answer, accepted in ((plain, "identity"), (packed, "gzip")):
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert {word.strip() for word in answer.headers["Vary"].split(",")} == {"Accept-Encoding", "Authorization"}
        known = {"If-None-Match": answer.headers["ETag"], "Accept-Encoding": accepted}
        assert stranger.get(path, status=304, headers=known).data == b""
    assert "Content-Encoding" not in stranger.get(path, headers={"Accept-Encoding": "gzip;q=0, *"}).headers
    assert stranger.call("HEAD", path, status=200).data == b""


def test_states_are_bounded(finished: Played, stranger: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, last = finished
    monkeypatch.setattr("server.service.archive.replays.STATES_MAX", 50)
    path, plies = f"/replays/{game}/states", []
    while path:
        answer = stranger.get(path)
        found = lines(answer.text)
        assert len(found) <= 50
        plies += [line["ply"] for line in found]
        path = answer.headers["Link"].split(">")[0][1:] if "Link" in answer.headers else ""
    assert plies == list(range(last["ply"] + 1))
    for query, status in (("from=0&to=50", 422), ("from=9&to=8", 422), (f"to={last['ply'] + 1}", 404),
                          (f"from={last['ply'] + 1}", 404), ("seat=3", 404), ("from=x", 422)):  # fmt: skip
        stranger.get(f"/replays/{game}/states?{query}", status=status)


def test_a_corpus_in_one_answer(
    finished: Played, stranger: Caller, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the list has, whole records that check, from where the answer was cut on, packed or not."""
    game, callers, _ = finished
    ann = callers[0]
    ann.play(ann.post("/games", {"seats": 2, "bots": ["random"], "private": True}).json["id"], "resign", status=201)
    with gzip.open(CORPUS, "rt") as corpus:
        for text in islice(corpus, 5):
            ann.post("/replays", json.loads(text), 201)
    monkeypatch.setattr(list_pages, "PAGE_SIZE_MAX", 2)  # it reads several pages
    listed = [one for page in (1, 2, 3) for one in stranger.get(f"/replays?page={page}&page_size=2").json]
    answer = stranger.get("/replays/export")
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert len(found) == 6
    assert [{**one["replay"], "after": 0} for one in found] == [{**one, "after": 0} for one in listed]
    for one in found:
        record = stranger.get(f"/replays/{one['replay']['id']}/record").json
        assert one == {**record, "replay": one["replay"]}
        assert stranger.post("/replays/verify", one, 200).json["valid"]
    [own] = [one["replay"] for one in found if one["replay"]["id"] == game]
    assert [seat["player"] for seat in own["players"]] == [caller.id for caller in callers]
    tabled = [tables.tables_of(Item(Source("-"), line.encode()))[0].rows for line in answer.text.splitlines()]
    assert [one["games"][0]["origin"] for one in tabled] == [one["replay"]["origin"] for one in found]
    [seats] = [one["seats"] for one in tabled if one["games"][0]["id"] == game]
    assert [seat["account"] for seat in seats] == [caller.id for caller in callers]
    rest = stranger.get(f"/replays/export?after={found[2]['replay']['after']}").text
    assert [json.loads(line) for line in rest.splitlines()] == found[3:]
    assert stranger.get("/replays/export?origin=played").text.splitlines() == [
        line for line in answer.text.splitlines() if json.loads(line)["replay"]["origin"] == "played"
    ]
    for packing, unpack in (("gzip", gzip.decompress), ("zstd", zstd.decompress)):
        packed = client.get(f"{BASE}/replays/export", headers={"Accept-Encoding": packing})
        assert packed.headers["Content-Encoding"] == packing
        assert unpack(packed.data) == answer.data
    stranger.get("/replays/export?after=nothing", 422)
    own = {one["id"]: one for one in (json.loads(line)["replay"] for line in
           ann.get("/replays/export?player=me").text.splitlines())}  # fmt: skip
    assert own.pop(game)
    [private] = own.values()  # which nobody else is given
    assert [(seat["bot"], seat["level"]) for seat in private["players"]] == [(None, None), ("random", 0)]
