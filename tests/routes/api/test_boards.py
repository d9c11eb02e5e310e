"""The board over HTTP: for the caller's eyes, at every ply, as a picture and as text."""

import random
import re

from flask.testing import FlaskClient

from tests.routes.caller import Caller, new_game, play_on, players
from tests.routes.conftest import SQLITE


def kinds(game: str) -> tuple[str, str]:
    return f"/games/{game}/board.svg", f"/games/{game}/board.txt"


def data_ply(svg: str) -> int:
    found = re.search(r'<svg [^>]*data-ply="(\d+)"', svg)
    return int(found[1])


def test_a_hidden_draw_is_in_no_picture_and_no_tag(client: FlaskClient, stranger: Caller) -> None:
    callers = players(client, 2, auto_draw=False)
    game = new_game(callers)
    seat = callers[0].page(game)["to_move"]
    mover, other = callers[seat], callers[1 - seat]

    def seen(caller: Caller) -> list[tuple[str, str, str]]:
        answers = [caller.get(path + query) for path in kinds(game) for query in ("", "?ply=0")]
        return [(answer.text, answer.headers["ETag"], answer.headers["Cache-Control"]) for answer in answers]

    before = [seen(other), seen(stranger), seen(mover)]
    mover.play(game, "draw", status=201)
    assert [seen(other), seen(stranger)] == before[:2]
    assert seen(mover) != before[2]
    for caller in (other, stranger):
        refused = [caller.get(f"/games/{game}/board.svg?ply={ply}", status=404).json["message"] for ply in (1, 2, 999)]
        assert len(set(refused)) == 1
    push = next(move for move in mover.legal(game) if move.startswith("push"))
    mover.play(game, push, status=201)
    # Once it is known, the earlier ply still shows what each of them saw then.
    assert data_ply(other.get(f"/games/{game}/board.svg?ply=1").text) == 0
    assert data_ply(mover.get(f"/games/{game}/board.svg?ply=1").text) == 1
    assert data_ply(stranger.get(f"/games/{game}/board.svg").text) == 2


def test_a_picture_is_a_document_that_loads_nothing(client: FlaskClient) -> None:
    callers = players(client, 2)
    game = new_game(callers, options={"tower": True})
    answer = callers[0].get(f"/games/{game}/board.svg?theme=dark&size=360&language=de")
    assert answer.mimetype == "image/svg+xml"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert re.search(r'<svg [^>]* width="360"', answer.text)
    text = callers[0].get(f"/games/{game}/board.txt?width=74&ascii=true&full=true")
    assert text.mimetype == "text/plain"
    assert text.text.isascii()
    assert max(map(len, text.text.splitlines())) <= 74
    for bad in ("theme=pink", "size=1", "size=99999", "layout=round", "language=xx", "ply=-1", "seat=0"):
        callers[0].get(f"/games/{game}/board.svg?{bad}", status=422)
    for bad in ("width=10", "width=1000", "ascii=1", "theme=dark"):
        callers[0].get(f"/games/{game}/board.txt?{bad}", status=422)


def test_what_may_be_taken_back_is_not_kept_for_ever(client: FlaskClient) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    page = play_on(callers, game, random.Random(5), stop=lambda page, legal: page["ply"] > 20 and "end" in legal)
    mover, ply = callers[page["to_move"]], page["ply"]

    def keeps(at: str) -> bool:
        mark, edition = "&" if at else "?", mover.page(game)["edition"]
        answer = mover.get(f"/games/{game}/board.svg{at}{mark}v={edition}")
        assert "immutable" not in mover.get(f"/games/{game}/board.svg{at}").headers["Cache-Control"]
        return "immutable" in answer.headers["Cache-Control"]

    assert not keeps("")
    assert not keeps(f"?ply={ply}")
    log = mover.get(f"/games/{game}/moves").json["moves"]
    last_end = max(entry["ply"] for entry in log if entry["move"] == "end")
    for at in range(ply + 1):
        if at % 3 == 0 or abs(at - last_end) < 2:
            assert keeps(f"?ply={at}") == (at < last_end), at


@SQLITE
def test_every_ply_shows_what_the_replay_shows(client: FlaskClient) -> None:
    """The picture of a finished game at a ply is that seat's view of the same ply in the replay."""
    callers = players(client, 2)
    game = new_game(callers, options={"tower": True})
    last = play_on(callers, game, random.Random(11))["ply"]
    for seat in (0, 1):
        for ply in range(0, last, 7):
            text = callers[seat].get(f"/games/{game}/board.txt?ply={ply}").text
            assert text == callers[seat].get(f"/replays/{game}/board.txt?ply={ply}&seat={seat}").text
