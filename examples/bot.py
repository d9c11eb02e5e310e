"""A bot: `ULM_BOT_TOKEN=… ulm-bot run bot:choose`, or by itself `ULM_BOT_TOKEN=… python bot.py http://127.0.0.1:8000`."""

import math
import os
import random
import sys

from ulm_client import Client

LIKED = ("seal", "coat", "descendant", "card", "play", "river", "money", "push", "draw", "end")


def choose(view: object, legal: list[str]) -> str:
    """Return the move to play; `view` is all that this seat may see (docs/record.md)."""
    moves = [[move for move in legal if move.split()[0] == verb] for verb in LIKED]
    return random.choice(next(filter(None, [*moves, legal])))


if __name__ == "__main__":
    with Client(sys.argv[1], os.environ["ULM_BOT_TOKEN"], patience=math.inf) as client:
        for turn in client.turns():
            turn.play(choose(turn.view, turn.legal))
