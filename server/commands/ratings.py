"""`ulm ratings verify`, `ulm ratings twins`: computing ratings anew, and who may be one person with two accounts."""

from __future__ import annotations

import argparse
import json

from server.commands import JSON, command, database, say, with_database
from server.service.admin import twins
from server.service.archive import verification
from server.settings import Settings
from server.storage.database import Store


@command("ratings verify", "compute all ratings anew from the games in their order; exit 1 when a digit differs", JSON)
def verify(args: argparse.Namespace, settings: Settings) -> int:
    """Name what differs; 1 when something does, else 0."""
    return database.check(settings, args.json, verification.verify_ratings, "for their ratings")


@command("ratings twins", "pairs of players who often meet in rated games, from one network: to be looked at", JSON)
@with_database
def list_twins(args: argparse.Namespace, store: Store) -> None:
    """One line each."""
    found = twins.listing(store)
    if args.json:
        print(json.dumps(found))
    for one in () if args.json else found:
        say("{player} {name} and {other} {other_name}: {games} games, {won} to {lost}, from {network}".format(**one))
    if not found and not args.json:
        print("No two players meet often from one network.")
