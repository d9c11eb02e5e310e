"""What each seat, and a spectator, can know of a game: kept apart from the server's views, which are to be proved.

Cards, coats of arms and Tower tiles become known when they lie open before somebody, and stay known until they are
shuffled again. All else may be exchanged for anything else of its kind: `names` says what for what.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from server.engine import chance
from server.engine.events import Event
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS, COATS, TOWER
from server.engine.ulm1.turn import DRAW, END

Observer = int | None
"""A seat, or None: a spectator, who knows what lies open and nothing else."""


@dataclass
class Other:
    """How the stream of one game differs from that of its twin, whose seed is `seed`.

    Shuffles that began at a certain counter give other names; tiles drawn at a certain counter are of another colour,
    `(True, colour)`, or any that there is, `(False, number)`.
    """

    seed: bytes
    names: dict[int, dict[str, str]]
    tiles: dict[int, tuple[bool, int]] = field(default_factory=dict)


class Streams:
    """The streams of record.md §1, but for the games in `others`, and a record of each shuffle: counter and items."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.others: dict[bytes, Other] = {}
        self.shuffles: list[tuple[int, tuple[Any, ...]]] = []
        shuffle, below, draw_color = chance.shuffle, chance.below, chance.draw_color

        def other_below(seed: bytes | None, counter: int, n: int) -> tuple[int, int]:
            other = self.others.get(seed or b"")
            return below(seed if other is None else other.seed, counter, n)

        def other_shuffle(seed: bytes | None, counter: int, items: Sequence[Any]) -> tuple[list[Any], int]:
            self.shuffles.append((counter, tuple(items)))
            names = self.others[seed].names.get(counter, {}) if seed in self.others else {}
            shuffled, after = shuffle(seed, counter, items)
            return [names.get(item, item) for item in shuffled], after

        def other_color(seed: bytes | None, counter: int, bag: Sequence[int]) -> tuple[int, int]:
            other = self.others.get(seed or b"")
            color, after = draw_color(seed, counter, bag)
            if other is None or after == counter or counter not in other.tiles:
                return color, after
            certain, number = other.tiles[counter]
            there = [color for color, count in enumerate(bag) if count]
            return number if certain else there[number % len(there)], after

        patch.setattr(chance, "below", other_below)  # behind the two others, too
        patch.setattr(chance, "shuffle", other_shuffle)
        patch.setattr(chance, "draw_color", other_color)


class Knowledge:
    """What all observers have seen of a game, move by move."""

    def __init__(self, streams: Streams, first: State, shuffles: list[tuple[int, tuple[Any, ...]]]) -> None:
        self.streams, self.seats = streams, len(first.players)
        self.observers: list[Observer] = [*range(self.seats), None]
        at = {frozenset(items): counter for counter, items in shuffles}
        self.coats_at, self.tower_at = at[frozenset(COATS)], at[frozenset(TOWER)]
        self.decks = [(at[frozenset(CARDS)], frozenset(CARDS))]
        """Every shuffle of cards: its counter, and what was in it."""
        self.deck_of = dict.fromkeys(CARDS, 0)
        """The shuffle that each card came out of last."""
        self.cards: dict[Observer, list[set[str]]] = {observer: [set()] for observer in self.observers}
        """By shuffle what was seen since."""
        self.coats: dict[Observer, set[str]] = {observer: set() for observer in self.observers}
        self.tower: set[str] = set()
        self.kept: dict[int, int] = {}
        """The plies at which a card was kept from an offer, and the shuffle that the card came out of."""
        self.pairs: dict[int, tuple[int, int, int]] = {}
        """The plies at which somebody drew two tiles: the counter, and the two."""
        self.began = 0
        """The ply at which the turn under way began."""
        self.look(first)

    def copy(self) -> Knowledge:
        """One that goes on by itself."""
        streams, self.streams = self.streams, None  # type: ignore[assignment]
        new = copy.deepcopy(self)
        self.streams = new.streams = streams
        return new

    def look(self, state: State) -> None:
        """Note what lies open in a position."""
        opened = {*state.discard, *(card for player in state.players for card in player.table)}
        coats = {coat for player in state.players for coat in player.coats}
        for observer in self.observers:
            cards = set(opened)
            if observer is not None:
                cards |= {*state.players[observer].hand}
            if observer is not None and observer == state.active:
                for choice in state.pending:
                    if choice[0] == "choose":
                        cards |= {*choice[1]}
                    elif choice[0] == "coat":
                        self.coats[observer] |= {*choice[1]}
            for card in cards:
                self.cards[observer][self.deck_of[card]].add(card)
            self.coats[observer] |= coats
        if state.advanced:
            self.tower |= {*state.tower[: state.round + 1]}

    def follow(self, before: State, seat: int, move: Move) -> State:
        """Note what a move shows; returns the position after it."""
        began = len(self.streams.shuffles)
        after, events, _ = game.apply(before, seat, move)
        if move[0] == "choose":
            self.kept[after.ply] = self.deck_of[move[1]]
        for counter, items in self.streams.shuffles[began:]:
            self.decks.append((counter, frozenset(items)))
            for observer in self.observers:
                self.cards[observer].append(set())
            for card in items:
                self.deck_of[card] = len(self.decks) - 1
        del self.streams.shuffles[began:]
        drawn = [event for event in events if event.kind == "draw"]
        if move == DRAW and drawn and drawn[0].number == 2 and sum(before.bag) > 2:
            self.pairs[after.ply] = (before.chance, *after.turn.tiles)  # type: ignore[assignment]
        if move == END or after.active != before.active:
            self.began = after.ply
        self._said(seat, events)
        self.look(after)
        return after

    def _said(self, seat: int, events: list[Event]) -> None:
        """What was shown on the way: it is told in words, whether it still lies there or not."""
        for event in events:
            for name in event.what:
                for observer in self.observers:
                    if event.private and observer != seat:
                        continue
                    if name in self.deck_of:
                        self.cards[observer][self.deck_of[name]].add(name)
                    elif name in COATS and event.kind in ("coat", "look_at_coats"):
                        self.coats[observer].add(name)

    def names(self, observer: Observer, rng: random.Random) -> dict[int, dict[str, str]]:
        """Other names, by the counter of the shuffle, for all that the observer has not seen."""
        found = {
            counter: _exchanged(sorted(deck - self.cards[observer][number]), rng)
            for number, (counter, deck) in enumerate(self.decks)
        }
        unseen = [coat for coat in COATS if coat not in self.coats[observer]]
        found[self.coats_at] = {}
        for gold in (True, False):  # that a coat could not be taken tells its rim (W2)
            alike = [coat for coat in unseen if (COATS[coat][1] is not None) == gold]
            found[self.coats_at] |= _exchanged(alike, rng)
        found[self.tower_at] = _exchanged([tile for tile in TOWER if tile not in self.tower], rng)
        return found


def _exchanged(names: list[str], rng: random.Random) -> dict[str, str]:
    return dict(zip(names, rng.sample(names, len(names)), strict=True))
