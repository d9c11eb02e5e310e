"""What the templates of the chapters are given: words, pictures and lists, as a ruleset has them."""

from __future__ import annotations

from functools import partial
from typing import Any

from markupsafe import Markup

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, COLORS, DESCENDANTS, QUARTERS, TOWER, TRADE, TRADE_KINDS
from server.language import in_word
from server.routes.pages.rulebook import house_values, rules_pictures, worked_turn
from server.routes.pages.rulebook.chapters import titles
from server.routes.pages.shared.icons import piece
from server.service.explain import card_facts, game_words, things


def values(rules: Rules, step: int | None = 0) -> dict[str, Any]:
    """What the templates of the chapters use, in the language in force.

    `step` of the worked turn is shown; None: all of them, without pictures.
    """
    language = game_words.board_language()
    words, push = game_words.words(rules), rules_pictures.positions(rules).push
    drawn = rules_pictures.pictures(language, rules)
    return {
        "pictures": {name: Markup(svg) for name, svg in drawn.items()},  # noqa: S704 - drawn by us
        "piece": lambda kind, name, hidden=False: piece(rules, kind, name, hidden=hidden),
        "titles": titles(),
        "house": house_values.RULES,
        "words": words,
        "rule_of": things.rule_of,
        "slot": rules_pictures.SLOT,
        "falls_at": push.falls_at,
        "pushed": words.tile_kinds[push.color],
        "falls": words.tile_kinds[push.falls],
        "three_actions": [words.action_names[color] for color in push.activates],
        "colors": COLORS,
        "quarters": _quarters(rules),
        "quarter_names": [words.quarters[name] for name in QUARTERS],
        "descendants": DESCENDANTS,
        "tower": TOWER,
        "trade": [next(card for card in TRADE if TRADE[card][0] == kind) for kind in TRADE_KINDS],
        "chronicle": CHRONICLE,
        "top": partial(card_facts.top, rules),
        "table": partial(card_facts.table, rules),
        "rules": rules,
        "in_word": in_word,
        "steps": worked_turn.steps(rules),
        "step": step,
        "step_pictures": () if step is None else [Markup(svg) for svg in rules_pictures.of_step(language, rules, step)],  # noqa: S704
    }


def _quarters(rules: Rules) -> list[dict[str, Any]]:
    """§7, and where they lie (D5): from which space to which a barge reaches a quarter, how many seals it takes, what a
    seal there does, which rules are told beside it."""
    rows, seen = [], set[str]()
    for first, last, index in (*rules.north_bank, *rules.south_bank):
        name = QUARTERS[index]
        own = () if things.QUARTERS[name] in seen else (things.QUARTERS[name],)  # Q1 is of two quarters
        seen |= {*own}
        rows.append({
            "name": name,
            "first": first,
            "last": last,
            "seals": rules.seal_spaces[index],
            "text": things.privilege(rules, name),
            "rules": (*own, "Q8") if name == "shipyard" else own,
        })  # fmt: skip
    return rows
