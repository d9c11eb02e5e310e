"""`show`, `step`, `moves` and `report`: what people look at."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap

from replays import picture, report, stepper
from replays.analysis import results
from replays.commands import options
from replays.commands.options import Command
from replays.errors import ReplayError, printable
from replays.sight import chapters, sight
from server.board.text import board_text
from server.board.themes import THEMES
from server.engine.game import Game

FORMATS = ("text", "svg", "png", "json")
WIDTH = 100


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, help="which ply; 0 is the set-up (default: the last)")
    options.add_seat(parser)
    parser.add_argument("--format", choices=FORMATS, help="default: by the name of OUT, else text")
    parser.add_argument("--theme", choices=list(THEMES), default="light", help="of a picture")
    parser.add_argument("--width", type=options.positive, default=1200, help="of a picture, in pixels (default: 1200)")
    parser.add_argument("--brief", action="store_true", help="text: the 24 lines of the board alone")
    options.add_output(parser)


def _show(args: argparse.Namespace) -> int:
    game = options.load(args.file, args.seat)
    ply = options.require_ply(game, args.ply)
    kind = args.format or next((kind for kind in FORMATS if (args.output or "").endswith(f".{kind}")), "text")
    if kind == "png" and not args.output and sys.stdout.isatty():
        raise ReplayError("a PNG is not for a terminal: give -o OUT.png")
    data = _draw(game, ply, kind, args)
    with options.output(args.output) as file:
        file.write(data)
    return 0


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


def _step_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, default=0, help="where to begin (default: 0, the set-up)")
    options.add_seat(parser)


def _step(args: argparse.Namespace) -> int:
    game = options.load(args.file, args.seat)
    stepper.run(stepper.Stepper(game, args.seat, options.require_ply(game, args.ply)))
    return 0


def _moves_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_file(parser)
    options.add_seat(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object for each ply, on a line")


def _moves(args: argparse.Namespace) -> int:
    game = options.load(args.file, args.seat)
    for chapter in chapters(game, args.seat):
        if args.json:
            for line in chapter.lines:
                print(json.dumps({"round": chapter.round, **line._asdict()}, ensure_ascii=False))
            continue
        print(printable(f"\n{report.round_title(chapter)}, {game.names[chapter.seat]}"))
        for line in chapter.lines:
            head = f"{line.ply:5}. {line.move:<28} "
            words = printable(" ".join(line.text))
            print(textwrap.fill(words, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))
    return 0


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_file(parser)
    options.add_seat(parser)
    parser.add_argument("--theme", choices=list(THEMES), default="light", help="of the boards")
    parser.add_argument("--analyse", action="store_true", help="with an analysis, which takes seconds")
    options.add_output(parser)


def _report(args: argparse.Namespace) -> int:
    game = options.load(args.file, args.seat)
    if args.analyse and (args.seat is not None or game.record.result is None):
        raise ReplayError("--analyse is for pages of finished games, and not for those of a seat")
    found = None
    if args.analyse:
        with options.progress("report", " plies", game.plies) as bar:
            found = results.analyse(game, passed=bar.update)
    with options.output(args.output) as file:
        for piece in report.html(game, args.seat, args.theme, analysis=found):
            file.write(piece.encode())
    return 0


SHOW = Command(
    "show", "Show the position at any ply, as text, SVG, PNG or JSON; with --seat as that seat knew it.",
    _show_arguments, _show,
)  # fmt: skip
STEP = Command(
    "step", "Step through a game in the terminal: arrows, turns, rounds, jump to a ply, search (press ? there).",
    _step_arguments, _step,
)  # fmt: skip
MOVES = Command(
    "moves", "The moves of a game, each with what it did in sentences; with --seat as that seat could read them.",
    _moves_arguments, _moves,
)  # fmt: skip
REPORT = Command(
    "report", "A whole game as one HTML file that replays it offline in a browser.", _report_arguments, _report
)
