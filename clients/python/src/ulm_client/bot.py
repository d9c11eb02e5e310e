"""`ulm-bot`: keep a function at all tables of a bot's account, and make such an account."""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ulm_client import Client, UlmError
from ulm_client.steps import growing
from ulm_client.turns import NEEDED, Place, Turn, place

Choose = Callable[[Any, list[str]], str | Sequence[str]]
"""Says which of the legal moves is played, or several in a row; is told what the seat may see (docs/record.md)."""
log = logging.getLogger("ulm_bot")


class Seats:
    """All games of an account, each played by a thread of its own while it is to move; at most `at_once` think."""

    def __init__(self, client: Client, choose: Choose, at_once: int) -> None:
        self._client, self._choose = client, choose
        self._thinking = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._told: dict[str, Place | None] = {}
        """The games that are played now, each with the newest position in which it is to move that was told since."""

    def follow(self) -> None:
        """Play for ever. A process that ends meanwhile loses nothing: the next one is told of all games again. Raises
        `RefusedError` for a token that is not good."""
        for event in self._client.events(include=NEEDED):
            game_id = event.data["game"]
            now = place(game_id, event.data)
            with self._lock:
                begins = now is not None and game_id not in self._told
                if begins or game_id in self._told:
                    self._told[game_id] = now
            if begins:
                threading.Thread(target=self._play, args=(game_id,), daemon=True).start()

    def _play(self, game_id: str) -> None:
        """Play what waits in a game. Whatever the function does, it is asked again, ever more slowly."""
        pauses, ply = growing(), 0
        while now := self._newest(game_id):
            try:
                while now and now.ply >= ply:  # else an echo of moves whose answers went further
                    turn = Turn(now, self._client)
                    ply = self._decide(turn)
                    now = turn.following()
                    pauses = growing()
            except Exception:
                seconds = next(pauses)
                log.exception("game %s: asked again in %.0f s", game_id, seconds)
                time.sleep(seconds)
                with self._lock:
                    self._told[game_id] = self._told[game_id] or now

    def _newest(self, game_id: str) -> Place | None:
        with self._lock:
            if now := self._told[game_id]:
                self._told[game_id] = None
            else:
                del self._told[game_id]
            return now

    def _decide(self, turn: Turn) -> int:
        """Play a turn; return the ply at which it leaves the game."""
        with self._thinking:
            began = time.monotonic()
            chosen = self._choose(turn.view, turn.legal)
            seconds = time.monotonic() - began
        moves = [chosen] if isinstance(chosen, str) else list(chosen)
        played = turn.play(*moves)
        log.info("game %s: %s, after %.2f s%s", turn.game_id, ", ".join(moves), seconds, "" if played else ": too late")
        return played["ply"] if played else turn.ply


def run(arguments: argparse.Namespace) -> None:
    """Play with a function until the process is told to end."""
    choose = load(arguments.function)
    with Client(arguments.server, token("ULM_BOT_TOKEN"), patience=math.inf) as client:
        log.info("plays as %s", client.me()["name"])
        Seats(client, choose, arguments.at_once).follow()


def create(arguments: argparse.Namespace) -> None:
    """Make a bot, or change its rules; print its token, where it is new."""
    with Client(arguments.server, token("ULM_TOKEN")) as owner:
        if any(bot["handle"].lstrip("@") == arguments.handle for bot in owner.my_bots()):
            owner.change_bot(arguments.handle, rules=arguments.rules)
        else:
            made = owner.create_bot(handle=arguments.handle, rules=arguments.rules)
            sys.stdout.write(f"{made['token']}\n")


def load(name: str) -> Choose:
    """Return what `MODULE:FUNCTION` names, of a file in this folder, too."""
    module, _, function = name.partition(":")
    sys.path.insert(0, "")
    try:
        found: Choose = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        stop(f"{name} is no function to play with, named as in bot:choose: {error}")
    return found


def token(variable: str) -> str:
    """Return the token that the environment holds: a command line is read by all users of a machine."""
    return os.environ.get(variable) or stop(f"put the token into {variable}")


def stop(why: str) -> NoReturn:
    """End the command with a sentence."""
    raise SystemExit(f"ulm-bot: {why}")


def main() -> None:
    """The command `ulm-bot`."""
    parser = argparse.ArgumentParser(prog="ulm-bot", description=__doc__)
    commands = parser.add_subparsers(required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--server", default=os.environ.get("ULM_SERVER", "http://127.0.0.1:8000"), help="its address, else ULM_SERVER"
    )
    runs = commands.add_parser("run", parents=[common], help="play with a function; the bot's token is ULM_BOT_TOKEN")
    runs.add_argument("function", metavar="MODULE:FUNCTION", help="takes a view and the legal moves, returns a move")
    runs.add_argument("--at-once", type=int, default=1, help="in how many games it thinks at once (default: 1)")
    runs.set_defaults(command=run)
    makes = commands.add_parser(
        "create", parents=[common], help="make a bot, or change it; its owner's token is ULM_TOKEN"
    )
    makes.add_argument("handle")
    makes.add_argument("--rules", type=json.loads, default={}, help='what it takes, as in {"seats": [2], "games": 2}')
    makes.set_defaults(command=create)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        arguments.command(arguments)
    except (UlmError, ValueError) as error:
        stop(f"{error}")
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
