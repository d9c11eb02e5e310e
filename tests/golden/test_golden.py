"""Golden games: whole games that must replay to the last bit for ever, and together show everything in `features`."""

import gzip
import json
from functools import cache

import pytest

from server.engine import record
from server.engine.errors import RecordError
from server.engine.record import Record
from tests.golden import features, store


@cache
def _games() -> dict[str, Record]:
    return {game.id: game for path in store.batches() for game in store.read(path)}


@cache
def _replayed(name: str) -> store.Whole:
    return store.replay(_games()[name])


@pytest.mark.parametrize("name", list(_games()))
def test_golden_game_replays_to_the_last_bit(name: str) -> None:
    """Every move is legal, every stored digest, the digest of every ply (by the trace) and the result are the same."""
    game = _games()[name]
    last = record.verify(game)
    whole = _replayed(name)
    assert whole.trace == game.extra[store.TRACE]
    assert last.to_dict() == whole.last.to_dict()
    assert game.result is not None, "a golden game is a finished one"


def test_golden_games_contain_every_feature() -> None:
    shown = frozenset().union(*(_replayed(name).features for name in _games()))
    assert not sorted(features.ALL - shown), "no golden game shows these; add a batch (README.md)"


def test_golden_games_have_names_of_their_own() -> None:
    count = sum(len(store.read(path)) for path in store.batches())
    assert count == len(_games()) >= 30


def test_batches_are_small() -> None:
    """A clone carries them for ever: at most 5 kB a game."""
    assert sum(path.stat().st_size for path in store.batches()) <= 5000 * len(_games())


@pytest.mark.parametrize("path", store.batches(), ids=lambda path: path.name)
def test_batches_are_written_as_read(path: store.Path, tmp_path: store.Path) -> None:
    """Reading and writing a batch loses nothing, so other tools may read the lines as plain records."""
    copy = tmp_path / path.name
    store.write(copy, store.read(path))
    assert gzip.decompress(copy.read_bytes()) == gzip.decompress(path.read_bytes())
    with pytest.raises(FileExistsError):
        store.write(copy, [])


def test_a_changed_golden_game_is_noticed() -> None:
    """The battery can fail: a move, a stored digest and the trace each give a change away."""
    game = max(_games().values(), key=lambda each: len(each.moves))
    data = json.loads(record.dumps(game))
    ply = next(ply for ply, move in enumerate(data["moves"], 1) if move[0].startswith("push"))
    slot = data["moves"][ply - 1][0].split()[1]
    data["moves"][ply - 1][0] = data["moves"][ply - 1][0].replace(slot, "N1" if slot != "N1" else "N2")
    with pytest.raises(RecordError):
        record.verify(record.from_dict(data))
    assert _replayed(game.id).trace != store.trace(game.digests.values())


def test_every_feature_can_be_named() -> None:
    """A feature that `of_step` yields but the list does not hold is a mistake that is refused, not swallowed."""
    with pytest.raises(ValueError, match="not in the list"):
        features.only_wanted({"move: fly"})
