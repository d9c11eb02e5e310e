"""The `ulm` command: its sub-commands are those of the MODULES."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from bots import offers
from server import logs
from server.commands import (
    Command,
    CommandError,
    admin,
    bots,
    database,
    demo,
    doctor,
    mail,
    printable,
    ratings,
    serve,
    tournaments,
    worker,
)
from server.engine.which import ENGINE
from server.service.common import audit_log, own_rulesets
from server.service.common.errors import ServiceError
from server.settings import Settings, SettingsError
from server.storage import statements
from server.storage.unusable import StoreError

MODULES = (serve, worker, demo, doctor, database, admin, bots, tournaments, mail, ratings)
GROUPS = {
    "db": "look after the database",
    "admin": "look after games and accounts",
    "links": "look after the links in mails",
    "replays": "look after imported records",
    "mail": "look after mail",
    "tournament": "tournaments: the same deals at every table",
    "ratings": "look after ratings",
}
"""The first words of commands that have two, and what the help says of them."""


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 found something wrong, 2 could not begin
    (of `ulm mail receive`: 75), 130 interrupted."""
    args = parser().parse_args(argv)
    try:
        settings = Settings.from_env(os.environ if environ is None else environ)
        logs.configure(settings.log_level, form=settings.log_format)
        statements.log_from(settings.slow_statement_ms)
        audit_log.operated_by(admin.operator())
        own_rulesets.load(settings.rulesets)
        offers.load()
        return int(args.run(args, settings) or 0)
    except SettingsError as error:
        return _fail(args.failed, *error.problems)
    except ServiceError as error:
        return _fail(args.failed, printable(error.message))
    except (StoreError, CommandError) as error:
        return _fail(args.failed, str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # `ulm … | head`: nobody reads on. Leave quietly; the interpreter would complain about stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        audit_log.operated_by(None)


def parser() -> argparse.ArgumentParser:
    """What reads the command line."""
    made = argparse.ArgumentParser(
        prog="ulm",
        description="Ulm by mail: a server on which people and bots play the board game Ulm, each in their own time.",
        epilog="New here: `ulm serve` prints the address at which to play, `ulm doctor` says what is wrong. "
        "Settings are ULM_… variables: docs/settings.md. The files of finished games are for ulm-replay.",
    )
    version = f"ulm {importlib.metadata.version('ulm-by-mail')}, {ENGINE} engine"
    made.add_argument("--version", action="version", version=version)
    groups: dict[str, Any] = {"": made.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    for command in (each for module in MODULES for each in vars(module).values() if isinstance(each, Command)):
        group = command.words.rpartition(" ")[0]
        if group not in groups:
            its_own = groups[""].add_parser(group, help=GROUPS[group])
            groups[group] = its_own.add_subparsers(title="actions", metavar="ACTION", required=True)
        command.add_to(groups[group])
    return made


def _fail(code: int, *problems: str) -> int:
    for problem in problems:
        print(f"ulm: {problem}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
