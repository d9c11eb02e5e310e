"""A tournament of bots: `ULM_TOKEN=… python tournament.py bot:choose mine:choose random`; ULM_SERVER is the address.

Who plays is a function of yours (MODULE:FUNCTION), or a bot of the house by its name. Each function gets a bot with an
account, which belongs to the player of ULM_TOKEN, and makes a game against each of the others.
"""

import itertools
import math
import os
import re
import sys
import threading

from ulm_client import Client
from ulm_client.bot import Choose, load

SERVER = os.environ.get("ULM_SERVER", "http://127.0.0.1:8000")


def handle(name: str) -> str:
    """What games call a player."""
    return "@" + re.sub("[^a-z0-9]", "", name) if ":" in name else name


def seated(owner: Client, name: str) -> Client:
    """Let a function play, by a new bot or by the one that was made for it before."""
    mine, bot = {bot["handle"] for bot in owner.my_bots()}, handle(name).lstrip("@")
    made = owner.renew_bot_token(bot) if handle(name) in mine else owner.create_bot(handle=bot, rules={"games": 50})
    client = Client(SERVER, made["token"], patience=math.inf)
    threading.Thread(target=play, args=(client, load(name)), daemon=True).start()
    return client


def play(client: Client, choose: Choose) -> None:
    """Play all games of a bot, for ever."""
    for turn in client.turns():
        turn.play(choose(turn.view, turn.legal))


def main(names: list[str]) -> None:
    """Play, and print how all stand."""
    with Client(SERVER, os.environ["ULM_TOKEN"]) as owner:
        clients = {name: seated(owner, name) for name in names if ":" in name}
    if not clients or len(names) < 2:
        sys.exit(__doc__)
    games = {
        clients[one].create_game(seats=2, bots=[handle(other)])["id"]: (one, other)
        for one, other in itertools.permutations(names, 2)
        if one in clients
    }
    wins: dict[str, list[bool]] = {name: [] for name in names}
    points: dict[str, list[int]] = {name: [] for name in names}
    for game, players in games.items():
        for _event in clients[players[0]].events(game):
            pass  # until it is over
        result = clients[players[0]].replay(game)["result"]
        for seat, name in enumerate(players):
            wins[name].append(seat in result["winners"])
            points[name].append(result["scores"][seat]["total"])
    print(f"{'':24}{'games':>8}{'won':>8}{'points':>8}")
    for name in sorted(names, key=lambda name: -sum(wins[name]) / len(wins[name])):
        count = len(wins[name])
        print(f"{name:24}{count:8}{sum(wins[name]):8}{sum(points[name]) / count:8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
