"""`ulm rulesets`: which rulesets are loaded, which one new games are played by, and how many games stand under each."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from server.commands.opened import up_to_date
from server.engine import own_values, rulesets
from server.service.archive import ruleset_use
from server.settings import Settings


def add_parser(subparsers: Any) -> None:
    """Add `rulesets`."""
    told = "list the rulesets; exit 1 when games stand under one that is missing"
    parser = subparsers.add_parser("rulesets", help=told)
    parser.add_argument("--template", action="store_true", help="print a file to fill in with the values of your box")
    parser.add_argument("--json", action="store_true", help="print a JSON array")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each ruleset; 1 when a stored game needs one that is not there."""
    if args.template:
        print(own_values.template(rulesets.NEWEST), end="")
        return 0
    with up_to_date(settings) as store:
        found = ruleset_use.of_all(store)
    if args.json:
        print(json.dumps([one._asdict() for one in found]))
    else:
        for one in found:
            games = f"{one.games} game" if one.games == 1 else f"{one.games} games"
            told = (
                rulesets.rules_for(one.name).changes if one.known else "MISSING: put its file back (docs/own-values.md)"
            )
            print(f"{one.name:<32} {games:>12}  {'new games  ' if one.for_new_games else ''}{told}")
    return 0 if all(one.known for one in found) else 1
