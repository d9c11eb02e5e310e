"""A turn of a bot: asked for one move after the other until something is revealed, or the turn is over.

All that is used is the sight of the seat to move: what it decided is played on a position that is made of its view.
"""

from __future__ import annotations

import hmac
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from bots.determinise import masked
from bots.sight import Bot, Sight
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.turn import END

MOVES_MAX = 64
"""So many moves are sent at once; a long turn has about twenty."""
SHARE = 0.4
"""Of the time that is left a decision may take so much: the first ones are the hard ones."""
LEAST_SECONDS = 0.02


class IllegalAnswerError(ValueError):
    """A bot answered with something that is no legal move."""


class Question(NamedTuple):
    """What a bot is asked: it can be sent to another process, and holds nothing that its seat may not know."""

    bot: str
    view: View
    log: tuple[tuple[int, str], ...]
    secret: bytes
    """What the bot's chance follows from; it has nothing to do with the game's."""
    seconds: float
    """For all of the answer."""

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {**self._asdict(), "secret": self.secret.hex()}

    @classmethod
    def from_dict(cls, form: dict[str, Any]) -> Question:
        """Inverse of `to_dict`."""
        log = tuple((seat, move) for seat, move in form["log"])
        return cls(form["bot"], form["view"], log, bytes.fromhex(form["secret"]), form["seconds"])


def answer(question: Question, bot: Bot, clock: Callable[[], float] = time.monotonic) -> list[str]:
    """Return the bot's next moves, up to and with the first that reveals something or ends the turn. The same question
    gives the same moves, of a bot that does not look at the clock. Raises `IllegalAnswerError`, and whatever the bot
    raises."""
    end = clock() + question.seconds
    view, log, moves = question.view, list(question.log), list[str]()
    seat = view["active"]
    if seat is None:
        raise ValueError("nobody is to move")
    unseen = masked(view)
    # What it does not see is made up, so that any move can be played; none of that gets into a view.
    state = unseen.rules.masked(unseen, seat)
    while len(moves) < MOVES_MAX:
        legal = state.rules.legal_moves(state)
        seconds = max((end - clock()) * SHARE, LEAST_SECONDS)
        move = bot.choose(Sight(view, legal, tuple(log), seconds), chance(question.secret, seat, state.ply))
        if move not in legal:
            raise IllegalAnswerError("this is no legal move")
        moves.append(format_move(move))
        if move == END:
            break
        applied = state.rules.apply(state, seat, move)
        if applied.reveals or applied.state.active != seat:
            break
        state = applied.state
        view = state.rules.view(state, seat)
        log.append((seat, moves[-1]))
    return moves


def chance(secret: bytes, seat: int, ply: int) -> random.Random:
    """Return the chance of a seat at a ply: asked again after a crash, a bot comes to the same move."""
    return random.Random(hmac.digest(secret, f"{seat} {ply}".encode(), "sha256"))  # noqa: S311 - seeded by a secret
