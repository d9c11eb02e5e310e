"""The list of replays and its filters."""

import pytest

from server.service.archive import replay_lists
from server.service.seating.example_game import EXAMPLE_ID
from tests.routes.pages.conftest import sign_in
from tests.routes.pages.replay.viewer import GAME, finished


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
