"""Show the position at any ply, as text, SVG, PNG or JSON; with --seat as that seat knew it."""

from __future__ import annotations

import argparse
import json
import sys

from replays import picture
from replays.commands import options
from replays.errors import ReplayError
from replays.replay import Replay
from replays.sight import sight
from server.board.text import board_text
from server.board.themes import THEMES

NAME = "show"
FORMATS = ("text", "svg", "png", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, help="which ply; 0 is the set-up (default: the last)")
    options.add_seat(parser)
    parser.add_argument("--format", choices=FORMATS, help="default: by the name of OUT, else text")
    parser.add_argument("--theme", choices=list(THEMES), default="light", help="of a picture")
    parser.add_argument("--width", type=options.positive, help="of a picture, in pixels (default: 1200)")
    parser.add_argument("--brief", action="store_true", help="text: the 24 lines of the board alone")
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Show one position."""
    replay = options.load(args.file, args.seat)
    ply = options.require_ply(replay, args.ply)
    kind = args.format or next((kind for kind in FORMATS if (args.output or "").endswith(f".{kind}")), "text")
    if kind == "png" and not args.output and sys.stdout.isatty():
        raise ReplayError("a PNG is not for a terminal: give -o OUT.png")
    data = _draw(replay, ply, kind, args)
    with options.output(args.output) as file:
        file.write(data)
    return 0


def _draw(replay: Replay, ply: int, kind: str, args: argparse.Namespace) -> bytes:
    width = args.width or 1200
    if kind == "text":
        text = board_text(sight(replay, ply, args.seat), seat=args.seat, names=replay.names, full=not args.brief)
        return options.printable(text.rstrip("\n") + "\n").encode()
    if kind == "json":
        state = replay.state(ply).to_dict() if args.seat is None else replay.view(ply, args.seat)
        return json.dumps(state, indent=1, sort_keys=True).encode() + b"\n"
    try:
        svg = picture.picture(replay, ply, args.seat, size=width, theme=args.theme)
    except ValueError as error:
        raise ReplayError(str(error)) from error
    return picture.png(svg, width) if kind == "png" else svg.encode() + b"\n"
