"""`ulm tournament run`: a whole tournament of bots at once."""

from __future__ import annotations

import argparse
import logging
import os
import time

from bots import offers
from replays.pairing import KINDS
from replays.standings import Measure, printed
from server.bot_workers.job import BotTurns
from server.commands import CommandError, argument, command, now, number, progress, say, up_to_date
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.service.contests import rounds, tournaments
from server.settings import Settings, local_url


@command(
    "tournament run",
    "play a whole tournament of bots now, beside a running server or without one",
    argument("--kind", choices=KINDS, default="swiss", help="default: swiss"),
    argument(
        "--seats", type=int, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1), default=2, help="of a table; default: 2"
    ),
    argument("--rounds", type=number, help="default: as many as are usual"),
    argument("--boards", type=number, default=1, help="deals that each table plays in a round; default: 1"),
    argument("--name", default="Tournament", help="default: Tournament"),
    argument("--advanced", action="store_true", help="with the Tower tiles"),
    argument("--bots", type=number, default=8, help="how many; default: 8"),
    argument(
        "--bot",
        nargs="+",
        choices=offers.known(),
        default=["apprentice", "journeyman"],
        help="which, by turns; default: apprentice journeyman",
    ),
)
def run(args: argparse.Namespace, settings: Settings) -> None:
    """Print the table as `ulm-replay standings` does, and the address of the page."""
    if not 2 <= args.bots <= tournaments.ENTRANTS_MAX:
        raise CommandError(f"--bots: from 2 to {tournaments.ENTRANTS_MAX}")
    logging.getLogger("ulm.bots").setLevel(logging.WARNING)  # not each turn
    owner = f"tournament {os.getpid()}"
    with up_to_date(settings, threads=2) as store:
        made = tournaments.make(
            store,
            None,
            args.name,
            args.kind,
            args.seats,
            now(),
            options={"tower": args.advanced},
            boards=args.boards,
            rounds=args.rounds,
        )
        for bot in range(args.bots):
            tournaments.add_bot(store, None, made, args.bot[bot % len(args.bot)], now())
        page = tournaments.start(store, None, made, now())
        turns = BotTurns(store, settings.rulesets, owner, now)
        total = len(page["tables"]) * (page["rounds"] or 1)
        try:
            with progress("tournament", total) as bar:
                while page["status"] != "over":
                    if not turns.play_due():
                        time.sleep(0.1)  # a server plays beside us
                    rounds.run(store, now())
                    page = tournaments.page(store, made, None)
                    bar.update(sum(one["status"] != "running" for one in page["tables"]) - bar.n)
        finally:
            turns.close()
    table = [
        (one["place"], one["name"], Measure(one["points"], one["duplicate"], one["margin"]))
        for one in page["standings"]
    ]
    for line in printed(table):
        say(line)
    url = settings.base_url or local_url(settings.host, settings.port)
    print(f"\nPage: {url.rstrip('/')}/tournaments/{made}")
