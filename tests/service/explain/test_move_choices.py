"""Legal moves for people: nothing lost, nothing added, and what a push and an end of the turn bring."""

import random
import re
from collections import Counter

import pytest

from server.engine.events import Event
from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.tables import COLORS
from server.engine.ulm2 import RULES
from server.language import LANGUAGES, collect, speaking
from server.service.explain import game_words, move_choices
from server.service.explain.history import turn_in_short


def positions(seed: int, seats: int = 3, tower: bool = True):
    """The positions of a random game, with the move that is played from each."""
    rng = random.Random(seed)
    state = RULES.new_game(bytes([seed]) * 32, seats, {"tower": tower})
    while state.active is not None:
        legal = game.legal_moves(state)
        kinds = sorted({move[0] for move in legal})
        kind = rng.choice(kinds)
        move = rng.choice([move for move in legal if move[0] == kind])
        yield state.copy(), move
        game.advance(state, move, [])


@pytest.mark.parametrize("seed", range(4))
def test_groups_hold_every_legal_move_once_and_no_other(seed):
    seen = set()
    for state, _ in positions(seed):
        seat = state.active
        groups = move_choices.groups(state, seat)
        listed = [option.move for group in groups for option in group.options]
        assert sorted(listed) == sorted(format_move(move) for move in game.legal_moves(state))
        assert len(listed) == len(set(listed))
        assert move_choices.numbered(state, seat) == listed, "numbers mean what the letter lists"
        for group in groups:
            assert group.title
            labels = [(option.label, option.detail) for option in group.options]
            assert len(labels) == len(set(labels)), f"two buttons of one meaning: {labels}"
            assert all(label and "_" not in label + detail for label, detail in labels)
        seen |= {group.kind for group in groups}
        assert move_choices.groups(state, (seat + 1) % 3) == []
    assert seen >= {"draw", "push", "actions", "end", "choice"}


def test_what_is_of_no_use_after_a_push_is_said_once_below_the_list():
    """In German it drowned the pushes."""
    seen = 0
    for seed in range(3):
        for state, _ in positions(seed, 2, False):
            group = next((one for one in move_choices.groups(state, state.active) if one.kind == "push"), None)
            if group is None:
                continue
            whys = [one.why for one in group.unused]
            assert len(whys) == len(set(whys))
            assert [one.never for one in group.unused] == sorted((one.never for one in group.unused), reverse=True)
            for option in group.options:
                said = {effect.text: effect for effect in option.effects if effect.sign == "idle"}
                assert not said.keys() & {effect.text for effect in option.told}
                assert said.keys() == {one.why for one in group.unused if option.push.slot in one.slots}
                assert tuple(color for color, _ in option.line) == tuple(option.push.line)
                struck = Counter(color for color, unused in option.line if unused)
                assert struck == {one.color: one.number for one in said.values() if one.number}
                seen += len(said)
    assert seen > 50


def test_what_is_lost_by_ending():
    """B2: after the last round cards are worth nothing. (What is lost is the engine's to say: `test_remaining`.)"""
    said = {}
    for seed in range(6):
        for state, _ in positions(seed):
            if ("end",) in game.legal_moves(state):
                lost = move_choices.lost_by_ending(state, state.active)
                said.setdefault(state.round == state.rules.rounds, set()).update(lost)
    assert {"5 VP, because this round’s levy is not paid", "1 Coin action"} <= said[True] | said[False]
    for last, kept in ((True, "count for nothing"), (False, "stay in your hand")):
        assert {kept in text for text in said[last] if text.startswith("playing a card")} == {True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_whole_in_every_language(language):
    """The same moves, whatever the language: no two of one label, nothing left unfilled, names in that language; nor in
    what they bring and in what is not possible, which nothing is that is offered."""
    met = set()
    with speaking(language):
        words = game_words.words()
        for state, _ in positions(2):
            seat = state.active
            for group in move_choices.groups(state, seat):
                labels = [(option.label, option.detail) for option in group.options]
                assert len(labels) == len(set(labels))
                refused = [one.label for one in group.impossible]
                assert not {label for label, _ in labels} & set(refused)
                assert all(one.why for one in group.impossible)
                parts = [group.title, *(part for label in labels for part in label), *refused]
                parts += [effect.text for option in group.options for effect in option.effects]
                said = " ".join(parts + [one.why for one in group.impossible])
                assert "%(" not in said
                assert "{" not in said
                assert "_" not in said
                met |= {one.rule for one in group.impossible}
                if group.kind == "push":
                    assert any(words.action_names[color] in said for color in COLORS)
            assert all("%(" not in line for line in move_choices.lost_by_ending(state, seat))
    assert len(met) > 4


def test_no_english_text_has_an_article_before_a_name_that_may_begin_with_a_vowel():
    """`a orange tile`: a colour is filled in, so `a` may be wrong, and `an` too."""
    ids = [message.id for message in collect.collected() if message.id]
    texts = [text for one in ids for text in ([one] if isinstance(one, str) else one)]
    assert len(texts) > 1000
    assert [text for text in texts if re.search(r"\b[Aa]n? %\((color|first|tile|given|taken)\)", text)] == []


def test_what_is_final_says_why_in_the_same_words_everywhere() -> None:
    """L3: an open tile from the docks uncovers the one that replaces it."""
    said = {}
    for state, _ in positions(3):
        for group in move_choices.groups(state, state.active):
            for one in group.options:
                assert bool(one.final) == one.reveals
                said.setdefault(one.move.split()[0], set()).add(one.final)
    assert said["dock"] == {"cannot be taken back: the docks are refilled"}
    assert said["draw"] == {"cannot be taken back: it uncovers something"}


IN_SHORT = [
    ([Event("push", 0, ("gray", "N2", "white", "S2"))], "pushed at N2"),
    (
        [Event("draw", 0, ("gray",), 1), Event("push", 0, ("gray", "N2", "white", "S2")), Event("money", 0, (), 1),
         Event("money", 0, (), 1), Event("seal", 0, ("garden",), 2), Event("hof_vp", 0, (), 3)],
        "pushed at N2, took 2 coins and placed a seal in the Garden",
    ),
    ([Event("barge", 0, (), 5), Event("barge", 0, (), 6), Event("space_coin", 0, (), 1)],
     "sailed to space 6 and took a coin"),
    ([Event("keep_card", 0, ("nave",), 1, True)], "took a card"),
    ([Event("crest_vp", 1, ("garden",), 1), Event("end", 0)], "ended the turn"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "said"), IN_SHORT)
def test_a_turn_is_told_in_one_sentence(events: list[Event], said: str) -> None:
    assert turn_in_short(RULES, "Blue", 0, events) == f"Blue {said}"
