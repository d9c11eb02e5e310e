"""ETags, 304, long polls, and how long answers may be kept."""

import time

import pytest
from flask.testing import FlaskClient

from tests.routes.caller import Caller, new_game, players


def push_of(caller: Caller, game: str) -> str:
    return next(move for move in caller.legal(game) if move.startswith("push"))


def both(client: FlaskClient) -> tuple[str, Caller, Caller]:
    """A running game, the one to move, and the other."""
    callers = players(client, 2)
    game = new_game(callers)
    seat = callers[0].page(game)["to_move"]
    return game, callers[seat], callers[1 - seat]


def test_a_page_is_not_sent_twice(client: FlaskClient) -> None:
    game, mover, other = both(client)
    first = mover.get(f"/games/{game}")
    known = {"If-None-Match": first.headers["ETag"]}
    unchanged = mover.get(f"/games/{game}", status=304, headers=known)
    assert unchanged.headers["ETag"] == first.headers["ETag"]
    assert unchanged.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in unchanged.headers["Vary"]
    weak = {"If-None-Match": f'"old", W/{first.headers["ETag"]}'}
    mover.get(f"/games/{game}", status=304, headers=weak)
    mover.play(game, push_of(mover, game), status=201)
    changed = mover.get(f"/games/{game}", headers=known)
    assert changed.headers["ETag"] != first.headers["ETag"]
    # Somebody else's tag is not mine.
    assert other.get(f"/games/{game}").headers["ETag"] != changed.headers["ETag"]


def test_every_list_and_log_has_an_etag(client: FlaskClient) -> None:
    game, mover, _ = both(client)
    for path in ("/games", f"/games/{game}/moves", f"/games/{game}/legal-moves", "/replays", "/players/me"):
        first = mover.get(path)
        mover.get(path, status=304, headers={"If-None-Match": first.headers["ETag"]})


def test_who_has_something_old_does_not_wait(client: FlaskClient) -> None:
    game, _, other = both(client)
    began = time.monotonic()
    other.get(f"/games/{game}", headers={"If-None-Match": '"old"', "Prefer": "wait=20"})
    other.get(f"/games/{game}", headers={"Prefer": "wait=20"})
    assert time.monotonic() - began < 15


def test_finished_games_may_be_kept_for_ever(client: FlaskClient) -> None:
    game, mover, other = both(client)
    mover.play(game, "resign", status=201)
    stranger = Caller(client)
    edition = stranger.get(f"/replays/{game}").json["edition"]
    for path in ("record?", "states/0?", "states/0?seat=1&", "timeline?"):
        for without in ("", "v=123456789abc"):
            answer = stranger.get(f"/replays/{game}/{path}{without}")
            assert answer.headers["Cache-Control"] == "public, no-cache"
            stranger.get(f"/replays/{game}/{path}", status=304, headers={"If-None-Match": answer.headers["ETag"]})
        path = f"{path}v={edition}"
        answer = stranger.get(f"/replays/{game}/{path}")
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        etag = answer.headers["ETag"]
        assert not etag.startswith("W/")
        unchanged = stranger.get(f"/replays/{game}/{path}", status=304, headers={"If-None-Match": etag})
        assert unchanged.headers["Cache-Control"] == answer.headers["Cache-Control"]
        assert other.get(f"/replays/{game}/{path}").headers["Cache-Control"].startswith("private,")
    # What is not there must not be remembered as missing.
    assert stranger.get(f"/replays/{game}/states/99", status=404).headers["Cache-Control"] == "no-store"


_NAMED = (
    "replays/{}/record",
    "replays/{}/timeline",
    "replays/{}/states",
    "replays/{}/states/1",
    "replays/{}/board.svg",
    "replays/{}/board.txt",
    "games/{}/board.svg",
    "games/{}/board.txt",
)


def test_what_is_kept_for_ever_is_not_what_is_handed_out_when_a_name_has_gone(client: FlaskClient) -> None:
    """A cache that obeys asks again for all that it did not get under the address of the present names."""
    ann, ben = players(client, 2)
    game = new_game([ann, ben])
    ann.play(game, "resign", status=201)
    stranger = Caller(client)

    def edition() -> str:
        found = {stranger.get(f"/{kind}/{game}").json["edition"] for kind in ("replays", "games")}
        found |= {one["edition"] for one in stranger.get("/replays").json}
        assert len(found) == 1
        return found.pop()

    before = edition()
    cache = {}
    for path in _NAMED:
        address = f"/{path.format(game)}?v={before}"
        cache[path] = stranger.get(address)
        assert "immutable" in cache[path].headers["Cache-Control"], path
    assert any("Ann" in answer.text for answer in cache.values())
    ann.call("DELETE", "/players/me", status=204)
    after = edition()
    assert after != before
    for path in _NAMED:
        old = stranger.get(f"/{path.format(game)}?v={before}")
        assert "immutable" not in old.headers["Cache-Control"], path
        for answer in (old, stranger.get(f"/{path.format(game)}?v={after}"), stranger.get(f"/{path.format(game)}")):
            assert "Ann" not in answer.text, path


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_tokens_are_never_kept(client: FlaskClient) -> None:
    answer = Caller(client).post("/players", {"name": "Ann"}, 201)
    assert answer.headers["Cache-Control"] == "no-store"
