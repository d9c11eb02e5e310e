"""The ruleset `ulm/2`: docs/rules.md as it stands; its rules are those of `ulm1`, where the fields say what differs."""

from dataclasses import replace

from server.engine.ulm1 import cards
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.state import State

RULES: Ruleset[State] = replace(
    ULM1,
    name="ulm/2",
    changes="A card moves a barge its whole number of steps, at once (D3); the credit of V5 comes after the push (A7).",
    tops=cards.tops("steps_exact"),
    seal_after_push=True,
)
