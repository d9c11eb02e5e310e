"""What became of an answer, as its mail keeps it: reasons in their reader's language, moves by plies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from server.engine.canonical import Json

Standing = Literal["live", "late", "waiting", "resigned", "over", "given_up"]
"""How the turn stood that was answered: it is the one under way; it is over and another one of the reader's has begun;
somebody else is to move; the reader has resigned; the game is over, with a result or without."""
Stop = Literal["", "revealed", "ended", "question"]
"""Why the rest of a mail was not played: a move revealed something, the turn was over, or a line failed."""


@dataclass(slots=True)
class Carried:
    """Moves that were played together, from the ply `first` to the ply `last`."""

    first: int
    last: int
    moves: list[str]


@dataclass(slots=True)
class Question:
    """A line that nothing was played of: as it was written, why, and moves that could be meant."""

    line: str
    why: str
    options: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """What became of one answer."""

    mail: str = ""  # the Message-ID of the mail that was answered; empty when it had none
    standing: Standing = "live"
    carried: list[Carried] = field(default_factory=list)
    undone: int = 0  # how many moves were taken back
    nothing_to_undo: bool = False
    questions: list[Question] = field(default_factory=list)
    left: list[str] = field(default_factory=list)  # the lines that were not reached, in the player's words
    stop: Stop = ""
    preview: list[str] = field(default_factory=list)
    """Moves to be looked at from ply `previewed` on, in the notation."""
    previewed: int = 0
    said: int = 0  # how many messages went to the table
    unsaid: str = ""  # why a message did not
    other_text: str = ""  # what else the player wrote, to be offered as a message
    help: bool = False
    hand: bool = False
    resigning: bool = False  # A second mail asks whether the seat is to be resigned
    not_resigned: bool = False  # that mail was answered by something else
    came_back: bool = False  # the server has played for the seat, and does so no more

    @property
    def played(self) -> int:
        """How many moves were played."""
        return sum(len(one.moves) for one in self.carried)

    @property
    def was_empty(self) -> bool:
        """Whether a mail to the turn under way asked for nothing that is known."""
        done = self.played or self.undone or self.nothing_to_undo or self.preview or self.said or self.unsaid
        asked = self.help or self.hand or self.resigning or self.not_resigned or self.questions or self.left
        return self.standing == "live" and bool(self.other_text) and not (done or asked)

    def data(self) -> dict[str, object]:
        """It as JSON values."""
        return asdict(self)


def read(data: Mapping[str, Json]) -> Result:
    """The result that `data` was made of."""
    given = dict(data)
    given["carried"] = [Carried(**one) for one in given["carried"]]
    given["questions"] = [Question(**one) for one in given["questions"]]
    return Result(**given)
