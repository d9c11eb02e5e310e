"""`server.engine` as its page shows it, and that playing, taking back and seeking come to the same."""

import doctest
import random
from pathlib import Path

import pytest

from server import engine
from server.engine.errors import IllegalMoveError

PAGE = Path(__file__).parent.parent.parent / "docs" / "engine.md"


def test_the_page_as_it_stands() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 10
    assert done.failed == 0


@pytest.mark.parametrize("number", range(4))
def test_push_pop_and_the_record_agree(number: int) -> None:
    """A random game, a third of its moves taken back at once: every ply is that of its record."""
    rng = random.Random(number)
    game = engine.new_game(["A", "B", "C"][: 2 + number % 2], rng.randbytes(32), ["x"], {"tower": number > 1})
    digests = [game.state().digest()]
    while game.active is not None:
        legal = game.legal_moves()
        if rng.random() < 0.3:
            game.push(rng.choice(legal))
            game.pop()
            assert game.state().digest() == digests[-1]
        game.push(engine.format_move(rng.choice(legal)))
        digests.append(game.state().digest())
    assert game.legal_moves() == []
    with pytest.raises(ValueError, match="over"):
        game.push("end")
    record = engine.loads(engine.dumps(game.to_record()))
    assert engine.verify(record).digest() == digests[-1]
    again = engine.Game(record)
    plies = rng.sample(range(again.plies + 1), 40)
    assert [again.state(ply).digest() for ply in plies] == [digests[ply] for ply in plies]
    for ply in plies[:8]:
        replayed = engine.Game(engine.Record(**{**_fields(record), "moves": record.moves[:ply]}))
        for seat in (*range(len(record.players)), None):
            assert replayed.view(seat=seat) == again.view(ply, seat)


def _fields(record: engine.Record) -> dict[str, object]:
    return {name: getattr(record, name) for name in engine.Record.__dataclass_fields__}


def test_what_cannot_be_played_changes_nothing() -> None:
    game = engine.new_game(["A", "B"], bytes(32))
    with pytest.raises(IllegalMoveError):
        game.push("end")
    with pytest.raises(IllegalMoveError):
        game.push("draw", seat=1 - (game.active or 0))
    with pytest.raises(IndexError):
        game.pop()
    assert game.plies == 0
