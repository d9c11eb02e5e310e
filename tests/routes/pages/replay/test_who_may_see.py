"""Who may see the replay of a game, and what stands in frames of other sites."""

import re

import pytest

from server.service.common.errors import NotFound
from server.service.seating.example_game import EXAMPLE_ID
from server.service.views import replay_viewer
from tests.routes.pages.conftest import sign_in, steady
from tests.routes.pages.replay.conftest import GAME, board, elements, finished, wanted
from tests.service.conftest import make_player


def paths(game):
    return [f"/replays/{game}{rest}" for rest in ("", "?ply=1&seat=0", "/frames", "/record", "/states", "/export.html")]


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


def test_only_the_embedded_viewer_may_stand_in_a_frame(example, client):
    answer = client.get(f"/embed/{EXAMPLE_ID}?ply=12&seat=1")
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    assert "Set-Cookie" not in answer.headers
    assert elements(answer.text, "form") == []
    assert [
        one for one in elements(answer.text, "a") if one["href"].startswith("/")
    ] == []  # no way into the site but one
    [out] = elements(answer.text, "a", id="out")
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


def test_nobody_watches_what_is_not_theirs(match, store):
    m, stranger = finished(match, store, private=True)
    for ask in (lambda: replay_viewer.watch(store, m.id, 0, None, stranger),
                lambda: replay_viewer.chunk(store, m.id, 0, None, "wide", "en", stranger)):  # fmt: skip
        with pytest.raises(NotFound):
            ask()
    replay_viewer.chunk(store, m.id, 0, None, "wide", "en", m.players[0])
    with pytest.raises(NotFound):  # also when it was made for somebody else before
        replay_viewer.chunk(store, m.id, 0, None, "wide", "en", stranger)
