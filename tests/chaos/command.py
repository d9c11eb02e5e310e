"""What `ulm chaos` does: a run, and what it has found."""

from __future__ import annotations

from tests.chaos import run
from tests.chaos.small_disk import NoDiskError
from tests.postgres import NoPostgresError


def main(database: str, seed: int, kills: int, minutes: float, full_disk: bool) -> int:
    """Run, print the report, and return 1 when something was found; 2 where there is no such database or disk."""
    try:
        report = run.chaos(database, seed, kills, minutes * 60, full_disk=full_disk)
    except NoPostgresError as error:
        print(f"no PostgreSQL here: {error}")
        return 2
    except NoDiskError as error:
        print(f"no disk of its own for PostgreSQL: {error}")
        return 2
    print(report.text())
    return 1 if report.findings else 0
