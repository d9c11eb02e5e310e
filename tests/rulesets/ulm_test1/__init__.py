"""A ruleset of the tests' own: ulm/1 with other values and one other rule.

All of it stands here. It is told to the engine by one line (`rulesets.ALL`), which `conftest.registered` adds.
"""

from dataclasses import replace

from server.engine.events import Event
from server.engine.ulm1 import danube
from server.engine.ulm1.notation import Move
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.ruleset import Top
from server.engine.ulm1.sentences import plain
from server.engine.ulm1.state import State


def river(state: State, seat: int, move: Move, events: list[Event]) -> None:
    """`river`: as in ulm/1, and a sparrow flies along."""
    danube.river(state, seat, move, events)
    state.players[seat].sparrows += 1
    events.append(Event("river_sparrow", seat, (), 1))


RULES = replace(
    ULM1,
    name="ulm-test/1",
    changes="Four rounds, more coins, a shorter Danube; sparrows fly along with the barges.",
    rounds=4,
    first_coins=6,
    levy_loss=7,
    seal_price=1,
    space_value=(0, *range(22)),
    seal_spaces=(5, 5, 5, 4, 4, 5, 5, 6),
    coats={**ULM1.coats, "N1": (9, 0, 3)},
    tops={
        **ULM1.tops,
        "construction_freeze": Top(None, (("coins", 5),)),
        "fisherman_jousting": Top(None, (("steps_up_to", 4),)),
    },
    verbs={**ULM1.verbs, "river": river},
    forms={"river_sparrow": (plain("A sparrow flies along with {who}."), None)},
    words={
        "en": {"actions": {"turquoise": "sail a step with a sparrow"}},
        "de": {"actions": {"turquoise": "1 Feld mit Spatz"}},
    },
)
