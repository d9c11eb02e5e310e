"""`ulm tournament`: tournaments, and a whole one of bots at once."""

from __future__ import annotations

import argparse
import json
import logging
import os
import time
from datetime import UTC, datetime

from bots import offers
from replays.pairing import KINDS
from replays.standings import Measure
from server.board.measure import cut
from server.bot_workers.job import BotTurns
from server.commands import JSON, CommandError, argument, command, number, progress, say, up_to_date, with_database
from server.engine import rulesets
from server.engine.errors import UnknownRulesetError
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.service.contests import rounds, tournaments
from server.service.contests.tournaments import TournamentPage
from server.settings import Settings, local_url
from server.storage.database import Store

WHICH = argument("id", metavar="ID", help="of the tournament")
MADE = (
    argument("--kind", choices=KINDS, default="swiss", help="default: swiss"),
    argument(
        "--seats", type=int, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1), default=2, help="of a table; default: 2"
    ),
    argument("--rounds", type=number, help="default: as many as are usual"),
    argument("--boards", type=number, default=1, help="deals that each table plays in a round; default: 1"),
    argument("--name", default="Tournament", help="default: Tournament"),
    argument("--advanced", action="store_true", help="with the Tower tiles"),
    argument("--ruleset", help="default: that of new games"),
)


@command(
    "tournament create",
    "open a tournament that players, and bots by `ulm tournament enter`, enter",
    *MADE,
    argument("--hours", type=number, help="so long a round takes at most, then bots play on"),
    argument("--turn-hours", type=number, help="so long a turn takes at most"),
    argument("--no-guests", action="store_true", help="players with an address alone may enter"),
)
def create(args: argparse.Namespace, settings: Settings) -> None:
    """Print its id."""
    with up_to_date(settings) as store:
        print(_make(store, args))


def _make(store: Store, args: argparse.Namespace) -> str:
    clock = {"turn_hours": args.turn_hours} if getattr(args, "turn_hours", None) else None
    return tournaments.make(
        store,
        None,
        args.name,
        args.kind,
        args.seats,
        datetime.now(UTC),
        options={"tower": args.advanced},
        clock=clock,
        boards=args.boards,
        rounds=args.rounds,
        round_hours=getattr(args, "hours", None),
        guests=not getattr(args, "no_guests", False),
        rules=_rules(args.ruleset),
    )


def _rules(name: str | None) -> Rules | None:
    """Raises `CommandError` for a ruleset that is not here."""
    try:
        return None if name is None else rulesets.rules_for(name)
    except UnknownRulesetError as error:
        raise CommandError(str(error)) from error


@command(
    "tournament enter", "let a bot of the house enter", WHICH, argument("bot", choices=offers.known(), metavar="BOT")
)
@with_database
def enter(args: argparse.Namespace, store: Store) -> None:
    """It has the next number."""
    tournaments.add_bot(store, None, args.id, args.bot, datetime.now(UTC))


@command("tournament start", "begin the first round; the next ones begin by themselves", WHICH)
@with_database
def start(args: argparse.Namespace, store: Store) -> None:
    """Nobody enters any more."""
    tournaments.start(store, None, args.id, datetime.now(UTC))


@command(
    "tournament leave", "take an entrant out: after the start a bot plays on", WHICH, argument("number", type=number)
)
@with_database
def leave(args: argparse.Namespace, store: Store) -> None:
    """Its number is in `ulm tournament show`."""
    tournaments.leave(store, None, args.id, args.number, datetime.now(UTC))


@command(
    "tournament season",
    "open the next season of a league, or of a round robin that is over",
    WHICH,
    argument("--size", type=number, default=8, help="entrants of a division; default: 8"),
)
@with_database
def season(args: argparse.Namespace, store: Store) -> None:
    """Print the ids of its divisions, the highest first."""
    page = tournaments.next_season(store, None, args.id, args.size, datetime.now(UTC))
    for one in page["league"]:
        if one["season"] == page["season"]:
            print(one["id"])


@command("tournament list", "list the newest tournaments", JSON)
@with_database
def listing(args: argparse.Namespace, store: Store) -> None:
    """One in a line."""
    found = tournaments.listing(store, None)
    if args.json:
        print(json.dumps(found))
        return
    for one in found:
        how_far = f"round {one['round']} of {one['rounds'] or '?'}"
        say(f"{one['id']}  {one['status']:<8}{one['kind']:<12}{one['entrants']:>3} entrants  {how_far}  {one['name']}")


@command("tournament show", "show the table of a tournament, as its page does", WHICH, JSON)
@with_database
def show(args: argparse.Namespace, store: Store) -> None:
    """Of rounds that are over."""
    page = tournaments.page(store, args.id, None)
    if args.json:
        print(json.dumps(page))
    else:
        _show(page)


@command("tournament records", "print the records of a tournament, a line for each game that counts", WHICH)
@with_database
def records(args: argparse.Namespace, store: Store) -> None:
    """For `ulm-replay standings -` and `ulm-replay check -`."""
    for record in tournaments.records(store, args.id):
        print(json.dumps(record))


@command(
    "tournament run",
    "play a whole tournament of bots now, beside a running server or without one",
    *MADE,
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
    """Print the table, and the address of the page."""
    logging.getLogger("ulm.bots").setLevel(logging.WARNING)  # not each turn
    owner = f"tournament {os.getpid()}"
    with up_to_date(settings, threads=2) as store:
        made = _make(store, args)
        for bot in range(args.bots):
            tournaments.add_bot(store, None, made, args.bot[bot % len(args.bot)], datetime.now(UTC))
        page = tournaments.start(store, None, made, datetime.now(UTC))
        turns = BotTurns(store, settings.rulesets, owner, lambda: datetime.now(UTC))
        total = len(page["tables"]) * (page["rounds"] or 1)
        try:
            with progress("tournament", total) as bar:
                while page["status"] != "over":
                    if not turns.play_due():
                        time.sleep(0.1)  # a server plays beside us
                    rounds.run(store, datetime.now(UTC))
                    page = tournaments.page(store, made, None)
                    bar.update(sum(one["status"] != "running" for one in page["tables"]) - bar.n)
        finally:
            turns.close()
    _show(page)
    url = settings.base_url or local_url(settings.host, settings.port)
    print(f"\nPage: {url.rstrip('/')}/tournaments/{made}")


def _show(page: TournamentPage) -> None:
    """The table as `ulm-replay standings` prints it."""
    say(f"{page['name']}: {page['kind']}, {page['status']}, round {page['round']} of {page['rounds'] or '?'}")
    print(" " * 31 + "".join(f"{measure:>11}" for measure in Measure._fields))
    for line in page["standings"]:
        measure = "".join(f"{one:>11}" for one in (line["points"], line["duplicate"], line["margin"]))
        say(f"{line['place']:>3}  {cut(line['name'], 26):<26}{measure}")
