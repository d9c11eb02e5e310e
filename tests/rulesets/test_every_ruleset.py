"""What must hold of every registered ruleset: its tables are whole, and random games stay sound at every ply."""

import re
import tomllib
from pathlib import Path
from random import Random

import pytest

from replays import positions
from server.board.events import sentences
from server.board.words import words_of
from server.engine import own_values, record, rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.events import Event
from server.engine.record import MoveEntry
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.tables import CHRONICLE, LAST_SPACE, QUARTERS, SLOTS, TOWER, TRADE
from server.language import LANGUAGES
from server.service.common import own_rulesets
from tests.rulesets import test_own_values, ulm_test1

BOX = own_values.ruleset_of(tomllib.loads(test_own_values.BOX)).rules
EXAMPLE = own_rulesets.read(Path(__file__).parents[2] / "examples/box.toml").rules
OTHERS = (ulm_test1.RULES, BOX, EXAMPLE)
EVERY = pytest.mark.parametrize("rules", [*rulesets.ALL.values(), *OTHERS], ids=lambda rules: rules.name)
NAMES = ["Anna", "Ben", "Clara"]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for rules in OTHERS:
        monkeypatch.setitem(rulesets.ALL, rules.name, rules)


@EVERY
def test_its_tables_are_whole(rules: Rules) -> None:
    assert re.fullmatch(r"[a-z-]+/[1-9][0-9]*(-[0-9a-f]{8})?", rules.name)
    assert len(rules.name) <= 32  # the column of the database
    assert 1 <= rules.rounds <= len(TOWER)
    assert len(rules.space_value) == LAST_SPACE + 1
    assert len(rules.seal_spaces) == len(rules.crest_vp) == len(QUARTERS)
    for bank in (rules.north_bank, rules.south_bank):
        spaces = [space for first, last, _ in bank for space in range(first, last + 1)]
        assert spaces == list(range(1, LAST_SPACE + 1))
    assert sorted(q for *_, q in (*rules.north_bank, *rules.south_bank)) == list(range(len(QUARTERS)))
    assert tuple(rules.coats) == SLOTS
    assert sorted(q for _, q, _ in rules.coats.values() if q is not None) == list(range(len(QUARTERS)))
    assert list(rules.cathedral) == list(ULM1.cathedral)
    assert set(rules.verbs) >= set(ULM1.verbs)
    assert set(rules.choices) >= set(ULM1.choices)
    assert set(rules.privileges) == set(QUARTERS)
    assert set(rules.chronicle_vp) == set(CHRONICLE)
    assert set(rules.tops) == {*TRADE, *CHRONICLE}
    assert all(kind in rules.effects for top in rules.tops.values() for kind, _ in top.effects)


def test_a_file_can_say_what_the_engine_can_do() -> None:
    """And the example shows each of it."""
    assert set(own_values.EFFECTS) == set(ULM1.effects)
    assert {kind for top in EXAMPLE.tops.values() for kind, _ in top.effects} == set(ULM1.effects)


@EVERY
def test_its_own_words_are_words_of_the_board(rules: Rules) -> None:
    for language, kinds in rules.words.items():
        for kind, texts in kinds.items():
            assert texts.items() <= getattr(words_of(language, rules), kind).items()
            assert texts.keys() <= getattr(words_of(language), kind).keys(), "a name that nothing on the board has"
    for language in LANGUAGES:
        words = words_of(language, rules)
        assert "$" not in repr([getattr(words, kind) for kind in type(words).__dataclass_fields__ if kind != "rules"])


@EVERY
@pytest.mark.parametrize("number", range(6))
def test_a_random_game_stays_sound(rules: Rules, number: int) -> None:
    """Every piece is where one can be; copy, JSON form and canonical text say the same; nothing hidden is in a mask."""
    rng = Random(number)
    server_seed, clients = rng.randbytes(32), ["", "x", ""]
    options = {"tower": number % 2 == 0, "rotate_start": number > 1}
    state = rules.new_game(seeds.game_seed(server_seed, clients), 3, options)
    log: list[MoveEntry] = []
    events: list[Event] = []
    while state.active is not None:
        positions.check(state)
        data = state.to_dict()
        assert data["ruleset"] == rules.name
        assert state.canonical_json() == canonical_json(data)
        assert rulesets.state_from_dict(data).to_dict() == state.copy().to_dict() == data
        for seat in range(3):
            assert rules.view(rules.masked(state, seat), seat) == rules.view(state, seat)
        legal = rules.legal_moves(state)
        assert all(rules.parse_move(format_move(move)) == move for move in legal)
        move = rng.choice([move for move in legal if move[0] != "end"] or legal)
        log.append(MoveEntry(format_move(move), state.active))
        state, happened, _ = rules.apply(state, state.active, move)
        events += happened
    assert (state.round, state.phase) == (rules.rounds, "over")
    assert len(sentences(rules, events, NAMES, see_all=True)) == len(events)
    made = record.make("x", "", options, NAMES, server_seed, clients, log, rules=rules)
    assert record.verify(record.loads(record.dumps(made))).digest() == state.digest()
