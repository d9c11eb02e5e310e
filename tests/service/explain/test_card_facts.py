"""If it ended now: the same for everybody, and true; what a card counts is what the score has by it."""

from __future__ import annotations

import random

import pytest

from server.engine.ulm1.rules import RULES
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS, DESCENDANTS
from server.language import LANGUAGES, speaking
from server.service.explain import card_facts
from tests.engine.battery import scrambled
from tests.engine.positions import position
from tests.service.views.test_drafts import positions


def standing(state: State) -> list[Score]:
    """The scores if the game ended now."""
    return state.rules.standing(state, state.scores)


@pytest.mark.parametrize("number", [1, 2])
def test_the_standing_is_the_same_for_every_seat_and_for_the_true_state(number: int) -> None:
    """B2, E1: hands count nothing, so nothing that is hidden is in it; in the end it is the result."""
    rng, last = random.Random(number), None
    for state in positions(number, 3, True):
        shown = standing(state)
        for seats in ((), (0,), (1,), (2,)):
            assert standing(state.rules.dealt(state, seats, rng.shuffle)) == shown
        assert standing(scrambled(state, 1, rng)) == shown
        for score in shown:
            parts = score["vp"] + score["sparrows"] + score["barge"] + score["cathedral"] + score["trade"]
            assert score["total"] == parts + sum(score["chronicle"].values())
        last = state
    assert last is not None
    over = RULES.apply(last, last.active or 0, ("end",)).state
    assert over.scores is not None
    assert standing(over) == over.scores


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_facts_say_what_the_score_has_by_a_card(language: str) -> None:
    counted = 0
    with speaking(language):
        for state in list(positions(5, 3, True))[::40]:
            for card in CARDS:
                for seat in range(3):
                    facts = card_facts.of_card(RULES, card, state, seat)
                    assert facts == card_facts.of_card(RULES, card, RULES.masked(state, seat), seat)
                    laid = card_facts.with_card(state, seat, card)
                    with_it = RULES.final_scores(laid)
                    without = RULES.final_scores(card_facts.without_card(laid, seat, card))
                    assert facts.worth == with_it[seat]["total"] - without[seat]["total"]
                    assert "%(" not in facts.why
                    assert "_" not in facts.why
                    assert facts.rule in ("B4", "B5", "B6")
                    counted += facts.worth > 0
    assert counted > 50
    # What Siege counts more because a card is played is no part of that card.
    beside = position(seats=[{"hand": ["patrician"], "table": ["siege"], "played": 1}])
    assert card_facts.of_card(RULES, "patrician", beside, 0).worth == 4
    assert card_facts.of_card(RULES, "siege").worth is None
    people = [card_facts.of_descendant(RULES, name) for name in DESCENDANTS]
    assert [one.rule for one in people] == [f"N{number}" for number in range(1, 9)]
