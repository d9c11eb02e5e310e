"""What followed from a move: who, what, how many. Log, mail and page make their sentences from these."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True, init=False)
class Event:
    """One thing that happened to one seat; never changed.

    `kind` names the sentence in `board/events.json`; `what` holds names (colours, cards, slots, quarters), `number`
    says how many coins, points, steps or tiles. A `private` event shows its `what` to its own seat alone.
    """

    kind: str
    seat: int
    what: tuple[str, ...]
    number: int
    private: bool

    # Spelt out: of frozen or named tuples, and of what `dataclass` writes for a compiled one, each takes twice as long.
    def __init__(
        self, kind: str, seat: int, what: tuple[str, ...] = (), number: int = 0, private: bool = False
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.what = what
        self.number = number
        self.private = private


# The kinds of event by which a move *reveals* (record.md §3): a tile drawn at random, a card drawn, coats shown.
REVEALING: Final = frozenset({"draw", "refill", "draw_card", "look_at_cards", "look_at_coats"})


def any_reveals(events: Iterable[Event]) -> bool:
    """Say whether a move that these follow from revealed something (record.md §3)."""
    for event in events:  # noqa: SIM110 - any(…) takes twice as long, and every checked move asks this
        if event.kind in REVEALING:
            return True
    return False
