"""JSON as record.md §4 has it: what is written of a state, and what a view shows of it."""

from typing import NotRequired, TypedDict

Counts = dict[str, int]
"""How many by colour, all five keys."""


class Options(TypedDict):
    """The options of a game (rules.md §14)."""

    rotate_start: bool
    tower: bool


class Score(TypedDict):
    """The final score of a seat (rules.md §13)."""

    vp: int
    sparrows: int
    barge: int
    cathedral: int
    trade: int
    chronicle: dict[str, int]
    total: int
    quarters: int
    rank: int


class Result(TypedDict):
    """How a game ended (record.md §5)."""

    scores: list[Score]
    winners: list[int]


class PendingForm(TypedDict):
    """A choice to settle: an offer is in it for its owner alone, and `max` of a barge."""

    kind: str
    offer: NotRequired[list[str]]
    max: NotRequired[int]


class CreditsForm(TypedDict):
    """Actions that can be used without a tile (A7)."""

    card: int
    seal: int
    seal_at_1: int
    step: int


class TurnForm(TypedDict):
    """What is left to use in the turn under way."""

    activated: Counts
    credits: CreditsForm
    exchanged: bool
    free_play: bool
    levy_paid: bool
    patrician: bool
    salvaged: bool
    slot: str | None
    swapped: bool
    tiles: list[str]


class _PlayerForm(TypedDict):
    barge: int
    coats: list[str]
    coins: int
    crests: int
    descendants: list[str]
    played: int
    resigned: bool
    seals: int
    sparrows: int
    table: list[str]
    tiles: Counts
    vp: int


class PlayerForm(_PlayerForm):
    """What lies in front of a seat."""

    hand: list[str]


class PlayerView(_PlayerForm):
    """What is shown of a seat; its hand to itself alone."""

    hand: NotRequired[list[str]]
    hand_size: int


class _Position(TypedDict):
    active: int | None
    bag: Counts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: list[str]
    discard: list[str]
    docks: Counts
    grid: list[list[str]]
    options: Options
    outer: dict[str, str]
    pending: list[PendingForm]
    phase: str
    ply: int
    quarters: dict[str, list[int]]
    round: int
    ruleset: str
    scores: list[Score] | None
    start: int
    tower: list[str]
    turn: TurnForm


class StateForm(_Position):
    """A whole position, secrets and all."""

    chance: int
    coats: list[str]
    pile: list[str]
    players: list[PlayerForm]


class View(_Position):
    """What a seat, or a spectator, may see of a position."""

    coats_size: int
    pile_size: int
    players: list[PlayerView]
