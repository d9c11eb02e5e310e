"""An animated GIF of a game, a frame for each turn (needs the extra `export`)."""

from __future__ import annotations

import argparse
import sys

from tqdm import tqdm

from replays import picture
from replays.checking import available_cores
from replays.commands import options
from server.board.themes import THEMES

NAME = "gif"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    options.add_seat(parser)
    options.add_jobs(parser)
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the GIF to write")
    parser.add_argument("--each", choices=("ply", "turn", "round"), default="turn", help="what has a frame of its own")
    parser.add_argument("--seconds", type=_seconds, default=1.0, help="how long a frame stays (default: 1)")
    parser.add_argument("--width", type=options.positive, default=900, help="in pixels (default: 900)")
    parser.add_argument("--theme", choices=list(THEMES), default="light")


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0.02 <= number <= 60:
        raise argparse.ArgumentTypeError("from 0.02 to 60 seconds")
    return number


def run(args: argparse.Namespace) -> int:
    """Draw one animation."""
    replay = options.load(args.file, args.seat)
    plies = picture.plies_of(replay, args.each)
    svgs = (picture.picture(replay, ply, args.seat, layout="wide", theme=args.theme) for ply in plies)
    frames = picture.pngs(svgs, args.width, args.jobs or available_cores())
    shown = tqdm(frames, NAME, len(plies), unit=" frames", delay=1, leave=False, disable=not sys.stderr.isatty())
    with options.output(args.output) as file:
        count = picture.gif(shown, file, args.seconds)
    print(f"{args.output}: {count} frames")
    return 0
