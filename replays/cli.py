"""The command `ulm-replay`."""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from replays import reading
from replays.commands import COMMANDS
from replays.files import ReplayError, printable
from server.engine.own_values import OwnValuesError

DEFECTIVE, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes: some record is not as it should be; the command could not do its work; Ctrl-C."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="ulm-replay",
        description="Look at, step through, check and count records, the files of Ulm games (docs/replays.md). A ply "
        "is one move; ply 0 is the set-up.",
        epilog="PATH is a .ulm.json, a .jsonl or .ndjson (each also .gz or .zst), a directory of such files, one line "
        "of a stream, as in games.jsonl.gz:17, or - for lines on standard input; FILE is a .ulm.json or such a line. "
        "Exit codes: 0 all is well, 1 a record is defective, 2 the command could not do its work.",
    )
    parser.add_argument(
        "--rulesets",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="values of somebody's own box, whose records are to be read too (docs/own-values.md); may be repeated",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        its_own = commands.add_parser(command.name, help=command.about, description=command.about)
        for add in command.arguments:
            add(its_own)
        its_own.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    args = build_parser().parse_args(argv)
    try:
        for file in args.rulesets:
            _register(file)
        code: int = args.run(args) or 0
        sys.stdout.flush()
    except (ReplayError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader, `head` perhaps, has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(printable(f"ulm-replay: {_plainly(error)}"), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _register(file: Path) -> None:
    """Let the engine know the ruleset of a file. Raises `ReplayError`, or `OSError` for one that cannot be read."""
    try:
        reading.register(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OwnValuesError) as error:
        raise ReplayError(f"{file}: {error}") from error


def _plainly(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
