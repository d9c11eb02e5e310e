"""The moves of a game, each with what it did in sentences; with --seat as that seat could read them."""

from __future__ import annotations

import argparse
import json
import textwrap

from replays.commands import options
from replays.report import round_title
from replays.sight import chapters

NAME = "moves"
WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    options.add_seat(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object for each ply, on a line")


def run(args: argparse.Namespace) -> int:
    """List the moves of one game."""
    replay = options.load(args.file, args.seat)
    for chapter in chapters(replay, args.seat):
        if args.json:
            for line in chapter.lines:
                print(json.dumps({"round": chapter.round, **line._asdict()}, ensure_ascii=False))
            continue
        print(options.printable(f"\n{round_title(chapter)}, {replay.names[chapter.seat]}"))
        for line in chapter.lines:
            words = options.printable(" ".join(line.text))
            head = f"{line.ply:5}. {line.move:<28} "
            print(textwrap.fill(words, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))
    return 0
