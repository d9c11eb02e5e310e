"""What a mail asks for, read: steps in their order, each move a phrase that may mean several; or what is unreadable."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Literal

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move, format_move
from server.move_language.lexicon import WORDS_MOST, Words, readings
from server.move_language.spellings import names, spellings
from server.move_language.writing import LONGEST, words

NEAR_MOST = 8


@dataclass(frozen=True, slots=True)
class Phrase:
    """One move as it was written: in words, as the number of an option of the letter, or both (`3. push N1`)."""

    text: str
    words: Words = ()
    number: int | None = None

    def candidates(self, rules: Rules, legal: Collection[Move], numbered: Sequence[Move] = ()) -> list[Move]:
        """The moves of `legal` that this can mean: one is it, several have to be asked back, never chosen. `numbered`
        are the options of the answered letter; `resign` is never among the answers."""
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
        return tuple(map(format_move, found[:NEAR_MOST])) or near(rules, self.text, legal)


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


def near(rules: Rules, text: str, moves: Sequence[Move]) -> tuple[str, ...]:
    """Those of `moves`, in the notation, that `text` could be meant for: by names in it, its verb, its looks."""
    sequence = words(text[:LONGEST])[: WORDS_MOST + 1]
    told = {concept for start in range(len(sequence)) for concept in _first_concepts(rules, sequence[start:])}
    verbs = {move[0] for move in moves if move[0] in told}
    named = [(len(names(rules, move) & told), move) for move in moves]
    # "Nave (Card/Sail)": what is a verb elsewhere belongs to a name where only other moves have that.
    if (
        max((number for number, move in named if move[0] in verbs), default=0)
        == 0
        < max((n for n, _ in named), default=0)
    ):
        verbs = set()
    best = max((number for number, move in named if not verbs or move[0] in verbs), default=0)
    found = [move for number, move in named if number == best > 0 and (not verbs or move[0] in verbs)]
    found = found or [move for move in moves if move[0] in verbs]
    if not found:  # "for 2 Coin tiles": how letters call the colours of tiles
        colors = {concept.replace("tile:", "color:") for concept in told}
        found = [move for move in moves if names(rules, move) & colors]
    if not found:
        texts = {format_move(move).lower(): move for move in moves}
        found = [texts[one] for one in get_close_matches(" ".join(sequence), texts, NEAR_MOST, 0.5)]
    if not found and len(moves) <= NEAR_MOST:
        found = list(moves)
    return tuple(map(format_move, found[:NEAR_MOST]))


def _first_concepts(rules: Rules, sequence: Words) -> set[str]:
    """The concepts that the first words stand for, one to three of them."""
    return {concept for size in (1, 2, 3) for concepts in readings(rules, sequence[:size]) for concept in concepts}


CommandName = Literal["undo", "preview", "show", "help", "hand", "resign"]


@dataclass(frozen=True, slots=True)
class Play:
    """Play what the phrase means. `goes_on`: also behind a move that revealed something (`then` stood before it)."""

    phrase: Phrase
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """Something other than a move; `steps` are those of `preview`."""

    name: CommandName
    text: str
    steps: tuple[Play, ...] = ()


Step = Play | Command


@dataclass(frozen=True, slots=True)
class Program:
    """All that was read. `says` are messages to the table (`say`), a paragraph each; `other_text` is what else the
    person wrote, without greeting and signature: nothing was read out of it."""

    steps: tuple[Step, ...]
    says: tuple[str, ...] = ()
    other_text: str = ""
    signed: bool = False  # more than a closing and a name was passed over

    @property
    def only_resigns(self) -> bool:
        """Whether it says that somebody resigns, and not a word more: `No, I do not want to`, broken there by a mail
        program, has `resign` in a line of its own too."""
        resigns = [isinstance(step, Command) and step.name == "resign" for step in self.steps]
        return bool(resigns) and all(resigns) and not (self.says or self.other_text or self.signed)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that begins like a move and cannot be read: the line as it was written, why in the language in force, and
    moves near to it in the notation, to be copied."""

    line: str
    why: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problems:
    """Nothing of the mail is to be done: some of it could not be read."""

    problems: tuple[Problem, ...]
    other_text: str = ""
