"""`ulm bots`, `arena`, `train`: which bots there are, how they play each other, and learn. No database is needed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bots import arena as contests
from bots import offers, pools, tally
from replays.commands.options import JOBS
from server.commands import JSON, CommandError, argument, command, progress, say
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.service.games.bots import listing
from server.settings import Settings

VARIANTS = {"basic": False, "advanced": True}
PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)


@command(
    "bots",
    "list the bots that can be seated: those of the house, and those of installed packages",
    JSON,
    epilog="`level` says how well a bot plays (0 at random, 3 like the master), `seconds` how long its turn may take. "
    "docs/bots.md tells of them, docs/bot-plugins.md how a package brings its own.",
)
def list_bots(args: argparse.Namespace, settings: Settings) -> None:
    """Print a line for each, as of `GET /bots` with --json."""
    if args.json:
        print(json.dumps(listing(), ensure_ascii=False))
        return
    print(f"{'name':<16} {'level':>5} {'seconds':>7}  {'called':<24} by")
    for offer in offers.known().values():
        say(f"{offer.name:<16} {offer.level:>5} {offer.seconds:>7g}  {offer.labels['en']:<24} {offer.by}")
    print(f"In the arena alone: {', '.join(offers.ARENA.keys() - offers.HOUSE.keys())}.")


@command(
    "arena",
    "let bots play against each other, and tell how often each won and how strong it is",
    argument("bots", nargs="+", metavar="BOT", help="two or more; each plays against each of the others"),
    argument(
        "--players", type=int, nargs="+", default=[2], choices=PLAYERS,
        help="how many sit at a table (default: 2); of more than two, one bot sits among several of the other",
    ),
    argument("--variant", nargs="+", default=["basic"], choices=list(VARIANTS), help="or both (default: basic)"),
    argument("--lineup", action="store_true", help="all bots that are named sit at one table"),
    argument("--deals", type=int, default=10, metavar="N", help="deals, each played from every seat (default: 10)"),
    argument("--first", type=int, default=0, metavar="N", help="begin with deal N, behind those of an earlier contest"),
    argument("--word", default="arena", help="the deals follow from this word: another word, other deals"),
    JOBS,
    argument("--results", type=Path, metavar="FILE", help="keep each result as a line of this file, and go on from it"),
    argument(
        "--records", type=Path, metavar="FOLDER",
        help="keep each game that is played as a file for ulm-replay (its deals are others)",
    ),
    argument("--json", action="store_true", help="print rows and ratings as one JSON object"),
    epilog=f"Bots: {', '.join(offers.ARENA)}, and those of packages (`ulm bots`); with options as in flat:seconds=0.1. "
    "Example: ulm arena master journeyman --players 2 4 --deals 25. docs/bots.md tells more.",
)  # fmt: skip
def arena(args: argparse.Namespace, settings: Settings) -> None:
    """Play what is not played yet, then print the tables."""
    try:
        for name in args.bots:
            offers.bot(name)
    except (offers.UnknownBotError, OSError) as error:
        raise CommandError(str(error)) from error
    if len(args.bots) < 2:
        raise CommandError("name two bots at least")
    if args.lineup:
        lineups = [tuple(args.bots)]
    else:
        lineups = [lineup for players in args.players for lineup in contests.lineups(args.bots, players)]
    wanted = list(contests.games(lineups, [VARIANTS[name] for name in args.variant], args.deals, args.word, args.first))
    results: list[contests.Result] = []
    if args.records is not None:
        args.records.mkdir(parents=True, exist_ok=True)
    with pools.workers(args.jobs) as pool, progress("arena", len(wanted), quiet=args.json) as bar:
        for result in contests.run_all(wanted, args.results, pool, args.records):
            results.append(result)
            bar.update()
    found, rated = tally.rows(results), tally.ratings(results)
    if args.json:
        print(json.dumps({"rows": [row._asdict() for row in found], "ratings": [one._asdict() for one in rated]}))
        return
    print(f"{tally.table(found)}\n")
    for one in rated:
        print(f"{one.bot:<40} {one.elo:6.0f} ± {one.give:.0f} Elo in {one.games} games")


@command(
    "train",
    "let bots learn by playing against themselves (extra `training`)",
    argument("folder", type=Path, help="where lessons and weights go; what is there is gone on with"),
    argument("--players", type=int, default=2, choices=PLAYERS),
    argument("--rounds", type=int, default=3, help="rounds of self-play after the games of rules of thumb"),
    argument("--games", type=int, default=400, help="games of each round (default: 400)"),
    argument("--deals", type=int, default=20, help="deals of the contest after each round (default: 20)"),
    argument("--word", default="course", help="what all deals and all chance follow from"),
    JOBS,
    epilog="The last round's weights are played with by: ulm arena journeyman:weights=FOLDER/round-N.json …",
)
def train(args: argparse.Namespace, settings: Settings) -> None:
    """Go through the course, print a line for each round."""
    try:
        from bots import training  # needs numpy, an extra
    except ImportError as error:
        raise CommandError(
            "learning needs the extra `training`: pip install 'ulm-by-mail[training]' (docs/club.md)"
        ) from error
    wanted = training.Course(args.players, args.rounds, args.games, args.folder, args.word, deals=args.deals)
    with pools.workers(args.jobs) as pool, progress("train", (args.rounds + 1) * args.games) as bar:
        for step in training.go(wanted, pool, bar.update):
            bar.write(
                f"round {step.round}: {step.lessons} games, {step.explained:.1%} of the points to come explained, "
                f"{step.won:.1%} ({step.low:.1%} to {step.high:.1%}) won against apprentice, {step.points:.1f} points"
            )
