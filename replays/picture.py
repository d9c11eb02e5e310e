"""Boards of a replay as pictures: SVG, PNG, those of many plies as one small thing, an animated GIF of the game."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypedDict, Unpack

from replays.files import ReplayError
from replays.sight import sight, sights
from server.board.changes import changed
from server.board.png import PicturesMissingError, board_png
from server.board.svg import Style, board_svg
from server.engine.game import Game

_CUT = "\0"
"""Stands in no picture."""

Frames = TypedDict("Frames", {"from": int, "parts": list[str], "plies": list[list[int]]})
"""The first ply; the parts of all pictures; by ply the numbers of its parts, in order."""


def picture(replay: Game, ply: int, seat: int | None = None, **options: Unpack[Style]) -> str:
    """The board at `ply` as SVG, as `seat` knew it or with nothing withheld; what the ply changed is marked. Raises
    `IndexError`, `ValueError`."""
    return next(pictures(replay, ply, ply, seat, **options))


def pictures(replay: Game, first: int, last: int, seat: int | None = None, **options: Unpack[Style]) -> Iterator[str]:
    """The same of the plies `first` to `last`."""
    before = sight(replay, first - 1, seat) if first else None
    for seen in sights(replay, first, last, seat):
        marked = changed(before, seen) if before is not None else None
        yield board_svg(seen, seat=seat, names=replay.names, highlight=marked, **options)
        before = seen


def frames(replay: Game, first: int, last: int, seat: int | None = None, **options: Unpack[Style]) -> Frames:
    """The pictures of the plies `first` to `last`, each part stored once. That of ply `from + i` is `parts` in the
    order that `plies[i]` names, joined. Raises as `picture` does."""
    parts: list[str] = []
    plies = []
    for fresh, numbers in parts_of(pictures(replay, first, last, seat, **options)):
        parts += fresh
        plies.append(numbers)
    return {"from": first, "parts": parts, "plies": plies}


def parts_of(drawn: Iterable[str]) -> Iterator[tuple[list[str], list[int]]]:
    """Of each picture, cut at its groups, the parts that none before had, and the numbers of all of its parts. Of parts
    that were given out nothing is held but a hash, so that a long game takes no more memory than a short one."""
    known: dict[bytes, int] = {}
    for one in drawn:
        fresh, numbers = [], []
        # A pattern that looks ahead takes twenty times as long.
        cut = one.replace("<g ", f"{_CUT}<g ").replace("<g>", f"{_CUT}<g>").replace("</g>", f"</g>{_CUT}")
        for part in cut.replace(_CUT * 2, _CUT).split(_CUT):
            name = blake2b(part.encode(), digest_size=16).digest()
            number = known.get(name)
            if number is None:
                number = known[name] = len(known)
                fresh.append(part)
            numbers.append(number)
        yield fresh, numbers


def png(svg: str, width: int) -> bytes:
    """A picture as PNG, `width` pixels wide. Raises `ReplayError` without the extra, or for no such width."""
    try:
        return board_png(svg, width)
    except (PicturesMissingError, ValueError) as error:
        raise ReplayError(str(error)) from error


def gif_pieces(shown: Iterable[bytes], seconds: float = 1.0) -> Iterator[bytes]:
    """PNGs as one endless GIF, `seconds` each and three times as long the last; before it an empty piece for each, so
    that others may have a turn, or whoever waits may go. Holds each packed to 64 colours. Raises `ReplayError` without
    Pillow."""
    try:
        from PIL import Image
    except ImportError:
        raise ReplayError("an animation needs Pillow: pip install 'ulm-by-mail[export]'") from None
    images: list[Image.Image] = []
    for png in shown:
        image = Image.open(io.BytesIO(png)).convert("RGB")
        if images and image.size != images[0].size:  # boards grow and shrink with what lies on them; a GIF does not
            sheet = Image.new("RGB", images[0].size, image.getpixel((1, 1)))
            sheet.paste(image, (0, 0))
            image = sheet
        images.append(image.quantize(64, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))
        yield b""
    first, *rest = images
    durations = [*([int(1000 * seconds)] * len(rest)), int(3000 * seconds)]
    target = io.BytesIO()
    first.save(target, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, disposal=1)
    yield target.getvalue()


def plies_of(replay: Game, each: str) -> list[int]:
    """The plies to show: the last of each `turn`, or of each `round`; the set-up and the end always."""
    ends = {0, replay.plies}
    for step in replay.steps():
        before, after = step.before, step.state
        over = before.round != after.round if each == "round" else before.active != after.active
        if over or after.active is None or (each == "turn" and step.move == ("end",)):
            ends.add(step.ply)
    return sorted(ends)
