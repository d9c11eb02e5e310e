"""Where which rule of docs/rules.md is told: the chapters of the rules pages and the rules that stand in each."""

from __future__ import annotations

from server.language import N_, gettext

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
    "details": ("O3",),
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
    return {chapter: gettext(_TITLES[chapter]) for chapter in CHAPTERS}


def neighbours(chapter: str) -> tuple[str | None, str | None]:
    """The chapters before and after one."""
    order = list(CHAPTERS)
    at = order.index(chapter)
    return (order[at - 1] if at else None), (order[at + 1] if at + 1 < len(order) else None)
