"""`python -m tests.chaos`: play on a site of its own while everything breaks, and print what was found."""

from __future__ import annotations

import argparse
import sys

from tests.chaos import run
from tests.chaos.database import NoDiskError
from tests.postgres import NoPostgresError


def main() -> int:
    """Run, print the report, and return 1 when something was found; 2 where there is no such database or disk."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite", help="(sqlite)")
    parser.add_argument("--kills", type=int, metavar="N", help="end after so many kills (100)")
    parser.add_argument("--minutes", type=float, metavar="N", help="end after so many minutes, or before by --kills")
    parser.add_argument("--seed", type=int, default=1, help="another one lets other things happen (1)")
    parser.add_argument(
        "--full-disk", action="store_true",
        help="fill PostgreSQL's disk, too, one of its own in memory: for root, who may mount (on SQLite it always is)",
    )  # fmt: skip
    args = parser.parse_args()
    kills = args.kills or (10**9 if args.minutes else 100)
    try:
        report = run.chaos(args.database, args.seed, kills, (args.minutes or 60) * 60, full_disk=args.full_disk)
    except NoPostgresError as error:
        print(f"no PostgreSQL here: {error}")
        return 2
    except NoDiskError as error:
        print(f"no disk of its own for PostgreSQL: {error}")
        return 2
    print(report.text())
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
