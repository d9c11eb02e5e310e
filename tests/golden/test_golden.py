"""Golden games: whole games that must replay to the last bit for ever, and together show all that can be played."""

import gzip
import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from server.board.events import told
from server.engine import record, rulesets
from server.engine.errors import RecordError
from server.engine.record import Record
from server.engine.rulesets import Rules

BATCHES = sorted(Path(__file__).parent.glob("batch-*.jsonl.gz"))
TRACE = "trace"  # the key of a golden record that pins the digest of every ply
COUNT = {"batch-1.jsonl.gz": 56, "batch-2.jsonl.gz": 34, "batch-3.jsonl.gz": 1, "batch-4.jsonl.gz": 44}
"""How many games each batch holds: none is ever lost."""


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@cache
def _games() -> dict[str, Record]:
    return {game.id: game for path in BATCHES for game in map(record.loads, lines(path))}


def trace(digests: list[str]) -> str:
    """What pins the digests of all plies in 64 characters: the SHA-256 of their texts in a row."""
    return sha256("".join(digests).encode("ascii")).hexdigest()


@pytest.mark.parametrize("name", list(_games()))
def test_golden_game_replays_to_the_last_bit(name: str) -> None:
    """Every move is legal, every stored digest, the digest of every ply (by the trace) and the result are the same."""
    game = _games()[name]
    steps = list(record.replay(game))
    assert record.verify(game).to_dict() == steps[-1].state.to_dict()
    assert trace([step.state.digest() for step in steps]) == game.extra[TRACE]
    assert game.result is not None, "a golden game is a finished one"


@pytest.mark.parametrize(
    "rules", [rulesets.rules_for(name) for name in rulesets.built_in()], ids=lambda rules: rules.name
)
def test_golden_games_play_and_tell_everything(rules: Rules) -> None:
    """Each text that is a move at all, each choice and each kind of event; games of each size with each option."""
    moves, choices, kinds, sizes = set(), set(), set(), set()
    for game in (game for game in _games().values() if game.ruleset == rules.name):
        sizes.add((len(game.players), *game.options.values()))
        for step in record.replay(game):
            moves.add(step.entry.text)
            choices |= {choice[0] for choice in step.state.pending}
            kinds |= {event.kind for event in step.events}
    assert not rules.notation.moves.keys() - moves, "no golden game plays these; add a batch (README.md)"
    assert rules.choices.keys() - choices == {"credit"}, "it is asked only under credits_at_once"
    unseen = {"round_tower", "no_push", "credits_lapse"}  # no kind of its own; too rare for random play; see above
    assert told().keys() - kinds <= (unseen if rules.having("steps_exact") else {*unseen, "card_steps"})
    assert len(sizes) == 12


def test_no_golden_game_is_lost() -> None:
    assert {path.name: len(lines(path)) for path in BATCHES} == COUNT
    assert sum(COUNT.values()) == len(_games()), "each has a name of its own"


@pytest.mark.parametrize("path", BATCHES, ids=lambda path: path.name)
def test_batches_are_written_as_read(path: Path) -> None:
    """Reading and writing a game loses nothing, so other tools may read the lines as plain records."""
    assert [record.dumps(record.loads(line)) for line in lines(path)] == lines(path)
    assert path.stat().st_size <= 5000 * COUNT[path.name], "a clone carries them for ever"


def test_a_changed_golden_game_is_noticed() -> None:
    """The battery can fail: a move, a stored digest and the trace each give a change away."""
    game = max(_games().values(), key=lambda each: len(each.moves))
    data = json.loads(record.dumps(game))
    ply = next(ply for ply, move in enumerate(data["moves"], 1) if move[0].startswith("push"))
    slot = data["moves"][ply - 1][0].split()[1]
    data["moves"][ply - 1][0] = data["moves"][ply - 1][0].replace(slot, "N1" if slot != "N1" else "N2")
    with pytest.raises(RecordError):
        record.verify(record.from_dict(data))
    assert game.extra[TRACE] != trace(list(game.digests.values()))
