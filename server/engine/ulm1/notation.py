"""Moves as text and back (record.md §3): `Notation.moves` holds every text that is a move in some position."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from itertools import combinations_with_replacement

from server.engine.errors import InvalidMoveError
from server.engine.ulm1.tables import CARDS, COATS, COLORS, DESCENDANTS, QUARTERS, SIDES, SLOTS

Move = tuple[str, ...]

# How each verb is written, for messages.
USAGE = {
    "draw": "draw",
    "pick": "pick COLOR",
    "keep": "keep COLOR",
    "swap": "swap COLOR",
    "push": "push SLOT, or push SLOT COLOR",
    "money": "money",
    "clear": "clear SIDE",
    "buy": "buy COLOR COLOR (canonical order), buy COLOR, or buy coin",
    "play": "play CARD table, or play CARD top (Cathedral: a COLOR{asks})",
    "river": "river",
    "sail": "sail",
    "seal": "seal QUARTER",
    "exchange": "exchange COLOR COLOR (own tile, docks tile)",
    "salvage": "salvage",
    "levy": "levy COLOR COLOR (canonical order), or levy",
    "end": "end",
    "resign": "resign",
    "coat": "coat SLOT",
    "descendant": "descendant NAME",
    "coin": "coin",
    "dock": "dock COLOR",
    "pass": "pass",
    "choose": "choose CARD",
    "search": "search",
    "take": "take CARD",
    "barge": "barge K (0 to {steps})",
}


class Notation:
    """The moves of a ruleset: those whose writing it decides are the tops of the cards and the steps of a barge."""

    def __init__(
        self,
        cathedral: Mapping[str, tuple[int, int]],
        sides: Collection[str],
        sparrows: Mapping[str, int],
        more: Collection[str],
        steps: int,
    ) -> None:
        """`cathedral` holds the two colours of each such card, `sides` the cards that take a side, `sparrows` how many
        a card turns into coins at most, `more` those of both that do something without it too; `steps` are the most at
        once."""
        asks = [f"; {card}: a SIDE" for card in sides] + [f"; {card}: 1 to {most}" for card, most in sparrows.items()]
        self.usage = {verb: usage.format(asks="".join(asks), steps=steps) for verb, usage in USAGE.items()}
        # Every way in which a card's top can be written.
        self.tops: dict[str, tuple[Move, ...]] = {card: (("play", card, "top"),) for card in CARDS}
        self.tops |= {card: tuple(("play", card, "top", COLORS[c]) for c in pair) for card, pair in cathedral.items()}
        self.tops |= {card: tuple(("play", card, "top", side) for side in SIDES) for card in sides}
        for card, most in sparrows.items():
            self.tops[card] = tuple(("play", card, "top", str(number)) for number in range(1, most + 1))
        self.tops |= {card: (*self.tops[card], ("play", card, "top")) for card in more}
        self.moves: dict[str, Move] = {" ".join(move): move for move in self._all(steps)}
        self._longest = max(map(len, self.moves))
        self._by_lower = {text.lower(): text for text in self.moves}  # for hints: no two moves differ by case alone

    def _all(self, steps: int) -> list[Move]:
        moves: list[Move] = [(verb,) for verb, usage in USAGE.items() if verb == usage or verb == "levy"]
        moves += [(verb, color) for verb in ("pick", "keep", "swap", "dock") for color in COLORS]
        moves += [("push", slot) for slot in SLOTS]
        moves += [("push", slot, color) for slot in SLOTS for color in COLORS]
        moves += [("clear", side) for side in SIDES]
        moves += [("buy", "coin")] + [("buy", color) for color in COLORS]
        moves += [(verb, a, b) for verb in ("buy", "levy") for a, b in combinations_with_replacement(COLORS, 2)]
        moves += [("play", card, "table") for card in CARDS]
        moves += [move for card in CARDS for move in self.tops[card]]
        moves += [("seal", quarter) for quarter in QUARTERS]
        moves += [("exchange", own, other) for own in COLORS for other in COLORS if own != other]
        moves += [("coat", slot) for slot in COATS]
        moves += [("descendant", name) for name in DESCENDANTS]
        moves += [(verb, card) for verb in ("choose", "take") for card in CARDS]
        moves += [("barge", str(number)) for number in range(steps + 1)]
        return moves

    def parse(self, text: str) -> Move:
        """The move that `text` writes. Raises `InvalidMoveError`, with the usage of the verb, where there is none."""
        try:
            return self.moves[text]
        except (KeyError, TypeError):
            pass
        if not isinstance(text, str):
            raise InvalidMoveError("a move is a text, such as 'push N2'")
        if len(text) > 2 * self._longest:
            raise InvalidMoveError(f"a move has at most {self._longest} characters, this text has {len(text)}")
        words = text.split()
        tidy = " ".join(words)
        same = self._by_lower.get(tidy.lower())
        near = [same] if same else get_close_matches(tidy, self.moves, 1, 0.8)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        verb = words[0] if words else ""
        if verb in self.usage:
            raise InvalidMoveError(f"{text!r} is no move: write {self.usage[verb]}{hint}")
        raise InvalidMoveError(f"{text!r} is no move{hint or ': a move begins with one of ' + ', '.join(self.usage)}")


def format_move(move: Move) -> str:
    """Return the text of `move`; inverse of `Notation.parse`."""
    return " ".join(move)
