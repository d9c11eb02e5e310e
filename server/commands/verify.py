"""`ulm verify`: recompute every stored game from its log and name what differs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from tqdm import tqdm

from server.commands.opened import up_to_date
from server.service.archive import tallies, verification
from server.settings import Settings


def add_parser(subparsers: Any) -> None:
    """Add `verify`."""
    parser = subparsers.add_parser("verify", help="recompute every stored game; exit 1 when something differs")
    parser.add_argument("--json", action="store_true", help="print one JSON object: games, findings, seconds")
    parser.add_argument(
        "--recount", action="store_true", help="recompute nothing; count all games for the statistics anew"
    )
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Check every game, or count them anew; 1 when something differs, else 0."""
    if not args.recount:
        return check(settings, args.json)
    with up_to_date(settings) as store:
        games = tallies.recount(store)
        print(f"{tallies.count(store, games)} of {games} games counted anew.")
    return 0


def check(settings: Settings, as_json: bool = False) -> int:
    """Print each finding (game, first ply that differs, what) and return 1 when there is one, else 0."""
    began = time.monotonic()
    with up_to_date(settings) as store:
        games = 0
        # The bar goes to stderr, and only when it takes longer than a second.
        with tqdm(desc="verify", unit=" games", delay=1, leave=False, disable=as_json or None) as bar:

            def progress(done: int, total: int) -> None:
                nonlocal games
                games = bar.total = total
                bar.update(done - bar.n)

            findings = []
            for finding in verification.verify_all(store, progress):
                findings.append(finding)
                if not as_json:
                    bar.write(f"{finding.game_id} ply {finding.ply}: {finding.what}: {finding.message}")
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        listed = [finding._asdict() for finding in findings]
        print(json.dumps({"games": games, "findings": listed, "seconds": seconds}))
    elif findings:
        differing = len({finding.game_id for finding in findings})
        print(f"{games} games recomputed, {differing} of them differ.")
    else:
        print(f"{games} games recomputed from their logs: all as stored.")
    return 1 if findings else 0
