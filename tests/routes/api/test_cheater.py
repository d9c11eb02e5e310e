"""As a cheater: what no answer, header, time or error may tell."""

import random
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from server.service.games import loading, model, move_log
from server.storage.database import Store
from tests.routes.caller import Caller, new_game, play_on, players
from tests.routes.conftest import SQLITE

pytestmark = SQLITE
CARD = re.compile(
    r"(?:nave|choir|steeple)-[123]|(?:fustian|works_of_art|commercial_goods)-(?:gray|white|brown|turquoise|orange)"
    r"|first_chronicle|city_wall|construction_freeze|fisherman_jousting|patrician|reformation|siege|swabian_league"
    r"|ulm_sparrow"
)
# Headers that differ between any two answers, or tell the time of day.
VARYING = {"Date", "X-Request-Id", "RateLimit"}


def truth(store: Store, game: str) -> model.Game:
    """The game as the server knows it."""
    with store.write():
        return loading.for_change(store, game)


def shape(response: TestResponse) -> tuple[int, dict[str, str], bytes]:
    """All that somebody can see of an answer."""
    return (
        response.status_code,
        {name: value for name, value in response.headers if name not in VARYING},
        response.data,
    )


def looks(caller: Caller, game: str, to_move: bool = False) -> list[tuple[int, dict[str, str], bytes]]:
    """Everything that `caller` can ask about a running game; of one who is to move, nothing that changes it."""
    paths = [
        f"/games/{game}", f"/games/{game}/moves", f"/games/{game}/moves?since=1", "/games", "/games?status=running",
        f"/replays/{game}", f"/replays/{game}/record", f"/replays/{game}/states/0", f"/replays/{game}/states/1?seat=0",
        f"/replays/{game}/timeline", "/replays",
    ]  # fmt: skip
    if caller.token:
        paths.append(f"/games/{game}/legal-moves")
    answers = [caller.get(path, status=None) for path in paths]
    if caller.token:
        for ply in (0, 1, 2, 999):
            for where in ("moves", "preview"):
                answers.append(caller.call("POST", f"/games/{game}/{where}", {"ply": ply, "moves": ["fly"]}))
                if not to_move:
                    request = {"ply": ply, "moves": ["river", "end"]}
                    answers.append(caller.call("POST", f"/games/{game}/{where}", request))
            if not to_move:
                answers.append(caller.call("POST", f"/games/{game}/undo", {"ply": ply}))
    return [shape(answer) for answer in answers]


@pytest.fixture
def game_before_the_draw(client: FlaskClient) -> tuple[str, Caller, Caller]:
    """A game whose mover has not drawn; the mover and the other."""
    callers = players(client, 2, auto_draw=False)
    game = new_game(callers)
    seat = callers[0].page(game)["to_move"]
    return game, callers[seat], callers[1 - seat]


def test_a_batch_that_fails_after_the_draw_does_not_show_it(
    game_before_the_draw: tuple[str, Caller, Caller], store: Store
) -> None:
    game, mover, _ = game_before_the_draw
    before = truth(store, game)
    for batch in (["draw", "fly"], ["draw", "push Q9"], ["draw", "draw draw"]):
        answer = mover.play(game, *batch, status=422)
        assert answer.json["errors"]["index"] == 1
        after = truth(store, game)
        assert after.position.digest() == before.position.digest()
        assert after.version == before.version
    # Legal words behind the draw: it is played, they are not even looked at, right or wrong.
    answer = mover.play(game, "draw", "barge 2", status=201)
    assert (answer.json["applied"], answer.json["ply"]) == (1, 1)


def test_nobody_else_can_tell_that_a_draw_happened(
    app: Flask, client: FlaskClient, game_before_the_draw: tuple[str, Caller, Caller]
) -> None:
    """Status, headers and bytes of every answer are the same before and after the draw (record.md §4)."""
    game, mover, other = game_before_the_draw
    strangers = [Caller(client), Caller(client, "Eve")]
    before = [looks(caller, game) for caller in [other, *strangers]]
    listed = other.get("/games?status=running").data
    mover.play(game, "draw", status=201)
    assert mover.page(game)["ply"] == 1
    assert [looks(caller, game) for caller in [other, *strangers]] == before
    assert other.get("/games?status=running").data == listed
    # What the other sends in the meantime is judged by the ply that the other sees.
    answer = other.play(game, "resign", ply=1, status=409)
    assert answer.json["errors"] == {"ply": 0}
    other.play(game, "resign", ply=0, status=201)


def test_the_counters_are_for_the_operator(client: FlaskClient) -> None:
    """They are at a port of their own: a proxy that says nothing of itself leads strangers to this one."""
    for name in ("127.0.0.1:8000", "localhost:8000", "ulm.example.org"):
        assert client.get("/metrics", headers={"Host": name}).status_code == 404


def test_hands_and_seeds_stay_secret_through_a_game(client: FlaskClient, store: Store) -> None:
    """At many points of a game, the raw bytes of every answer are searched for what its reader must not know."""
    rng = random.Random(1)
    callers = players(client, 3)
    stranger = Caller(client)
    checked = hands = 0

    def look(page: dict[str, Any], legal: list[str]) -> bool:
        nonlocal checked, hands
        holding = any(player["hand_size"] for player in page["view"]["players"])
        if rng.random() > (0.3 if holding else 0.05) or checked >= (15 if holding else 10):
            return False
        checked += 1
        whole = truth(store, game)
        state = whole.position
        public = {card for player in state.players for card in player.table} | set(state.discard)
        secrets = [whole.server_seed, whole.seed.hex()] + [seat.client_seed for seat in whole.seats[1:]]
        for viewer, caller in enumerate([*callers, stranger]):
            own = set(state.players[viewer].hand) if viewer < 3 else set()
            offered = {
                card
                for choice in state.pending
                for part in choice[1:]
                if isinstance(part, (list, tuple))
                for card in part
            }
            log = {
                word
                for entry in whole_log(store, game)
                for word in entry.move
                if entry.seat == viewer or entry.move[0] in ("play", "take")
            }
            known = public | own | log | (offered if viewer == state.active else set())
            hidden = {card for other, player in enumerate(state.players) if other != viewer for card in player.hand}
            hands += len(hidden)
            for status, headers, body in looks(caller, game, viewer == state.active):
                text = body.decode().replace('"patrician":', "") + repr(headers)
                for secret in secrets:
                    assert secret not in text
                for token in (other.token for other in callers):
                    assert str(token) not in text
                named = set(CARD.findall(text))
                assert named <= known, (status, named - known)
                assert '"pile"' not in text
                assert '"chance"' not in text
        return False

    for _ in range(10):  # the shuffle is the server's: now and then nobody comes to a card
        game = new_game(callers, options={"tower": True})
        play_on(callers, game, rng, stop=look)
        if hands and checked >= 3:
            return
    raise AssertionError("there was nothing to search for")


def whole_log(store: Store, game: str) -> list[model.Entry]:
    """Every standing move."""
    with store.read():
        return move_log.log(store, loading.for_reader(store, game, None))


def test_ids_are_not_counted(client: FlaskClient) -> None:
    ann = Caller(client, "Ann")
    ids = [ann.post("/games", {"seats": 2}, 201).json["id"] for _ in range(5)]
    assert all(re.fullmatch(r"[a-z0-9]{10,}", name) for name in ids)
    assert sorted(ids) != ids or len({name[:6] for name in ids}) == 5
