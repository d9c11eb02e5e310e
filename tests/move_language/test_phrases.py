"""Phrases against the legal moves of games that are played at random."""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from server.engine.rulesets import NEWEST
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.language import LANGUAGES, speaking
from server.move_language.lexicon import VOCABULARIES, readings
from server.move_language.program import NEAR_MOST, Phrase, canonical, meanings
from server.move_language.writing import words
from server.service.explain import move_choices

LINES = json.loads(Path(__file__).with_name("lines.json").read_text("utf-8"))
MOVES = list(NEWEST.notation.moves.values())


def phrase(text: str) -> Phrase:
    return Phrase(text, words(text))


@cache
def positions(games: int = 4) -> tuple[State, ...]:
    """Positions of whole games, each with other moves."""
    found: list[State] = []
    for seed in range(games):
        rng = random.Random(seed)
        state = NEWEST.new_game(seed.to_bytes(32, "big"), 2 + seed % 3, {"tower": True, "rotate_start": False})
        while state.active is not None:
            found.append(state)
            legal = NEWEST.legal_moves(state)
            # Ends of turns would end most of them before anything is bought or sealed.
            moves = [move for move in legal if move != ("end",)] or legal
            state = NEWEST.apply(state, state.active, rng.choice(moves)).state
    return tuple(found)


@pytest.mark.parametrize("move", MOVES, ids=format_move)
def test_every_move_is_read_in_the_notation(move: Move) -> None:
    if move == ("resign",):
        assert meanings(NEWEST, words("resign")) == []  # a command
        return
    text = format_move(move)
    for written in (text, text.upper(), text.replace("_", " "), text.replace("-", " "), f"  {text}."):
        assert canonical(NEWEST, words(written)) == move
        assert move in meanings(NEWEST, words(written))


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_of_letters_never_mean_another_move(language: str) -> None:
    """Whoever copies what a letter calls a move plays that one, or is asked back and offered it."""
    with speaking(language):
        for state in positions(2)[::3]:
            seat = state.active
            assert seat is not None
            legal = NEWEST.legal_moves(state)
            for move in legal:
                # Where its tile lies the legal moves do not say; in "for 2 Card tiles" two words are fillers.
                if move in (("salvage",), ("buy", "brown", "brown")):
                    continue
                label = move_choices.option(state, seat, move).label
                found = phrase(label).candidates(NEWEST, legal)
                offered = phrase(label).near(NEWEST, legal)
                assert found == [move] or move in found or format_move(move) in offered or len(offered) == NEAR_MOST, (
                    label
                )
                assert not found or move in found, (label, move, found)


def test_labels_tell_a_river_action_from_a_step_to_ones_credit() -> None:
    state = next(state for state in positions() if ("river",) in NEWEST.legal_moves(state))
    seat = state.active
    assert seat is not None
    for language in LANGUAGES:
        with speaking(language):
            for move in (("river",), ("sail",)):
                label = move_choices.option(state, seat, move).label
                assert phrase(label).candidates(NEWEST, [("river",), ("sail",)]) == [move], label


def test_every_language_has_words_for_everything() -> None:
    assert len({frozenset(one) for one in VOCABULARIES.values()}) == 1
    for table in ("verbs", "colors", "sides", "commands"):
        assert len({frozenset(one[table]) for one in VOCABULARIES.values()}) == 1, table
    assert set(VOCABULARIES["en"]["verbs"]) == {move[0] for move in MOVES} - {"resign"}


def test_what_is_not_said_is_left_to_the_legal_moves() -> None:
    legal = [("buy", "gray", "white"), ("end",)]
    assert phrase("buy").candidates(NEWEST, legal) == [("buy", "gray", "white")]
    legal.append(("buy", "gray", "gray"))
    assert phrase("buy").candidates(NEWEST, legal) == [("buy", "gray", "gray"), ("buy", "gray", "white")]


def test_what_says_all_of_a_move_is_not_short_for_another() -> None:
    """`buy gray` is a move of its own, under one tile of the Tower; nobody loses a second tile by it."""
    assert phrase("buy gray").candidates(NEWEST, [("buy", "gray", "white")]) == []
    assert phrase("push N1").candidates(NEWEST, [("push", "N1", "gray")]) == []


def test_a_word_with_two_meanings_is_asked_back() -> None:
    both = [("river",), ("sail",), ("end",)]
    assert phrase("fahre").candidates(NEWEST, both) == [("river",), ("sail",)]
    assert phrase("fahre").candidates(NEWEST, both[1:]) == [("sail",)]
    assert phrase("prendi una moneta").candidates(NEWEST, [("money",), ("end",)]) == [("money",)]
    assert phrase("prendi una moneta").candidates(NEWEST, [("coin",), ("dock", "gray")]) == [("coin",)]


def test_numbers_are_those_of_the_letter() -> None:
    numbered = [("push", "N1"), ("push", "N2"), ("swap", "white")]
    legal = [("push", "N2"), ("end",)]
    assert Phrase("2", (), 2).candidates(NEWEST, legal, numbered) == [("push", "N2")]
    assert Phrase("1", (), 1).candidates(NEWEST, legal, numbered) == []
    assert Phrase("4", (), 4).candidates(NEWEST, legal, numbered) == []
    assert Phrase("2. push N2", words("push N2"), 2).candidates(NEWEST, legal, numbered) == [("push", "N2")]
    assert Phrase("2. push N3", words("push N3"), 2).candidates(NEWEST, [("push", "N3"), *legal], numbered) == []


def test_near_moves_are_legal_ones_in_the_notation() -> None:
    legal = [("seal", "garden"), ("seal", "tillage"), ("money",), ("end",)]
    assert phrase("seal").near(NEWEST, legal) == ("seal garden", "seal tillage")
    assert phrase("seal town hall").near(NEWEST, legal) == ("seal garden", "seal tillage")
    assert phrase("Gärten").near(NEWEST, legal) == ("seal garden",)
    assert phrase("take 2 coins").near(NEWEST, legal) == ("money",)
    assert phrase("endd").near(NEWEST, legal) == ("end",)


@pytest.mark.parametrize(("written", "meant"), LINES["forgiven"])
def test_writing_that_is_forgiven(written: str, meant: str) -> None:
    assert [format_move(move) for move in meanings(NEWEST, words(written))] == [meant]


def test_reading_takes_no_time_whatever_is_written() -> None:
    """Words that mean much, many times: the number of readings is bounded."""
    assert len(readings(NEWEST, words("take coin " * 7))) <= 400
    assert readings(NEWEST, words("take coin " * 5000)) == set()
