"""The chapters of the rules: which rule of docs/rules.md is told in which, and what their templates are given."""

from __future__ import annotations

from functools import partial
from typing import Any

from markupsafe import Markup

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, COLORS, DESCENDANTS, QUARTERS, TOWER, TRADE, TRADE_KINDS
from server.language import N_, current
from server.language import gettext as _
from server.routes.pages.rulebook import house_values, rules_pictures
from server.routes.pages.shared.icons import piece
from server.service.explain import card_facts, game_words

CHAPTERS: dict[str, tuple[str, ...]] = {
    "setup": ("C1", "C2", "C3", "C4", "C5", "C6", "P1", "P2", "P3", "P4", "P5", "P6", "P7"),
    "turn": ("T1", "T2", "T3", "T4", "T6", "O2", "O4"),
    "push": ("K1", "K2", "K3", "K4", "K5", "T5"),
    "actions": ("A1", "A2", "A3", "A4", "A5", "A6", "A7"),
    "danube": ("D1", "D2", "D3", "D4", "D5"),
    "quarters": ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9"),
    "coats": ("W1", "W2", "W3", "W4", "W5"),
    "descendants": ("N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9"),
    "cards": ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11"),
    "sparrows": ("L1", "L2", "L3", "L4", "L5"),
    "tower": ("V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "O1"),
    "end": ("E1", "E2", "E3", "E4", "E5", "E6"),
    "details": ("O3", "R1", "R2"),
    "here": (),
}
"""Chapter → the ids of its rules, in the order in which they are read."""

CHAPTER_OF: dict[str, str] = {rule: chapter for chapter, rules in CHAPTERS.items() for rule in rules}
"""Rule → the one chapter that tells it."""

_TITLES = {
    "setup": N_("What there is, and how it begins"),
    "turn": N_("How a turn goes"),
    "push": N_("The push"),
    "actions": N_("The five actions"),
    "danube": N_("The Danube"),
    "quarters": N_("Seals and quarters"),
    "coats": N_("Coats of arms"),
    "descendants": N_("Descendants"),
    "cards": N_("Cards"),
    "sparrows": N_("Sparrows, docks and bag"),
    "tower": N_("The Tower"),
    "end": N_("The end"),
    "details": N_("Odds and ends"),
    "here": N_("On this server"),
}


def titles() -> dict[str, str]:
    """What the chapters are called in the language in force, in their order."""
    return {chapter: _(_TITLES[chapter]) for chapter in CHAPTERS}


def neighbours(chapter: str) -> tuple[str | None, str | None]:
    """The chapters before and after one."""
    order = list(CHAPTERS)
    at = order.index(chapter)
    return (order[at - 1] if at else None), (order[at + 1] if at + 1 < len(order) else None)


def values(rules: Rules, step: int | None = 0) -> dict[str, Any]:
    """What the templates of the chapters use; `step` of the worked turn is shown (None: all, without pictures)."""
    language = current()
    words, push = game_words.words(rules), rules_pictures.positions(rules).push
    drawn = rules_pictures.pictures(language, rules)
    return {
        "pictures": {name: Markup(svg) for name, svg in drawn.items()},  # noqa: S704 - drawn by us
        "piece": lambda kind, name, hidden=False: piece(rules, kind, name, hidden=hidden),
        "titles": titles(),
        "house": house_values.RULES,
        "words": words,
        "rule_of": game_words.rule_of,
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
        "trade": _trade(rules),
        "trade_pictures": _trade_pictures(rules),
        "chronicle": CHRONICLE,
        "facts": partial(card_facts.of_card, rules),
        "having": {kind: [words.card(card) for card in rules.having(kind)] for kind in rules.effects},
        "rules": rules,
        "steps": rules_pictures.steps(rules),
        "step": step,
        "step_pictures": () if step is None else [Markup(svg) for svg in rules_pictures.of_step(language, rules, step)],  # noqa: S704
    }


def _trade(rules: Rules) -> list[tuple[str, str]]:
    """B5: what the upper effects of the Trade cards bring, of a kind where all of it do the same, else of each card."""
    words = game_words.words(rules)
    rows = [
        (words.card(card) if others else game_words.card(rules, card), card_facts.top(rules, card))
        for card, *others in card_facts.trade_groups(rules)
    ]
    return list(dict.fromkeys(rows))


def _trade_pictures(rules: Rules) -> tuple[str, ...]:
    """One of each kind where the others cost another tile and are no different, else every Trade card."""
    alike = len(card_facts.trade_groups(rules)) == len(TRADE_KINDS)
    return ("fustian-gray", "works_of_art-white", "commercial_goods-orange") if alike else tuple(TRADE)


def _quarters(rules: Rules) -> list[dict[str, Any]]:
    """§7, D5: where each quarter lies, how many seals it takes, what one does, and which rules are told beside it."""
    rows, seen = [], set[str]()
    for first, last, index in (*rules.north_bank, *rules.south_bank):
        name = QUARTERS[index]
        own = () if game_words.QUARTERS[name] in seen else (game_words.QUARTERS[name],)  # Q1 is of two quarters
        seen |= {*own}
        rows.append({
            "name": name,
            "first": first,
            "last": last,
            "seals": rules.seal_spaces[index],
            "text": game_words.privilege(rules, name),
            "rules": (*own, "Q8") if name == "shipyard" else own,
        })  # fmt: skip
    return rows
