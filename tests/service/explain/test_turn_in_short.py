"""A turn in one sentence, with nothing in it that not everybody may read."""

from __future__ import annotations

import pytest

from server.engine.events import Event
from server.engine.ulm1.rules import RULES
from server.language import speaking
from server.service.explain.history import turn_in_short

SAID = [
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


@pytest.mark.parametrize(("events", "said"), SAID)
def test_a_turn_is_told_in_one_sentence(events: list[Event], said: str) -> None:
    assert turn_in_short(RULES, "Blue", 0, events) == f"Blue {said}"


def test_a_sentence_begins_with_a_capital_however_a_name_is_written() -> None:
    assert turn_in_short(RULES, "steady bot", 0, SAID[0][0]) == "Steady bot pushed at N2"


def test_the_sentence_is_one_in_german_too() -> None:
    with speaking("de"):
        assert turn_in_short(RULES, "Blau", 0, SAID[1][0]) == (
            "Blau schiebt bei N2 ein, nimmt 2 Münzen und setzt ein Siegel ins Viertel Gärten"
        )
