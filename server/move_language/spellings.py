"""Every way to write each move in concepts (`lexicon`). A *whole* spelling says all that the move's text says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

from server.board.listing import card_colors
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.tables import CARDS, COLORS, SIDES, SLOTS
from server.move_language.lexicon import Concepts

Spelling = tuple[Concepts, bool]

_WHERE = {"pick": "bag", "draw": "bag", "dock": "docks", "swap": "docks", "exchange": "docks", "take": "discarded"}
"""Where a move takes something from, which may be said."""


@cache
def spellings(rules: Rules) -> dict[Concepts, dict[Move, bool]]:
    """Concepts -> the moves that they may write, each with whether they say all of it."""
    found: dict[Concepts, dict[Move, bool]] = {}
    for move in rules.notation.moves.values():
        if move == ("resign",):
            continue
        for concepts, whole in _of(rules, move):
            where = _WHERE.get(move[0])
            for said in (concepts, (*concepts, where)) if where else (concepts,):
                # The verb may come last: `Zug beenden`, `N1 einschieben`.
                for sequence in (said, said[1:] + said[:1]):
                    moves = found.setdefault(sequence, {})
                    moves[move] = whole or moves.get(move, False)
    return found


def _of(rules: Rules, move: Move) -> Iterator[Spelling]:
    verb, *rest = move
    if verb == "play":
        yield from _plays(rules, move)
    elif verb in ("choose", "take"):
        yield (verb,), False
        yield from (((verb, *card), exact) for card, exact in cards(rules, move[1]))
    elif verb in ("buy", "levy") and len(rest) == 2:
        given = [_argument(word) for word in rest]
        yield (verb,), False
        yield from (((verb, color), False) for color in given)
        yield from (((verb, *order), True) for order in permutations(given))
    elif verb == "exchange":
        yield (verb,), False
        yield from (((verb, _argument(word)), False) for word in rest)
        yield (verb, *map(_argument, rest)), True
    elif verb == "push" and len(rest) == 2:
        slot, color = map(_argument, rest)
        yield (verb, slot), False
        yield (verb, color), False
        yield (verb, slot, color), True
        yield (verb, color, slot), True
    else:
        if rest:
            yield (verb,), False
        yield (verb, *(_person(word) if verb == "descendant" else _argument(word) for word in rest)), True


def _plays(rules: Rules, move: Move) -> Iterator[Spelling]:
    """`play CARD table`, `play CARD top …`, with the card named more or less exactly, and `top` left out or not."""
    yield ("play",), False
    _, card, mode, *rest = move
    for named, exact in cards(rules, card):
        yield ("play", *named), False
        yield ("play", *named, mode), exact and not rest
        if rest:
            yield ("play", *named, mode, _argument(rest[0])), exact
            yield ("play", *named, _argument(rest[0])), False


def cards(rules: Rules, card: str) -> Iterator[Spelling]:
    """The ways to name a card: by its name, or by its kind and its colours, or what these tiles do."""
    yield (f"card:{card}",), True
    kind = card.partition("-")[0]
    name, paid = (f"card:{card}" if kind == card else f"kind:{kind}"), card_colors(rules, card)
    if kind != card:
        yield (name,), False
    for said in ("color", "tile") if paid else ():
        colors = [f"{said}:{color}" for color in paid]
        yield from (((name, color), len(colors) == 1) for color in colors)
        if len(colors) == 1:
            yield (colors[0], name), True
        else:
            yield from (((name, *order), True) for order in permutations(colors))


def _person(word: str) -> str:
    return f"person:{word}"


def _argument(word: str) -> str:
    if word in COLORS:
        return f"color:{word}"
    if word in SLOTS:
        return f"slot:{word}"
    if word in SIDES:
        return f"side:{word}"
    if word in CARDS:
        return f"card:{word}"
    if word.isdigit():
        return f"n:{word}"
    return word if word == "coin" else f"quarter:{word}"


@cache
def names(rules: Rules, move: Move) -> frozenset[str]:
    """The concepts that a move's arguments may be named by: slots, colours, cards and their kinds, quarters, people."""
    found = {concept for concepts, _ in _of(rules, move) for concept in concepts[1:]}
    return frozenset(concept for concept in found if ":" in concept)
