"""If it ended now: the same for everybody, and true; what a card counts is what the score has by it."""

from dataclasses import replace

from server.engine import own_values
from server.engine.ulm1.ruleset import Top
from server.engine.ulm1.tables import CARDS, DESCENDANTS
from server.engine.ulm2 import RULES
from server.language import LANGUAGES, speaking
from server.service.explain import card_facts
from tests.engine.positions import position
from tests.service.views.test_drafts import positions


def test_card_facts_say_what_the_score_has_by_a_card() -> None:
    counted = 0
    with speaking("de"):
        for state in list(positions(5, 3, True))[::40]:
            for card in CARDS:
                for seat in range(3):
                    facts = card_facts.of_card(RULES, card, state, seat)
                    assert facts == card_facts.of_card(RULES, card, RULES.masked(state, seat), seat)
                    lying = state.players[seat].table
                    laid = state if card in lying else card_facts.with_table(state, seat, (*lying, card))
                    with_it = RULES.final_scores(laid)
                    without = RULES.final_scores(card_facts.with_table(laid, seat, tuple(set(lying) - {card})))
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


def test_each_effect_that_a_card_may_have_is_told() -> None:
    """Alone, and after another one; never by a text that is not filled in."""
    for language in LANGUAGES:
        with speaking(language):
            for kind, (least, most) in own_values.EFFECTS.items():
                for number in (least, most):
                    tops = {"siege": Top(None, ((kind, number),)), "patrician": Top(2, (("coins", 2), (kind, number)))}
                    alone, after = (card_facts.top(replace(RULES, tops=tops), card) for card in tops)
                    assert str(number) in alone or number == 1 or kind in ("seal", "orange_seal"), alone
                    assert "%" not in alone + after
                    assert len(after) > len(alone)
