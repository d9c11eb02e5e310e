"""`show`, `step`, `moves` and `report`: what people look at."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap

from replays import picture, stepper
from replays import report as pages
from replays.analysis import results
from replays.commands import options
from replays.commands.options import FILE, OUTPUT, SEAT, argument, command
from replays.files import ReplayError, printable
from replays.sight import chapters, sight
from server.board.text import board_text
from server.board.themes import THEMES
from server.engine.game import Game

FORMATS = ("text", "svg", "png", "json")
WIDTH = 100


@command(
    "show",
    "Show the position at any ply, as text, SVG, PNG or JSON; with --seat as that seat knew it.",
    FILE,
    argument("--ply", type=options.whole, help="which ply; 0 is the set-up (default: the last)"),
    SEAT,
    argument("--format", choices=FORMATS, help="default: by the name of OUT, else text"),
    argument("--theme", choices=list(THEMES), default="light", help="of a picture"),
    argument("--width", type=options.positive, default=1200, help="of a picture, in pixels (default: 1200)"),
    argument("--brief", action="store_true", help="text: the 24 lines of the board alone"),
    OUTPUT,
)
def show(args: argparse.Namespace) -> None:
    """Write the position."""
    game = options.load(args.file, args.seat)
    ply = options.require_ply(game, args.ply)
    kind = args.format or next((kind for kind in FORMATS if (args.output or "").endswith(f".{kind}")), "text")
    if kind == "png" and not args.output and sys.stdout.isatty():
        raise ReplayError("a PNG is not for a terminal: give -o OUT.png")
    endings = () if args.format else (".txt", *(f".{kind}" for kind in FORMATS))
    with options.output(args.output, *endings) as file:
        data = _draw(game, ply, kind, args)
        file.write(data)


def _draw(game: Game, ply: int, kind: str, args: argparse.Namespace) -> bytes:
    if kind == "text":
        text = board_text(sight(game, ply, args.seat), seat=args.seat, names=game.names, full=not args.brief)
        return printable(text.rstrip("\n") + "\n").encode()
    if kind == "json":
        state = game.state(ply).to_dict() if args.seat is None else game.view(ply, args.seat)
        return json.dumps(state, indent=1, sort_keys=True).encode() + b"\n"
    try:
        svg = picture.picture(game, ply, args.seat, size=args.width, theme=args.theme)
    except ValueError as error:
        raise ReplayError(str(error)) from error
    return picture.png(svg, args.width) if kind == "png" else svg.encode() + b"\n"


@command(
    "step",
    "Step through a game in the terminal: arrows, turns, rounds, jump to a ply, search (press ? there).",
    FILE,
    argument("--ply", type=options.whole, default=0, help="where to begin (default: 0, the set-up)"),
    SEAT,
)
def step(args: argparse.Namespace) -> None:
    """Show the terminal's page until its reader leaves."""
    game = options.load(args.file, args.seat)
    stepper.run(stepper.Stepper(game, args.seat, options.require_ply(game, args.ply)))


@command(
    "moves",
    "The moves of a game, each with what it did in sentences; with --seat as that seat could read them.",
    FILE,
    SEAT,
    options.json_lines("ply"),
)
def moves(args: argparse.Namespace) -> None:
    """Print them, turn by turn."""
    game = options.load(args.file, args.seat)
    for chapter in chapters(game, args.seat):
        if args.json:
            for line in chapter.lines:
                print(json.dumps({"round": chapter.round, **line._asdict()}))
            continue
        print(printable(f"\n{pages.round_title(chapter)}, {game.names[chapter.seat]}"))
        for line in chapter.lines:
            head = f"{line.ply:5}. {line.move:<28} "
            words = printable(" ".join(line.text))
            print(textwrap.fill(words, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))


@command(
    "report",
    "A whole game as one HTML file that replays it offline in a browser.",
    FILE,
    SEAT,
    argument("--theme", choices=list(THEMES), default="light", help="of the boards"),
    argument("--analyse", action="store_true", help="with an analysis, which takes seconds"),
    OUTPUT,
)
def report(args: argparse.Namespace) -> None:
    """Write the page."""
    game = options.load(args.file, args.seat)
    if args.analyse and (args.seat is not None or game.record.result is None):
        raise ReplayError("--analyse is for pages of finished games, and not for those of a seat")
    found = None
    if args.analyse:
        with options.progress("report", " plies", game.plies) as bar:
            found = results.analyse(game, passed=bar.update)
    with options.output(args.output, ".html", ".htm") as file:
        for piece in pages.html(game, args.seat, args.theme, analysis=found):
            file.write(piece.encode())
