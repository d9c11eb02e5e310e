"""Moves as text and back (record.md §3), and the stream of record.md §1 as properties."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.engine import chance
from server.engine.errors import InvalidMoveError, MissingSeedError, UlmError
from server.engine.ulm1.notation import USAGE, format_move
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm2 import RULES
from tests.engine.battery import MORE

NEARLY = st.sampled_from(sorted(RULES.notation.moves)).flatmap(
    lambda text: st.sampled_from([text, text[:-1], text + "x", text.upper(), text.replace(" ", "  ")])
)
QUICK = settings(max_examples=100 * MORE, deadline=None, derandomize=MORE == 1)
VERBS = """draw pick keep swap push money clear buy play river sail seal exchange salvage levy end resign
           coat descendant coin dock pass choose search take barge""".split()
WORDS = sorted({word for text in RULES.notation.moves for word in text.split()})


def test_every_verb_of_record_md() -> None:
    """record.md §3: the verbs, and how many moves each has."""
    assert sorted(USAGE) == sorted(VERBS)
    number = {verb: sum(move[0] == verb for move in RULES.notation.moves.values()) for verb in VERBS}
    assert number == {
        "draw": 1, "pick": 5, "keep": 5, "swap": 5, "push": 12 + 60, "money": 1, "clear": 4, "buy": 15 + 5 + 1,
        "play": 33 + 18 + 15 + 7 + 4 + 5, "river": 1, "sail": 1, "seal": 8, "exchange": 20, "salvage": 1,
        "levy": 15 + 1, "end": 1, "resign": 1, "coat": 12, "descendant": 8, "coin": 1, "dock": 5, "pass": 1,
        "choose": 33, "search": 1, "take": 33, "barge": 3,
    }  # fmt: skip
    assert ULM1.notation.moves.keys() - RULES.notation.moves.keys() == {"barge 3"}


def test_parse_and_format_undo_each_other() -> None:
    """Each move has one text, and each text one move."""
    for text, move in RULES.notation.moves.items():
        assert RULES.parse_move(text) == move
        assert format_move(move) == text
    assert len(set(RULES.notation.moves.values())) == len(RULES.notation.moves)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "draw ", " draw", "DRAW", "Draw", "push", "push n2", "push N4", "push N2 gray gray", "push  N2",
        "push\tN2", "buy white gray", "buy orange gray", "levy white gray", "exchange gray gray", "barge 3", "barge -1",
        "barge 01", "play siege", "play siege top gray", "play nave-1 top", "play nave-1 top orange",
        "play ulm_sparrow top 0", "play ulm_sparrow top 6", "play city_wall top", "play city_wall top NE", "seal ulm",
        "take", "coin 1", "end\n", "draw\0", "push Ｎ2", "resign 1", "buy coin coin", "descendant knight",
        "choose siege siege", "clear n",
    ],
)  # fmt: skip
def test_what_is_no_move(text: str) -> None:
    """Texts that are nearly moves are refused, with a hint or the usage."""
    with pytest.raises(InvalidMoveError, match="is no move") as caught:
        RULES.parse_move(text)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("junk", [None, 7, 1.5, b"draw", ["draw"], ("draw",), {"a": 1}, object()])
def test_what_is_no_text(junk: object) -> None:
    """Other types are refused like texts."""
    with pytest.raises(InvalidMoveError, match="is a text"):
        RULES.parse_move(junk)  # type: ignore[arg-type]


def test_hints() -> None:
    """The message says what to write instead."""
    for text in ("push n2", "PUSH N2", "push  N2", "Push N2 "):  # not another slot that looks as near
        with pytest.raises(InvalidMoveError, match="did you mean 'push N2'"):
            RULES.parse_move(text)
    with pytest.raises(InvalidMoveError, match="did you mean 'seal shipyard'"):
        RULES.parse_move("seal shipyrad")
    with pytest.raises(InvalidMoveError, match="write buy COLOR COLOR"):
        RULES.parse_move("buy")
    with pytest.raises(InvalidMoveError, match="a move begins with one of draw, pick"):
        RULES.parse_move("castle")
    with pytest.raises(InvalidMoveError, match="at most"):
        RULES.parse_move("x" * 10**6)


@QUICK
@given(st.text() | st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | NEARLY)
def test_arbitrary_text_is_a_move_or_refused(text: str) -> None:
    """No text crashes the parser; what it takes is in the list and formats back."""
    if text in RULES.notation.moves:
        assert format_move(RULES.parse_move(text)) == text
        assert RULES.notation.moves[text] == RULES.parse_move(text)
    else:
        with pytest.raises(InvalidMoveError, match="move"):
            RULES.parse_move(text)


def test_rejected_numbers_are_skipped() -> None:
    """record.md §1: with n = 2^63 + 1 about half of the numbers are refused; below never folds them over."""
    seed, n = sha256(b"x").digest(), 2**63 + 1
    counter, taken = 0, 0
    for _ in range(40):
        result, after = chance.below(seed, counter, n)
        assert all(chance.u64(seed, skipped) >= n for skipped in range(counter, after - 1))
        assert result == chance.u64(seed, after - 1)
        taken += after - counter
        counter = after
    assert taken > 50


def test_without_a_seed_there_is_no_chance() -> None:
    """Whoever may not see chance may not use it, not even for the last tile."""
    for n in (1, 2):
        with pytest.raises(MissingSeedError):
            chance.below(None, 0, n)
    assert issubclass(MissingSeedError, UlmError)
    assert issubclass(UlmError, ValueError)
