"""The `ulm` command: `ulm serve`, `ulm demo`, `ulm db migrate`, and what else COMMANDS lists."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Mapping, Sequence

from bots import offers
from server import logs
from server.commands import (
    CommandError,
    admin,
    archive,
    arena,
    audit,
    backup,
    calibrate,
    db,
    demo,
    doctor,
    links,
    mail,
    replays,
    restore,
    rulesets,
    serve,
    train,
    verify,
    worker,
)
from server.engine.which import ENGINE
from server.service.common import audit_log, own_rulesets
from server.settings import Settings, SettingsError
from server.storage import statements
from server.storage.unusable import StoreError

COMMANDS = (
    *(serve, worker, demo, doctor, verify, backup, restore, admin, archive, mail, replays),
    *(rulesets, arena, train, calibrate, audit, db, links),
)

FAILED = 2
"""Exit code when something has to be changed first: a setting, the database, the port."""


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 found something wrong, 2 could not begin
    (of `ulm mail receive`: 75), 130 interrupted."""
    args = _parser().parse_args(argv)
    failed = getattr(args, "failed", FAILED)  # a command that a mail server runs has its own
    try:
        settings = Settings.from_env(os.environ if environ is None else environ)
        logs.configure(settings.log_level, form=settings.log_format)
        statements.log_from(settings.slow_statement_ms)
        audit_log.operated_by(admin.operator())
        own_rulesets.load(settings.rulesets)
        offers.load()
        return int(args.module.run(args, settings))
    except SettingsError as error:
        return _fail(failed, *error.problems)
    except (StoreError, CommandError) as error:
        return _fail(failed, str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # `ulm … | head`: nobody reads on. Leave quietly; the interpreter would complain about stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        audit_log.operated_by(None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ulm",
        description="Ulm by mail: a turn server for the board game Ulm.",
        epilog="Settings are ULM_… variables: docs/settings.md.",
    )
    version = f"ulm {importlib.metadata.version('ulm-by-mail')}, {ENGINE} engine"
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in COMMANDS:
        module.add_parser(subparsers)
    return parser


def _fail(code: int, *problems: str) -> int:
    for problem in problems:
        print(f"ulm: {problem}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
