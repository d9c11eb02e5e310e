"""A whole position out of what a seat sees: whatever is hidden is dealt anew, as the seat may believe it to be."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from bots.features import UNSEEN
from bots.sight import Sight
from server.engine import rulesets
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS

Known = Mapping[int, Sequence[str]]
"""Seat → cards that it must be holding."""


class Worlds:
    """All positions that the seat to move cannot tell from the true one."""

    def __init__(self, sight: Sight) -> None:
        """Raises `ValueError` when nobody is to move."""
        view = sight.view
        if view["active"] is None:
            raise ValueError("nobody is to move")
        self.seat = view["active"]
        self.masked = masked(view)
        self.known = held_openly(sight.log, view)

    def one(self, rng: random.Random) -> State:
        """Return one of them, dealt by `rng`; its chance is made up, too."""
        state = self.masked.rules.dealt(self.masked, (self.seat,), rng.shuffle)
        _give_back(state, self.known)
        state.seed, state.chance = rng.randbytes(32), 0
        return state


def masked(view: View) -> State:
    """Return the position of a view, with `UNSEEN` for each thing that it does not show."""
    rules = rulesets.rules_for(view["ruleset"])
    form: dict[str, Any] = {**view}
    form["chance"] = 0
    form["pile"] = [UNSEEN] * view["pile_size"]
    form["coats"] = [UNSEEN] * view["coats_size"]
    form["players"] = [
        {**player, "hand": player.get("hand", [UNSEEN] * player["hand_size"])} for player in view["players"]
    ]
    # Of another seat's offer only the kind is seen: what is nowhere else lies there.
    cards = view["pile_size"] + len(view["discard"])
    cards += sum(player["hand_size"] + len(player["table"]) for player in view["players"])
    coats = view["coats_size"] + sum(len(player["coats"]) for player in view["players"])
    left = {"choose": len(CARDS) - cards, "coat": len(rules.coats) - coats}
    form["pending"] = [
        {"offer": [UNSEEN] * left[choice["kind"]], **choice} if choice["kind"] in left else choice
        for choice in view["pending"]
    ]
    return rules.state_from_dict(form, bytes(32))


def held_openly(log: Sequence[tuple[int, str]], view: View) -> dict[int, tuple[str, ...]]:
    """Return the cards that other seats took from the discard pile for all to see (Q5) and have not played since."""
    held: dict[int, list[str]] = {}
    for seat, text in log:
        words = text.split()
        if words[0] == "take":
            held.setdefault(seat, []).append(words[1])
        elif words[0] == "play" and words[1] in held.get(seat, ()):
            held[seat].remove(words[1])
    return {seat: tuple(cards) for seat, cards in held.items() if cards and seat != view["active"]}


def _give_back(state: State, known: Known) -> None:
    """Put the cards that are known to be in a hand there, each in exchange for another."""
    for seat, cards in known.items():
        for card in cards:
            _swap_in(state, seat, card, cards)


def _swap_in(state: State, seat: int, card: str, known: Sequence[str]) -> None:
    hand = state.players[seat].hand
    if card in hand:
        return
    given = next((other for other in hand if other not in known), None)
    if given is None:
        return  # the log is not of this position
    state.players[seat].hand = tuple(card if other == given else other for other in hand)
    if card in state.pile:
        state.pile = tuple(given if other == card else other for other in state.pile)
        return
    for number, player in enumerate(state.players):
        if number != seat and card in player.hand:
            player.hand = tuple(given if other == card else other for other in player.hand)


def seed_of(*words: object) -> bytes:
    """Return 32 bytes that follow from `words`, for games and bots that are to be repeated."""
    return random.Random(" ".join(map(str, words))).randbytes(32)  # noqa: S311 - repeated, not secret
