"""JSON as record.md §4 has it; what stands in `Annotated` is shown by the API's description."""

from typing import Annotated, NotRequired, TypedDict

from server.engine.ulm1.tables import COLORS, SLOTS


class JsonSchema(dict[str, object]):
    """More of what is shown of a type, in the words of JSON Schema."""

    __hash__ = object.__hash__  # type: ignore[assignment]


UtcTime = Annotated[str, JsonSchema(format="date-time", example="2026-11-21T09:30:00Z")]
"""A time in UTC, to the second."""
Color = Annotated[str, JsonSchema(enum=COLORS)]
ColorText = Annotated[str, JsonSchema(pattern=f"^({'|'.join(COLORS)})$")]
"""The same in lists of lists and in objects, where openapi-generator's Python cannot read enumerations."""
Slot = Annotated[str, JsonSchema(enum=SLOTS)]
Phase = Annotated[str, JsonSchema(enum=["draw", "keep", "push", "actions", "over"])]


class ColorCounts(TypedDict):
    """How many of each colour."""

    gray: int
    white: int
    brown: int
    turquoise: int
    orange: int


Counts = Annotated[dict[str, int], ColorCounts]
"""How many by colour, all five keys."""


class Options(TypedDict):
    """The options of a game (rules.md §14)."""

    rotate_start: Annotated[bool, "O2: the start player changes every round."]
    tower: Annotated[bool, "O1: the advanced game with Tower tiles in force."]


class Score(TypedDict):
    """The final score of a seat (rules.md §13)."""

    vp: Annotated[int, "Points before the final scoring."]
    sparrows: int
    barge: int
    cathedral: int
    trade: int
    chronicle: dict[str, int]
    total: int
    quarters: Annotated[int, "Quarters with a seal: the tie-breaker."]
    rank: int


class Result(TypedDict):
    """How a game ended (record.md §5)."""

    scores: Annotated[list[Score], "By seat."]
    winners: Annotated[list[int], "Seats of rank 1."]


class PendingForm(TypedDict):
    """A choice to settle: an offer is in it for its owner alone, and `max` of a barge."""

    kind: Annotated[str, "coat, choose, barge, descendant, dock, abbot, …"]
    offer: NotRequired[Annotated[list[str], "Coats or cards on offer; for their owner alone."]]
    max: NotRequired[Annotated[int, "The largest K of `barge K`."]]


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
    slot: Annotated[Slot | None, "Where the tile was pushed in."]
    swapped: bool
    tiles: Annotated[list[Color], "Drawn and not yet pushed."]


class OpenPlayer(TypedDict):
    """What all see of a seat."""

    barge: Annotated[int, "Danube space, 1 to 22."]
    coats: list[Slot]
    coins: int
    crests: Annotated[int, "Left in supply."]
    descendants: list[str]
    played: Annotated[int, "Cards played, either way."]
    resigned: bool
    seals: Annotated[int, "Left in supply."]
    sparrows: int
    table: list[str]
    tiles: Counts
    vp: int


class PlayerForm(OpenPlayer):
    """What lies in front of a seat."""

    hand: list[str]


class PlayerView(OpenPlayer):
    """What is shown of a seat; its hand to itself alone."""

    hand: NotRequired[Annotated[list[str], "The own seat only."]]
    hand_size: int


_THREE = JsonSchema(minItems=3, maxItems=3)


class OpenPosition(TypedDict):
    """What all see of a position."""

    active: Annotated[int | None, "Seat to move; null when over."]
    bag: Counts
    coat_seals: dict[str, int]
    crests: dict[str, int]
    descendants: Annotated[list[str], "Left in the Oath House."]
    discard: Annotated[list[str], "The last is the top."]
    docks: Counts
    grid: Annotated[list[Annotated[list[ColorText], _THREE]], _THREE]
    options: Options
    outer: Annotated[dict[str, ColorText], "Occupied slots only."]
    phase: Phase
    ply: Annotated[int, "Moves so far, as far as the reader may know."]
    quarters: dict[str, list[int]]
    round: Annotated[int, "1 to 10.", JsonSchema(maximum=10, minimum=1)]
    ruleset: Annotated[str, "Rules of this game.", JsonSchema(example="ulm/2")]
    scores: list[Score] | None
    start: Annotated[int, "Seat number, from 0 on.", JsonSchema(maximum=3, minimum=0)]
    turn: TurnForm


class _Position(OpenPosition):
    pending: Annotated[list[PendingForm], "The last is settled first."]
    tower: Annotated[list[str], "In the order of the rounds."]


class StateForm(_Position):
    """A whole position, secrets and all."""

    chance: Annotated[int, "Position in the stream of record.md §1."]
    coats: Annotated[list[Slot], "The last is the top."]
    pile: Annotated[list[str], "The last is the top."]
    players: Annotated[list[PlayerForm], "By seat."]


class View(_Position):
    """What a seat, or a spectator, may see of a position."""

    coats_size: int
    pile_size: int
    players: Annotated[list[PlayerView], "By seat."]
