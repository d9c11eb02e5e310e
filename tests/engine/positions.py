"""Positions built by hand: name what matters, the rest is filled in so that 50 tiles, 33 cards and 12 coats exist."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from server.engine.errors import IllegalMoveError
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS, COATS, COLORS, DESCENDANTS, TOWER
from server.engine.ulm2 import RULES

SEED = bytes(range(32))
QUARTER_OF_COAT = {
    "N1": "leaning_house", "N3": "oath_house", "E1": "town_hall", "E3": "reichenauer_hof", "S1": "shipyard",
    "S3": "goose_tower", "W1": "tillage", "W3": "garden",
}  # fmt: skip
BESIDE = {
    "leaning_house": (1, 5), "oath_house": (6, 11), "town_hall": (12, 15), "reichenauer_hof": (16, 19),
    "goose_tower": (20, 22), "tillage": (1, 6), "garden": (7, 11), "shipyard": (12, 22),
}  # fmt: skip
"""The first and the last space beside each quarter: of the north bank, then of the south."""
CHRONICLE = [
    "first_chronicle", "city_wall", "construction_freeze", "fisherman_jousting", "patrician", "reformation", "siege",
    "swabian_league", "ulm_sparrow",
]  # fmt: skip
GRID = ("gray white brown", "turquoise orange gray", "white brown turquoise")  # no three in a line


def counts(names: str | Iterable[str] | Mapping[str, int] = "") -> dict[str, int]:
    """Return {colour: count} of tiles named in a text ("gray gray white"), a list, or a partial mapping."""
    if isinstance(names, Mapping):
        return {color: names.get(color, 0) for color in COLORS}
    words = names.split() if isinstance(names, str) else list(names)
    assert set(words) <= set(COLORS), words
    return {color: words.count(color) for color in COLORS}


def position(
    players: int = 2,
    *,
    phase: str = "actions",
    tower: str | None = None,
    rotate_start: bool = False,
    active: int = 0,
    start: int = 0,
    round_: int = 1,
    grid: Sequence[str] = GRID,
    outer: Mapping[str, str] | None = None,
    docks: str | Mapping[str, int] = "gray white brown turquoise orange",
    bag: str | Mapping[str, int] | None = None,
    pile: Sequence[str] | None = None,
    top: Sequence[str] = (),
    discard: Sequence[str] = (),
    coats: Sequence[str] | None = None,
    quarters: Mapping[str, Sequence[int]] | None = None,
    descendants: Sequence[str] | None = None,
    pending: Sequence[Mapping[str, Any]] = (),
    seats: Sequence[Mapping[str, Any]] = (),
    drawn: str = "",
    activated: str | Mapping[str, int] = "",
    credits_: Mapping[str, int] | None = None,
    rules: Rules = RULES,
    **turn: Any,
) -> State:
    """Return a state with the position described; what is left out is as simple as it can be.

    `tower` names the tile in force. `bag` None holds the tiles that lie nowhere else. `pile` None holds the cards that
    are nowhere else, with `top` (last = the very top) on them. `seats` overrides players' keys; a coat of theirs brings
    its seal beside the slot and its crest. `turn` are further keys of the turn.
    """
    data = rules.new_game(SEED, players, {"tower": tower is not None, "rotate_start": rotate_start}).to_dict()
    data |= {"phase": phase, "active": active, "start": start, "round": round_, "discard": list(discard)}
    data["grid"] = [row.split() for row in grid]
    data["outer"] = dict(outer or {})
    data["docks"] = counts(docks)
    data["pending"] = [dict(choice) for choice in pending]
    if tower is not None:
        others = [name for name in TOWER if name != tower and not name.endswith("levy")]
        others += [name for name in TOWER if name != tower and name.endswith("levy")]
        data["tower"] = [*others[: round_ - 1], tower, *others[round_ - 1 :]][:10]
    data["quarters"] |= {quarter: list(seals) for quarter, seals in (quarters or {}).items()}
    data["coat_seals"], data["crests"] = {}, {}
    for seat, player in enumerate(data["players"]):
        given = dict(seats[seat]) if seat < len(seats) else {}
        player |= {"tiles": counts(given.pop("tiles", "")), "seals": 12, "crests": 3}
        player["coats"] = list(given.get("coats", ()))
        for coat in player["coats"]:
            data["coat_seals"][coat] = seat
            if coat in QUARTER_OF_COAT:
                data["crests"][QUARTER_OF_COAT[coat]] = seat
                player["crests"] -= 1
        player["seals"] -= len(player["coats"]) + sum(seals.count(seat) for seals in data["quarters"].values())
        player |= given
        assert set(player) == set(data["players"][0]), given
    taken = {name for player in data["players"] for name in player["descendants"]}
    free = [name for name in DESCENDANTS if name not in taken]
    data["descendants"] = free[:4] if descendants is None else list(descendants)
    held = {coat for player in data["players"] for coat in player["coats"]}
    held |= {coat for choice in pending if choice["kind"] == "coat" for coat in choice["offer"]}
    data["coats"] = [coat for coat in COATS if coat not in held] if coats is None else list(coats)
    placed = [*discard, *top, *(card for player in data["players"] for card in (*player["hand"], *player["table"]))]
    placed += [card for choice in pending if choice["kind"] == "choose" for card in choice["offer"]]
    rest = [card for card in CARDS if card not in placed] if pile is None else list(pile)
    data["pile"] = [*rest, *top]
    empty = {"card": 0, "seal": 0, "seal_at_1": 0, "step": 0}
    data["turn"] |= {"tiles": drawn.split(), "activated": counts(activated), "credits": empty | dict(credits_ or {})}
    assert set(turn) <= set(data["turn"]), turn
    data["turn"] |= turn
    data["bag"] = _rest(data) if bag is None else counts(bag)
    return rules.state_from_dict(json.loads(json.dumps(data)), SEED)  # no text in it is one of the engine's own


def _rest(data: Mapping[str, Any]) -> dict[str, int]:
    """The tiles that lie nowhere but in the bag: ten of each colour exist."""
    elsewhere = [name for row in data["grid"] for name in row] + list(data["outer"].values()) + data["turn"]["tiles"]
    rest = {}
    for color in COLORS:
        lying = elsewhere.count(color) + data["docks"][color]
        rest[color] = 10 - lying - sum(player["tiles"][color] for player in data["players"])
        assert rest[color] >= 0, f"more than ten {color} tiles"
    return rest


def do(state: State, *texts: str, seat: int | None = None) -> State:
    """Play moves one after the other, each checked, for `seat` (the active one when None)."""
    for text in texts:
        state = one(state, text, seat)[0]
    return state


def one(state: State, text: str, seat: int | None = None) -> tuple[State, list[Event], bool]:
    """Play one move, checked: the new state, the events, whether it revealed."""
    mover = state.active if seat is None else seat
    assert mover is not None, "the game is over"
    applied = game.apply(state, mover, state.rules.parse_move(text))
    return applied.state, applied.events, applied.reveals


def legal(state: State, *verbs: str) -> set[str]:
    """The texts of the legal moves, or of those that begin with one of `verbs`."""
    texts = {format_move(move) for move in game.legal_moves(state)}
    return {text for text in texts if text.split()[0] in verbs} if verbs else texts


def refused(state: State, text: str, rule: str, words: str, seat: int | None = None) -> None:
    """Assert that a move is refused under `rule`, with `words` in the message, and changes nothing."""
    before = state.to_dict()
    with pytest.raises(IllegalMoveError, match=re.escape(words)) as caught:
        one(state, text, seat)
    assert caught.value.rule == rule
    assert state.to_dict() == before


def tiles(state: State, seat: int = 0) -> dict[str, int]:
    """The supply of `seat` by colour, without the zeros."""
    return {color: n for color, n in state.to_dict()["players"][seat]["tiles"].items() if n}


def docks(state: State) -> dict[str, int]:
    """The docks by colour, without the zeros."""
    return {color: n for color, n in state.to_dict()["docks"].items() if n}


def bag(state: State) -> dict[str, int]:
    """The bag by colour, without the zeros."""
    return {color: n for color, n in state.to_dict()["bag"].items() if n}


def kinds(state: State) -> list[str]:
    """The kinds of the pending choices, the last to be settled first."""
    return [choice[0] for choice in state.pending]


def simple_turn(state: State) -> State:
    """Play a turn without any action: draw, push at the first open slot, end."""
    state = do(state, "draw")
    if state.phase == "keep":
        state = do(state, sorted(legal(state, "keep"))[0])
    if state.phase == "push":
        state = do(state, min(legal(state, "push")))
    return do(state, "end")
