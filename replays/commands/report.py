"""A whole game to be read: Markdown, or one HTML file that replays it offline in a browser."""

from __future__ import annotations

import argparse

from replays import report
from replays.analysis import results
from replays.commands import options
from replays.errors import ReplayError
from server.board.layouts import WHOLE
from server.board.themes import THEMES

NAME = "report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    options.add_seat(parser)
    parser.add_argument("--format", choices=("markdown", "html"), help="default: by the name of OUT, else markdown")
    parser.add_argument("--theme", choices=list(THEMES), default="light", help="of the boards in HTML")
    parser.add_argument("--analyse", action="store_true", help="with an analysis (HTML), which takes seconds")
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Write one report."""
    replay = options.load(args.file, args.seat)
    as_html = args.format == "html" or (not args.format and (args.output or "").endswith((".html", ".htm")))
    if args.analyse and (not as_html or args.seat is not None or replay.record.result is None):
        raise ReplayError("--analyse is for pages (HTML) of finished games, and not for those of a seat")
    with options.output(args.output) as file:
        if as_html:
            # The moves in words, then the boards of each layout.
            with options.watched(NAME, replay, len(WHOLE) + 1 + args.analyse) as passing:
                found = results.analyse(passing) if args.analyse else None
                for piece in report.html(passing, args.seat, args.theme, analysis=found):
                    file.write(piece.encode())
        else:
            for line in report.markdown(replay, args.seat):
                file.write(f"{line}\n".encode())
    return 0
