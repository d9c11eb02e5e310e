"""What is kept of answers for repeats of their requests: little, and enough to say the same again."""

import random
from contextlib import suppress

import orjson
import pytest

from server.routes.http.problem_details import status_of
from server.service.archive import sandboxes
from server.service.common.errors import ServiceError
from server.service.play import turns
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start
from tests.tables import Reply

ADVANCED = {"tower": True, "rotate_start": True}


def answer_to(game: Match, seat: int, ply: int, moves: list[str], key: str) -> bytes:
    """What a request with a key is answered with, as bytes; a refusal with its kind and words."""
    try:
        return orjson.dumps(game.play(seat, *moves, ply=ply, key=key))
    except ServiceError as error:
        return orjson.dumps([status_of(error), error.message, error.errors])


def play_with_keys(game: Match, rng: random.Random, requests: int) -> dict[str, tuple[int, int, list[str], bytes]]:
    """Random requests of all seats, each with a key of its own: moves, illegal ones, late ones, some taken back."""
    sent: dict[str, tuple[int, int, list[str], bytes]] = {}
    for number in range(requests):
        if game.to_move is None:
            break
        seat = game.active if rng.random() < 0.9 else rng.randrange(len(game.players))
        ply = game.ply(seat) - (rng.random() < 0.05)
        legal = game.legal(seat)
        moves = [rng.choice([*legal, "push N1", "end", "draw", "play 3"])]
        if legal == ["end"] or rng.random() < 0.2:
            moves.append("end")
        key = f"key-{number}"
        sent[key] = (seat, ply, moves, answer_to(game, seat, ply, moves, key))
        if rng.random() < 0.15 and (mover := game.to_move) is not None:
            with suppress(ServiceError):
                turns.undo(game.store, game.id, game.players[mover], max(0, game.ply(mover) - 1), game.clock())
    return sent


def stored_bytes(store: Store) -> int:
    return store.ask(lambda: sum(len("".join(map(str, row))) for row in Reply.select().tuples()))


@pytest.mark.parametrize(("seats", "options", "auto_draw"), [(2, None, True), (3, ADVANCED, False)])
def test_every_answer_is_given_again_byte_for_byte(
    match: Start, seats: int, options: dict[str, bool] | None, auto_draw: bool
) -> None:
    """Whatever came after it: other moves, moves taken back, somebody's hidden draw, the end of the game."""
    game = match(seats=seats, options=options, auto_draw=auto_draw, seed=seats)
    rng = random.Random(seats)
    sent = play_with_keys(game, rng, 80)
    for key in rng.sample(sorted(sent), 10):
        assert answer_to(game, *sent[key][:3], key) == sent[key][3], key
    while game.to_move is not None:
        game.play(game.active, "resign")
    codes = {orjson.loads(answer)[0] if answer.startswith(b"[") else 201 for *_rest, answer in sent.values()}
    assert codes >= {201, 409, 422}
    for key, (seat, ply, moves, answer) in sent.items():
        assert answer_to(game, seat, ply, moves, key) == answer, (key, moves)


def test_an_answer_takes_a_fraction_of_what_it_says(match: Start) -> None:
    """14,726 answers took 46 MB, where the moves took 1.1 MB."""
    game = match(seats=4, options=ADVANCED)
    sent = play_with_keys(game, random.Random(7), 100)
    assert stored_bytes(game.store) < 250 * len(sent)
    played = [answer for *_rest, answer in sent.values() if answer.startswith(b"{")]
    assert sum(map(len, played)) > 1500 * len(played)


def test_answers_in_a_sandbox_are_those_of_the_seat_that_moved(match: Start) -> None:
    game = match()
    game.play_turn()
    page = sandboxes.branch(game.store, game.players[0], game.id, game.ply(0), 0, None, None, NOW, random.Random(1))
    box = Match(game.store, page["id"], [game.players[0]] * 2)
    first = []
    for number in range(12):
        seat = box.active
        moves = [next(move for move in box.legal(seat) if move != "resign")]
        first.append((box.ply(seat), moves, answer_to(box, 0, box.ply(seat), moves, f"k{number}")))
    last = (box.ply(0), ["resign"], answer_to(box, 0, box.ply(0), ["resign"], "k12"))
    assert box.to_move is None
    for number, (ply, moves, answer) in enumerate([*first, last]):
        assert answer_to(box, 0, ply, moves, f"k{number}") == answer
