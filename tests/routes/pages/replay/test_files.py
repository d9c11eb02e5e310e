"""Boards in chunks and files of a replay: who may keep them, and what they say."""

import base64
import gzip
import json
import re
import zlib

import pytest

from replays.picture import picture
from server.service.archive import replay_lists, replays
from server.service.seating.example_game import EXAMPLE_ID
from server.service.views import replay_viewer
from tests.routes.pages.replay.conftest import GAME, wanted


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


def test_boards_are_kept_by_browsers_only_under_the_address_of_their_version(example, client, browser):
    address = re.search(r'data-frames="([^"]+)"', browser.open(GAME).text)[1].replace("&amp;", "&")
    kept = client.get(f"{address}&layout=wide&chunk=0")
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kept.headers["Content-Encoding"] == "gzip"
    other = client.get(f"{re.sub('v=[0-9a-f]+', 'v=00', address)}&layout=wide&chunk=0")
    assert other.data == kept.data
    assert other.headers["Cache-Control"] == "no-store"


def test_files_are_given_to_be_kept_and_never_shown_as_pages_of_ours(example, client):
    for path, kind in (("record", "application/json"), ("export.html", "text/html")):
        answer = client.get(f"{GAME}/{path}")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.mimetype == kind
    assert json.loads(client.get(f"{GAME}/record").data) == replays.record(example, EXAMPLE_ID)


def test_the_page_to_keep_speaks_its_reader_s_language(example, client):
    english = client.get(f"{GAME}/export.html").text
    client.set_cookie("ulm_language", "it")
    text = client.get(f"{GAME}/export.html").text
    assert '<html lang="it">' in text
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', text)[1]
    boards = json.loads(zlib.decompress(base64.b64decode(packed)))
    replay = replays.replay_at(example, EXAMPLE_ID, 60, None, None, "it")
    for layout, made in boards.items():
        drawn = "".join(made["parts"][part] for part in made["plies"][60])
        assert drawn == picture(replay, 60, layout=layout, language="it")
    assert client.get(f"{GAME}/export.html?language=en").text == english
    assert client.get(f"/api/v1{GAME}/export.html", headers={"Accept-Language": "it"}).text == english
