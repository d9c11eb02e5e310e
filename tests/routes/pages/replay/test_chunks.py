"""Boards in chunks, for the viewer's script, and who may keep them."""

import gzip
import json
import re

import pytest

from server.service.archive import replay_lists
from server.service.seating.example_game import EXAMPLE_ID
from server.service.views import replay_viewer
from tests.routes.pages.replay.viewer import GAME, board, finished, wanted
from tests.tables import Seat


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
