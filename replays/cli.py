"""The command `ulm-replay`: one module of `replays.commands` for each thing that it does."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from replays.commands import COMMANDS
from replays.errors import ReplayError

DEFECTIVE, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes: some record is not as it should be or differs; the command could not do its work; Ctrl-C."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="ulm-replay",
        description="Read, check, look at, compare and branch records of Ulm games (docs/replays.md).",
        epilog="PATH is a .ulm.json, a .jsonl (either also .gz or .zst), a directory of such files, one line of a "
        "stream, as in games.jsonl.gz:17, or - for lines on standard input; FILE is a .ulm.json or such a line. Exit "
        "codes: 0 all is well, 1 a record is defective or differs, 2 the command could not do its work.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in COMMANDS:
        summary = (module.__doc__ or "").splitlines()[0]
        command = commands.add_parser(module.NAME, help=summary, description=module.__doc__)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except (ReplayError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader, `head` perhaps, has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"ulm-replay: {_plainly(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _plainly(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
