"""A hint in words: what a bot would play, and what each move of it brings about, as the buttons of the page say it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from server.engine.errors import UlmError
from server.service.play import hints
from server.service.play.hints import Advice
from server.service.views import effects, history


class AdvisedMove(TypedDict):
    """A move of a hint, and what it costs, gains and brings about."""

    move: str
    effects: Annotated[list[str], "What it costs, gains and brings about, in words."]


class Hint(TypedDict):
    """What `bot` would play from `ply` on, up to the first move that reveals something; not `ready` while it thinks."""

    ply: Annotated[int, "On which it builds."]
    ready: Annotated[bool, "false: it is thought about, ask again."]
    bot: Annotated[str, "Which bot was asked."]
    moves: Annotated[list[AdvisedMove], "Up to the first that reveals something; empty while it is thought about."]


def hint(advice: Advice) -> Hint:
    """The hint for who asked for it."""
    return {
        "ply": advice.game.position.ply,
        "ready": bool(advice.moves),
        "bot": hints.ADVISER,
        "moves": _moves(advice),
    }


def _moves(advice: Advice) -> list[AdvisedMove]:
    """Each move with its effects, read off a mask: what is hidden is in none of them."""
    told: list[AdvisedMove] = []
    game, names = advice.game, history.names_of(advice.game)
    mask = game.rules.masked(game.position, advice.seat)
    for text in advice.moves:
        try:
            move = mask.rules.parse_move(text)
            told.append(
                {"move": text, "effects": [one.text for one in effects.of_move(mask, advice.seat, move, names)]}
            )
            mask = effects.play(mask, move).after
        except UlmError:  # what a reveal brings is made up in a mask: nothing is told of what comes after
            break
    return told
