"""`ulm db migrate`, `verify`, `backup`, `restore`, `archive`, `export`, `rulesets`: commands for what is stored."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from server.commands import (
    JSON,
    CommandError,
    argument,
    command,
    count,
    now,
    one_of,
    printable,
    progress,
    require_database,
    require_place,
    up_to_date,
    with_database,
)
from server.engine import odd_values, own_values, rulesets
from server.engine.own_values import OwnValuesError
from server.service.archive import archiving, replay_lists, statistics, verification
from server.service.common import own_rulesets
from server.service.games.model import ORIGINS
from server.service.outbox import mail_queue, pauses
from server.settings import Settings
from server.storage import backups, disk_space, restoring
from server.storage.database import Store, open_database
from server.storage.migrate import migrate, pending
from server.storage.times import utc

AT_ONCE = 1000
"""So many games are archived, then what they took is given back to the disk."""
MOST_DAYS = 36_500


@command(
    "db migrate",
    "bring the schema up to date (ulm serve does it too)",
    argument("--check", action="store_true", help="change nothing; exit 1 when something is to be done"),
)
def migrate_schema(args: argparse.Namespace, settings: Settings) -> int:
    """Apply what is pending and print its names; with `--check` only print them."""
    require_place(settings)
    with closing(open_database(settings.database, threads=1)) as store:
        names = pending(store) if args.check else migrate(store)
    for name in names:
        print(f"{'pending' if args.check else 'applied'}: {name}")
    if not names:
        print("The schema is up to date.")
    return 1 if args.check and names else 0


@command(
    "verify",
    "recompute every stored game; exit 1 when something differs",
    argument("--json", action="store_true", help="print one JSON object: games, findings, seconds"),
    argument("--recount", action="store_true", help="recompute nothing; count all games for the statistics anew"),
)
def verify(args: argparse.Namespace, settings: Settings) -> int:
    """Check every game, or count them anew; 1 when something differs, else 0."""
    if not args.recount:
        return check(settings, args.json)
    with up_to_date(settings) as store:
        games = statistics.recount(store)
        print(f"{statistics.count(store, games)} of {games} games counted anew.")
    return 0


def check(
    settings: Settings,
    as_json: bool = False,
    verify: Callable[[Store, verification.Progress], Iterator[verification.Finding]] = verification.verify_all,
    source: str = "from their logs",
) -> int:
    """Print each finding (game, first ply that differs, what) of `verify`, which recomputes games from a `source`;
    return 1 when there is one, else 0."""
    began, games = time.monotonic(), 0
    findings: list[verification.Finding] = []
    with up_to_date(settings) as store, progress("verify", quiet=as_json) as bar:

        def told(done: int, total: int) -> None:
            nonlocal games
            games = bar.total = total
            bar.update(done - bar.n)

        for finding in verify(store, told):
            findings.append(finding)
            if not as_json:
                bar.write(f"{finding.game_id} ply {finding.ply}: {finding.what}: {finding.message}")
    if as_json:
        listed = [finding._asdict() for finding in findings]
        print(json.dumps({"games": games, "findings": listed, "seconds": round(time.monotonic() - began, 3)}))
    elif findings:
        differing = len({finding.game_id for finding in findings})
        print(f"{games} games recomputed, {differing} of them differ.")
    else:
        print(f"{games} games recomputed {source}: all as stored.")
    return 1 if findings else 0


@command(
    "backup",
    "copy the database while the server runs",
    argument("to", type=Path, metavar="FILE|FOLDER", help="a new file, or a folder for one"),
)
def backup(args: argparse.Namespace, settings: Settings) -> None:
    """Make it, and print its name."""
    require_database(settings)
    with closing(open_database(settings.database, threads=1)) as store:
        to = backups.target(store, args.to, now())
        backups.make(store, settings.database, to)
    print(f"{to}: {to.stat().st_size:,} bytes. It is as secret as the database: `ulm restore` brings it back.")


@command(
    "restore",
    "bring a backup back, check it, and hold mail until you have looked",
    one_of(
        argument("file", nargs="?", type=Path, metavar="FILE", help="what `ulm backup` made"),
        argument("--finish", action="store_true", help="only check and hold mail, of a database put back otherwise"),
        required=True,
    ),
    argument("--replace", action="store_true", help="also over a database with games; it is put aside"),
    argument("--send-mail", action="store_true", help="do not hold mail and clocks"),
)
def restore(args: argparse.Namespace, settings: Settings) -> int:
    """Do it, and say what is to be done next; 1 when `ulm verify` finds something in what was restored."""
    if args.file is not None:
        require_place(settings)
        aside = restoring.restore(args.file, settings.database, args.replace, now())
        print(f"Restored from {args.file}.")
        if aside is not None:
            print(f"What was there before is {aside}: take it away when all is well.")
    with up_to_date(settings) as store:
        last, queued = pauses.last_known(store, now()), mail_queue.counts(store)
        if not args.send_mail:
            pauses.pause(store, "restored from a backup", last)
    code = check(settings)
    print(f"The last it knows of was at {utc(last)}.")
    waiting = count(queued["pending"] + queued["sending"], "mail waits", "mails wait")
    if args.send_mail:
        print(f"Mail is sent as soon as a server runs, and late clocks run out. {waiting}.")
    else:
        print(
            f"No mail is sent and no clock runs, from then until `ulm mail resume`. {waiting}: what went out since is "
            "sent again, under the Message-ID that it had,\nunless it is no longer true or you take it out "
            "(`ulm mail list --state pending`, `ulm mail drop ID`)."
        )
    print(
        "What was made since is void: moves, accounts, tokens, links. What was ended since is good again: "
        "`ulm links revoke` ends every\nlink and session, `ulm links end PLAYER` all of one account. "
        "Accounts that were deleted since are back, and have to be deleted again."
    )
    return code


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:12]) > MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days from 0 to {MOST_DAYS}")
    return int(text)


@command(
    "archive",
    "pack the logs of games that are long over; readable as before",
    argument(
        "--older-than", type=_days, metavar="DAYS", help="those that ended so long ago (else: ULM_ARCHIVE_AFTER_DAYS)"
    ),
)
def archive(args: argparse.Namespace, settings: Settings) -> None:
    """Pack them, print how many."""
    days = settings.archive_after_days if args.older_than is None else args.older_than
    if args.older_than is None and not days:
        raise CommandError("ULM_ARCHIVE_AFTER_DAYS is 0, so nothing is archived: say --older-than DAYS")
    before = now() - timedelta(days=days)
    games = moves = size = given = 0
    with up_to_date(settings) as store, progress("archive") as bar:
        while True:
            done = archiving.archive(store, before, AT_ONCE)
            games, moves, size = games + done.games, moves + done.moves, size + done.size
            given += disk_space.give_back(store)
            bar.update(done.games)
            if done.games < AT_ONCE:
                break
    each = f", {size / moves:.1f} bytes a move" if moves else ""
    print(f"{games} games archived: {moves} moves in {size} bytes{each}.")
    if given:
        print(f"{given} bytes were given back to the disk.")


@command(
    "export",
    "print the records of public finished games, one in a line",
    argument("--origin", choices=ORIGINS, help="games that were played, imported, …"),
    argument("--from", dest="since", type=date.fromisoformat, metavar="DAY", help="ended on this day or later, UTC"),
    argument("--to", dest="until", type=date.fromisoformat, metavar="DAY", help="ended on this day or before, UTC"),
    argument("--after", metavar="AFTER", help="go on behind the line in which `replay` has this `after`"),
    epilog="example: ulm export --from 2026-11-01 | zstd > november.jsonl.zst",
)
@with_database
def export(args: argparse.Namespace, store: Store) -> None:
    """Print what GET /api/v1/replays/export gives. Raises `Unprocessable`."""
    filters: replay_lists.Filters = {"origin": args.origin, "since": args.since, "until": args.until}
    for line in replay_lists.export(store, None, args.after, **filters):
        print(json.dumps(line, separators=(",", ":")))


def _check_box(file: Path) -> int:
    try:
        own = own_rulesets.read(file)
    except OwnValuesError as error:
        for problem in error.problems:
            print(f"wrong: {printable(problem)}")
        print(f"{file}: no ruleset; correct it first.")
        return 1
    odd = odd_values.oddities(own.rules, own.base)
    for each in odd:
        print(f"odd: {each}")
    told = "it can be played; look whether the box says so" if odd else "nothing odd"
    print(f"{file}: {own.rules.name}, based on {own.base.name}: {told}.")
    return 1 if odd else 0


@command(
    "rulesets",
    "list the rulesets; exit 1 when games stand under one that is missing",
    argument("check", nargs="*", metavar="check FILE", help="say what is wrong or odd in the file of a box; 1 if so"),
    argument("--template", action="store_true", help="print a file to fill in with the values of your box"),
    JSON,
)
def list_rulesets(args: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each ruleset; 1 when a stored game needs one that is not there, or a checked file is odd."""
    if args.check:
        if args.check[0] != "check" or len(args.check) != 2:
            raise CommandError("write `ulm rulesets check FILE`, the file of one box")
        return _check_box(Path(args.check[1]))
    if args.template:
        print(own_values.template(rulesets.NEWEST), end="")
        return 0
    with up_to_date(settings) as store:
        found = verification.of_all(store)
    if args.json:
        print(json.dumps([one._asdict() for one in found]))
    else:
        for one in found:
            missing = "MISSING: put its file back (docs/own-values.md)"
            told = rulesets.rules_for(one.name).changes if one.known else missing
            new = "new games  " if one.for_new_games else ""
            print(f"{one.name:<32} {count(one.games, 'game', 'games'):>12}  {new}{told}")
    return 0 if all(one.known for one in found) else 1
