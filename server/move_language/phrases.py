"""A phrase: what a person wrote for one move, and which moves it may mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move, format_move
from server.move_language.lexicon import Words, readings
from server.move_language.spellings import spellings
from server.move_language.writing import words

NEAR_MOST = 8


@dataclass(frozen=True, slots=True)
class Phrase:
    """One move as it was written: in words, as the number of an option of the letter, or both (`3. push N1`)."""

    text: str
    words: Words = ()
    number: int | None = None

    def candidates(self, rules: Rules, legal: Collection[Move], numbered: Sequence[Move] = ()) -> list[Move]:
        """The moves of `legal` that this can mean. One: that is it. None: it is not legal, or cannot be said of this
        position. Several: it has to be asked back, never chosen.

        `numbered` are the options of the letter that is answered, in its order; `resign` is never among the answers.
        """
        if self.number is not None:
            if not 1 <= self.number <= len(numbered):
                return []
            chosen = numbered[self.number - 1]
            if self.words and chosen not in self.meanings(rules):
                return []
            return [chosen] if chosen in legal else []
        same = canonical(rules, self.words)
        if same is not None and same in legal:
            return [same]
        return [move for move in self.meanings(rules) if move in legal]

    def meanings(self, rules: Rules) -> list[Move]:
        """Every move that the words can mean in some position; what says all of a move is never short for another."""
        return meanings(rules, self.words)

    def near(self, rules: Rules, legal: Sequence[Move]) -> tuple[str, ...]:
        """Legal moves to be offered instead, in the notation: those that it could be meant for."""
        meant = self.meanings(rules)
        found = [move for move in legal if move in meant]
        verbs = {move[0] for move in meant}
        return tuple(map(format_move, found or [move for move in legal if move[0] in verbs]))[:NEAR_MOST] or near(
            self.text, legal
        )


def meanings(rules: Rules, sequence: Words) -> list[Move]:
    """Every move that words can mean in some position, those in whole if there are any; [] for no move at all."""
    known = spellings(rules)
    found: dict[Move, bool] = {}
    for reading in readings(rules, sequence):
        for move, whole in known.get(reading, {}).items():
            found[move] = whole or found.get(move, False)
    chosen = [move for move, whole in found.items() if whole] or found
    return sorted(chosen, key=_places(rules).__getitem__)


def canonical(rules: Rules, sequence: Words) -> Move | None:
    """The move whose text in the notation these very words are."""
    return _by_words(rules).get(sequence)


@cache
def _places(rules: Rules) -> dict[Move, int]:
    return {move: place for place, move in enumerate(rules.notation.moves.values())}


@cache
def _by_words(rules: Rules) -> dict[Words, Move]:
    return {words(text): move for text, move in rules.notation.moves.items()}


def near(text: str, moves: Sequence[Move]) -> tuple[str, ...]:
    """Those of `moves` whose notation looks like `text`."""
    texts = {format_move(move).lower(): format_move(move) for move in moves}
    return tuple(texts[one] for one in get_close_matches(text.lower()[:80], texts, NEAR_MOST, 0.5))
