"""Conditions of plans: what a player wants to know before the next move, asked of what their own seat may see."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, OPPOSITE, SLOT_INDEX, SLOTS
from server.move_language.lexicon import Concepts, Words, gathered, readings
from server.move_language.phrases import Phrase
from server.move_language.spellings import cards
from server.move_language.writing import plain, readable, tidy, words

Kind = Literal["open", "possible", "tile", "offered", "in_hand", "coins", "sparrows"]

_TOKEN = re.compile(r"[a-z]+|[0-9]+|[<>=\u2264\u2265]+")
_SPOILS = re.compile(r"[?!~+%@\\^$|\u2260\u00ac\ufffd\ufffc]")
"""What no condition has in it."""
_LEAST = {">=": 0, "=>": 0, "\u2265": 0, ">": 1}
_MOST = {"<=": 0, "=<": 0, "\u2264": 0, "<": -1}
MANY = 10_000
"""More than anybody has of anything."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One question with yes or no for an answer. Which of the fields say what it is about hangs on its kind."""

    text: str
    kind: Kind
    negated: bool = False
    about: frozenset[Concepts] = frozenset()
    phrase: Phrase | None = None
    least: int = 0
    most: int = MANY

    def holds(self, state: State, seat: int, numbered: Sequence[Move] = ()) -> bool:
        """Answer it for `seat`, by what that seat sees of `state`. `numbered` as in `Phrase.candidates`."""
        return self._is_so(state, seat, numbered) is not self.negated

    def _is_so(self, state: State, seat: int, numbered: Sequence[Move]) -> bool:
        rules, player = state.rules, state.players[seat]
        match self.kind:
            case "open":
                slot = SLOT_INDEX[_only(self.about)]
                return state.outer[slot] < 0 and state.outer[OPPOSITE[slot]] < 0
            case "possible":
                legal = rules.legal_moves(state, seat)
                return self.phrase is not None and bool(self.phrase.candidates(rules, legal, numbered))
            case "tile":
                return state.active == seat and COLOR_INDEX[_only(self.about)] in state.turn.tiles
            case "offered":
                return self._offered(state, seat)
            case "in_hand":
                return any(_names(rules, card, self.about) for card in player.hand)
            case "coins" | "sparrows":
                return self.least <= (player.coins if self.kind == "coins" else player.sparrows) <= self.most

    def _offered(self, state: State, seat: int) -> bool:
        for move in state.rules.legal_moves(state, seat):
            if move[0] in ("choose", "take") and _names(state.rules, move[1], self.about):
                return True
            if move[0] == "coat" and any(f"slot:{move[1]}" in concepts for concepts in self.about):
                return True
        return any((f"person:{name}",) in self.about for name in state.descendants) or any(
            number and (f"color:{color}",) in self.about for color, number in zip(COLORS, state.docks, strict=True)
        )


def _names(rules: Rules, card: str, about: Collection[Concepts]) -> bool:
    return any(named in about for named, _ in cards(rules, card))


def _only(about: Collection[Concepts]) -> str:
    """The name in `slot:N1` or `color:gray`, where nothing else is."""
    [(concept,)] = about
    return concept.partition(":")[2]


def condition(rules: Rules, text: str) -> Condition | None:
    """Read what stands between `if` and the colon; None when it is no condition."""
    said = tidy(text)
    if _SPOILS.search(said) or not readable(said):
        return None
    found = _amount(said)
    if found is None and re.search(r"[<>=\u2264\u2265]", said) is None:
        sequence, nots = _cut(words(said), gathered("NOT"))
        if nots <= 1:
            found = _number_possible(said, nots == 1) or _of_words(rules, said, sequence, nots == 1)
    return found


