"""A bot that plays by the HTTP API, with nothing but the standard library: `http_bot.py URL TOKEN`.

It follows the stream of all games in which its account sits, plays where it is its turn, and outlives whatever the
server or the network does. To make a better one, write another `choose`.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

QUIET = 60
"""Seconds without a word after which a connection is dead: streams say something every 15."""
SOON = 0.1
"""Seconds until the stream is opened again when it has ended as streams do."""
LATER = (408, 425, 429)
"""Refusals that pass."""
INCLUDE = "include=legal_moves,view"
"""What events and answers to moves bring along: nothing else has to be asked for."""
LIKED = ("seal", "coat", "descendant", "card", "play", "river", "money", "push", "draw")
"""What it does first, where it may."""


def choose(view: dict[str, Any], legal: list[str], chance: random.Random) -> str:
    """Return the move to play. `view` is all that this seat may see (docs/record.md §4)."""
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

    def _open(self, path: str, data: object, headers: dict[str, str]) -> Any:
        body = None if data is None else json.dumps(data).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **headers}
        request = urllib.request.Request(self.url + path, body, sent)  # noqa: S310 - whoever starts it says it
        return urllib.request.urlopen(request, timeout=QUIET)  # noqa: S310

    def ask(self, path: str, data: object = None) -> tuple[int, Any]:
        """Return status and answer (None for one that is no JSON); a POST when there are data. Asks again, for as long
        as it takes, while the server or what stands before it cannot answer: a move that arrived is not made twice,
        since its `ply` has passed."""
        for pause in waits():
            try:
                with self._open(path, data, {}) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in LATER and error.code < 500:
                        return error.code, read(error)
                    time.sleep(max(pause, seconds(error.headers.get("Retry-After"))))
            except (OSError, http.client.HTTPException, ValueError):  # not there, broken off, no JSON
                time.sleep(pause)
        raise AssertionError("unreachable")

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what happens in all games of the account, for ever: each name with its data. After a break all of them
        are told again, so nothing is missed. Raises `SystemExit` for a token that is not good."""
        known, pauses = "", waits()
        while True:
            try:
                headers = {"Last-Event-ID": known} if known else {}
                with self._open(f"/events?{INCLUDE}", None, headers) as stream:
                    pauses, name = waits(), ""
                    for line in stream:
                        field, _, value = line.decode("utf-8", "replace").rstrip("\n").partition(": ")
                        if field == "event":
                            name = value
                        elif field == "id":
                            known = value
                        elif field == "data":
                            yield name, json.loads(value)
                pause = SOON
            except urllib.error.HTTPError as error:
                with error:
                    if error.code in (401, 403):
                        raise SystemExit(f"the server refuses: {(read(error) or {}).get('message')}") from None
                    pause = max(next(pauses), seconds(error.headers.get("Retry-After")))
            except (OSError, http.client.HTTPException, ValueError):
                pause = next(pauses)
            time.sleep(pause)


def waits() -> Iterator[float]:
    """Yield pauses that grow up to half a minute, without end."""
    yield from (1, 2, 4, 8, 16)
    while True:
        yield 30


def seconds(told: str | None) -> float:
    """Return what `Retry-After` says."""
    return float(told) if told is not None and told.isdigit() else 0


def read(answer: Any) -> Any:
    """Return an answer's JSON, None where a proxy has put a page in its place."""
    try:
        return json.load(answer)
    except (OSError, ValueError):
        return None


def take_turn(server: Server, game: str, told: dict[str, Any], chance: random.Random) -> int:
    """Play from what was told of the game until it is somebody else's turn; return the last ply that is known."""
    while told["legal_moves"]:
        move = choose(told["view"], told["legal_moves"], chance)
        path = f"/games/{game}/moves?{INCLUDE}"
        status, answer = server.ask(path, {"ply": told["ply"], "moves": [move]})
        if status != 201:
            break  # 409: the game has moved on, and an event says how it stands
        told = answer
    return int(told["ply"])


def play_all(server: Server, chance: random.Random) -> None:
    """Play every game of the account whenever it is its turn there."""
    known: dict[str, int] = {}
    for name, told in server.events():
        game = told["game"]
        if name == "game" and told["status"] == "running":
            if told["ply"] >= known.get(game, 0):  # else it is an echo of moves whose answers went further
                known[game] = take_turn(server, game, told, chance)
        else:
            known.pop(game, None)


if __name__ == "__main__":
    play_all(Server(*sys.argv[1:3]), random.Random())  # noqa: S311
