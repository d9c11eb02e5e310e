"""A bot that plays by the HTTP API, with nothing but the standard library: `http_bot.py URL TOKEN`.

It plays every game in which its account sits, and waits by long-polling. To make a better one, write another `choose`.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any

WAIT = 20
"""Seconds for which the server is asked to hold an answer back until something changes."""
LOOK = 2.0
"""Seconds between looks for new games."""
LIKED = ("seal", "coat", "descendant", "card", "play", "river", "money", "push", "draw")
"""What it does first, where it may."""


def choose(page: dict[str, Any], legal: list[str], chance: random.Random) -> str:
    """Return the move to play. `page["view"]` is all that this seat may see (docs/record.md §4)."""
    for verb in LIKED:
        moves = [move for move in legal if move.split()[0] == verb]
        if moves:
            return chance.choice(moves)
    rest = [move for move in legal if move.split()[0] not in ("exchange", "resign")] or legal
    return "end" if "end" in rest else chance.choice(rest)


class Server:
    """The API at an address, with a token."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url.rstrip("/") + "/api/v1", token

    def ask(self, path: str, data: object = None, headers: dict[str, str] | None = None) -> tuple[int, Any, str]:
        """Return status, answer and ETag; a POST when there are data. Asks again while the server cannot answer."""
        body = None if data is None else json.dumps(data).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})}
        for pause in (1, 2, 4, 8, 16, 0):
            try:
                request = urllib.request.Request(self.url + path, body, sent)  # noqa: S310 - whoever starts it says it
                with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                    return answer.status, json.load(answer), answer.headers.get("ETag", "")
            except urllib.error.HTTPError as error:
                if error.code not in (429, 502, 503) or not pause:
                    return error.code, None if error.code == 304 else json.load(error), error.headers.get("ETag", "")
                time.sleep(float(error.headers.get("Retry-After", pause)))
            except OSError:
                if not pause:
                    raise
                time.sleep(pause)
        raise AssertionError("unreachable")


def play_game(server: Server, game: str, chance: random.Random) -> None:
    """Play one game to its end."""
    known = ""
    while True:
        headers = {"If-None-Match": known, "Prefer": f"wait={WAIT}"} if known else {}
        asked = time.monotonic()
        status, page, tag = server.ask(f"/games/{game}", headers=headers)
        if status == 304:
            time.sleep(max(0.0, 1.0 - (time.monotonic() - asked)))  # a busy server answers at once
            continue
        if status != 200 or page["status"] != "running":
            return
        known = tag
        if page["to_move"] != page["seat"]:
            continue
        _status, legal, _tag = server.ask(f"/games/{game}/legal-moves")
        if legal and legal.get("moves"):
            move = choose(page, legal["moves"], chance)
            server.ask(f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]})  # 409: it is read again
        known = ""


def play_all(server: Server, stop: threading.Event, chance: random.Random) -> None:
    """Play every game of the account, each in a thread of its own, until told to stop."""
    under_way: dict[str, threading.Thread] = {}
    while not stop.is_set():
        status, games, _tag = server.ask("/games?player=me&status=running&page_size=100")
        if status != 200:
            raise SystemExit(f"the server refuses: {games['message']}")
        under_way = {game: thread for game, thread in under_way.items() if thread.is_alive()}
        for game in (one["id"] for one in games):
            if game not in under_way:
                mine = random.Random(chance.random())  # noqa: S311 - it guards nothing
                under_way[game] = threading.Thread(target=play_game, args=(server, game, mine), daemon=True)
                under_way[game].start()
        stop.wait(LOOK)


if __name__ == "__main__":
    play_all(Server(*sys.argv[1:3]), threading.Event(), random.Random())  # noqa: S311