def _amount(text: str) -> Condition | None:
    """`coins >= 2`, `at least 2 coins`, `I have 2 coins` (or more)."""
    sequence: Words = tuple(_TOKEN.findall(plain(text)))
    for kind, names in (("coins", gathered("COINS")), ("sparrows", gathered("SPARROWS"))):
        rest, nots = _cut(sequence, gathered("NOT"))
        rest, times = _cut(rest, names)
        numbers = [word for word in rest if word.isdigit()]
        if times != 1 or len(numbers) != 1 or len(numbers[0]) > 3:
            continue
        number = int(numbers[0])
        least, most = number, MANY
        signs = [word for word in rest if word[0] in "<>=\u2264\u2265"]
        rest = tuple(word for word in rest if word not in (*signs, *numbers))
        rest, at_least = _cut(rest, gathered("AT_LEAST"))
        rest, more = _cut(rest, gathered("MORE"))
        rest, less = _cut(rest, gathered("LESS"))
        rest, _ = _cut(rest, gathered("IS"))
        if rest or nots > 1 or len(signs) + at_least + more + less > 1:
            return None
        for sign in signs:
            if sign in _LEAST:
                least = number + _LEAST[sign]
            elif sign in _MOST:
                least, most = 0, number + _MOST[sign]
            elif sign in ("=", "=="):
                most = number
            else:
                return None
        least += more
        if less:
            least, most = 0, number - 1
        return Condition(text, "coins" if kind == "coins" else "sparrows", nots == 1, least=least, most=most)
    return None


def _number_possible(text: str, negated: bool) -> Condition | None:
    """`3 is possible`: an option of the letter."""
    rest, possible = _cut(_cut(words(text), gathered("NOT"))[0], gathered("POSSIBLE"))
    rest, _ = _cut(rest, gathered("IS") | gathered("OPTION"))
    if possible == 1 and len(rest) == 1 and rest[0].isdigit():
        return Condition(text, "possible", negated, phrase=Phrase(text, (), int(rest[0][:3])))
    return None


def _of_words(rules: Rules, text: str, sequence: Words, negated: bool) -> Condition | None:
    is_ = gathered("IS")

    def about(rest: Words, *kinds: str) -> frozenset[Concepts]:
        """What `rest` may be a name of: each of its concepts is of one of the kinds."""
        found = readings(rules, _cut(rest, is_)[0])
        return frozenset(one for one in found if one and all(concept.partition(":")[0] in kinds for concept in one))

    rest, drawn = _cut(sequence, gathered("DRAWN"))
    if drawn and len(found := about(rest, "color")) == 1 and len(next(iter(found))) == 1:
        return Condition(text, "tile", negated, found)
    for kind, texts in (("offered", gathered("OFFERED")), ("in_hand", gathered("IN_HAND"))):
        rest, times = _cut(sequence, texts)
        if times != 1:
            continue
        named = ("card", "kind", "color") if kind == "in_hand" else ("card", "kind", "color", "person", "coat", "slot")
        if kind == "in_hand" and len(found := about(rest, "color")) == 1:
            return Condition(text, "tile", negated, found) if len(next(iter(found))) == 1 else None
        if found := about(rest, *named):
            return Condition(text, "in_hand" if kind == "in_hand" else "offered", negated, found)
    rest, possible = _cut(sequence, gathered("POSSIBLE"))
    if possible == 1:
        said, _ = _cut(rest, is_ - {("i",), ("a",), ("e",)})  # `e` is east, too
        phrase = Phrase(text, said)
        if said[-1:] == ("e",) and not phrase.meanings(rules):
            phrase = Phrase(text, said[:-1])
        return Condition(text, "possible", negated, phrase=phrase) if phrase.meanings(rules) else None
    for texts, other in ((gathered("OPEN"), False), (gathered("BLOCKED"), True)):
        rest, times = _cut(sequence, texts)
        if times == 1 and len(found := about(rest, "slot")) == 1 and next(iter(found))[0].partition(":")[2] in SLOTS:
            return Condition(text, "open", negated is not other, found) if len(next(iter(found))) == 1 else None
    return None


def _cut(sequence: Words, texts: Collection[Words]) -> tuple[Words, int]:
    """`sequence` without each of `texts` that is in it, the longest first, and how often there was one."""
    rest: list[str] = []
    times = place = 0
    longest = max(map(len, texts), default=0)
    while place < len(sequence):
        for size in range(min(longest, len(sequence) - place), 0, -1):
            if sequence[place : place + size] in texts:
                times += 1
                place += size
                break
        else:
            rest.append(sequence[place])
            place += 1
    return tuple(rest), times
