"""Which words mean what: of the three languages and of the notation in one table, for the names of a ruleset.

A *concept* is a word of the notation with its kind before it where that is needed: `push`, `slot:N1`, `color:gray`,
`tile:gray` (by its action), `quarter:town_hall`, `card:nave-1`, `kind:nave`, `person:abbot`, `side:N`, `n:2`, `top`,
`table`, `coin`, `bag`. What people write may stand for several (`nimm` is `take`, `dock`, `choose` …): all are kept,
and the legal moves decide.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from server.board.words import words_of
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CARDS, COLORS, DESCENDANTS, QUARTERS, SIDES, SLOTS
from server.language import LANGUAGES
from server.move_language.writing import forms

_FOLDER = Path(__file__).parent / "vocabulary"
VOCABULARIES: dict[str, dict[str, Any]] = {
    code: tomllib.loads((_FOLDER / f"{code}.toml").read_text("utf-8")) for code in LANGUAGES
}
"""The words of each language that moves can be written in; all are understood, whatever the reader's."""

Words = tuple[str, ...]
Concepts = tuple[str, ...]

MEANINGS_MOST = 400
"""So many readings of one phrase are looked at: more than any move has, fewer than would take time."""
WORDS_MOST = 14  # no move has more words, however friendly it is written


def gathered(name: str) -> frozenset[Words]:
    """A list of the languages' words (`then`, `greetings` …), all three in one, as people may write them."""
    return frozenset(form for one in VOCABULARIES.values() for text in one[name] for form in forms(text))


def either(name: str) -> str:
    """The languages' words of a list as alternatives of a pattern, the longest first."""
    texts = {text for one in VOCABULARIES.values() for text in one[name]}
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


FILLERS = frozenset(form[0] for form in gathered("fillers"))
UNITS = frozenset(form[0] for form in gathered("units"))


def without_fillers(sequence: Words) -> Words:
    """The words that matter: no articles and the like, and no `steps` or `sparrows` after a number."""
    return tuple(
        word
        for place, word in enumerate(sequence)
        if word not in FILLERS and not (word in UNITS and place and sequence[place - 1].isdigit())
    )


@cache
def lexicon(rules: Rules) -> dict[Words, frozenset[Concepts]]:
    """Words without fillers -> the concepts that they stand for."""
    found: dict[Words, set[Concepts]] = {}
    for text, concepts in _entries(rules):
        for form in forms(text):
            if key := without_fillers(form):
                found.setdefault(key, set()).add(concepts)
    return {key: frozenset(meanings) for key, meanings in found.items()}


def _entries(rules: Rules) -> Iterator[tuple[str, Concepts]]:
    yield from ((verb, (verb,)) for verb in rules.notation.usage if verb != "resign")
    yield from ((card, (f"card:{card}",)) for card in CARDS)
    yield from ((name, (f"quarter:{name}",)) for name in QUARTERS)
    yield from ((name, (f"person:{name}",)) for name in DESCENDANTS)
    yield from ((slot, (f"slot:{slot}",)) for slot in SLOTS)
    yield from (_named(kind) for kind in {card.partition("-")[0] for card in CARDS})
    yield from ((text, ("n:" + text,)) for text in map(str, range(10)))
    for code, language in VOCABULARIES.items():
        yield from ((text, (verb,)) for verb, texts in language["verbs"].items() for text in texts)
        yield from ((text, ("barge", "n:0")) for text in language["stay"])
        yield from ((text, (f"color:{color}",)) for color in COLORS for text in language["colors"][color])
        for place in ("top", "table", "bag", "docks", "discarded"):
            yield from ((text, (place,)) for text in language[place])
        for side in SIDES:
            yield from ((text, (f"side:{side}",)) for text in language["sides"][side])
            yield from ((f"{text} {n}", (f"slot:{side}{n}",)) for text in language["sides"][side] for n in (1, 2, 3))
        board = words_of(code, rules)
        names = {**board.quarters, **board.descendants, **board.cards}
        yield from ((text, _named(name)[1]) for name, text in names.items())
        # In the name of a card alone, "Nave (Coin/Clear)": elsewhere they are verbs.
        yield from ((board.action_names[color], (f"tile:{color}",)) for color in COLORS)
        yield from ((text, _named(name)[1]) for name, texts in language["names"].items() for text in texts)
        for card in CARDS:
            kind, _, number = card.partition("-")
            if number.isdigit():
                yield f"{board.cards[kind]} {number}", (f"card:{card}",)


def _named(name: str) -> tuple[str, Concepts]:
    if name in QUARTERS:
        return name, (f"quarter:{name}",)
    if name in DESCENDANTS:
        return name, (f"person:{name}",)
    return name, (f"card:{name}",) if name in CARDS else (f"kind:{name}",)


def readings(rules: Rules, sequence: Words) -> set[Concepts]:
    """Everything that words can stand for, as sequences of concepts; nothing when any of them is unknown."""
    sequence = without_fillers(sequence)[: WORDS_MOST + 1]
    if not sequence or len(sequence) > WORDS_MOST:
        return set()
    known = lexicon(rules)
    longest = _longest(rules)
    ends: list[set[Concepts]] = [set() for _ in range(len(sequence) + 1)]
    ends[0].add(())
    for start in range(len(sequence)):
        if not ends[start]:
            continue
        for end in range(start + 1, min(start + longest, len(sequence)) + 1):
            for before, meaning in product(ends[start], known.get(sequence[start:end], ())):
                if len(ends[end]) < MEANINGS_MOST:
                    ends[end].add(before + meaning)
    return ends[-1]


@cache
def _longest(rules: Rules) -> int:
    return max(map(len, lexicon(rules)))


def begins(sequence: Words, texts: Iterable[Words]) -> int:
    """How many words of `sequence` one of `texts` takes at its beginning, the longest; 0 for none."""
    return max((len(text) for text in texts if text and sequence[: len(text)] == text), default=0)


@cache
def verbs() -> frozenset[Words]:
    """All that a move may begin with, of all languages."""
    return frozenset(
        form
        for one in VOCABULARIES.values()
        for verb, texts in one["verbs"].items()
        for text in (verb, *texts)
        for form in forms(text)
    )
