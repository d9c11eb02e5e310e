"""`ulm ratings verify`, `ulm ratings twins`: computing ratings anew, and who may be one person with two accounts."""

from __future__ import annotations

import argparse
import json

from server.commands import JSON, command, count, progress, say, with_database
from server.service.admin import twins
from server.service.archive import rating
from server.storage.database import Store


@command("ratings verify", "compute all ratings anew from the games in their order; exit 1 when a digit differs", JSON)
@with_database
def verify(args: argparse.Namespace, store: Store) -> int:
    """Name what differs; 1 when something does, else 0."""
    games, findings = 0, []
    with progress("ratings verify", quiet=args.json) as bar:

        def told(done: int) -> None:
            nonlocal games
            bar.update(done - games)
            games = done

        for game_id, message in rating.differences(store, told):
            findings.append({"game_id": game_id, "message": message})
            if not args.json:
                bar.write(f"{game_id or 'ratings'}: {message}")
    if args.json:
        print(json.dumps({"games": games, "findings": findings}))
    elif findings:
        print(f"{count(len(findings), 'difference', 'differences')} in the ratings of {count(games, 'game', 'games')}.")
    else:
        print(f"The ratings of {count(games, 'game', 'games')} computed anew: all as stored.")
    return 1 if findings else 0


@command("ratings twins", "pairs of players who often meet in rated games, from one network: to be looked at", JSON)
@with_database
def list_twins(args: argparse.Namespace, store: Store) -> None:
    """One line each."""
    found = twins.listing(store)
    if args.json:
        print(json.dumps(found))
        return
    for one in found:
        (first, second), (name, other), (better, worse) = one["players"], one["names"], one["better"]
        say(
            f"{first} {name} and {second} {other}: {one['games']} games, {better} to {worse}, "
            f"from {' '.join(one['networks'])}"
        )
    if not found:
        print("No two players meet often from one network.")
