"""Boards of a replay as pictures: SVG, PNG, and an animated GIF of the whole game."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Unpack

from replays.errors import ReplayError
from replays.sight import sight
from server.board.changes import changed
from server.board.png import PicturesMissingError, board_png
from server.board.svg import Style, board_svg
from server.engine.game import Game


def picture(replay: Game, ply: int, seat: int | None = None, **options: Unpack[Style]) -> str:
    """The board at `ply` as SVG, as `seat` knew it or with nothing withheld; what the ply changed is marked.

    Raises `IndexError`, `ValueError`.
    """
    seen = sight(replay, ply, seat)
    marked = changed(sight(replay, ply - 1, seat), seen) if ply else None
    return board_svg(seen, seat=seat, names=replay.names, highlight=marked, **options)


def png(svg: str, width: int) -> bytes:
    """A picture as PNG, `width` pixels wide. Raises `ReplayError` without the extra, or for no such width."""
    try:
        return board_png(svg, width)
    except (PicturesMissingError, ValueError) as error:
        raise ReplayError(str(error)) from error


def gif(frames: Iterable[bytes], target: IO[bytes], seconds: float = 1.0) -> int:
    """Write PNGs as one endless GIF, `seconds` each and three times as long the last; return how many there were.

    Holds each frame packed to 64 colours. Raises `ReplayError` without Pillow or without a frame.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ReplayError("an animation needs Pillow: pip install 'ulm-by-mail[export]'") from None
    size: tuple[int, int] | None = None
    count = 0

    def prepared() -> Iterator[Image.Image]:
        nonlocal size, count
        for frame in frames:
            image = Image.open(io.BytesIO(frame)).convert("RGB")
            size = size or image.size
            if image.size != size:  # boards grow and shrink with what lies on them; a GIF does not
                sheet = Image.new("RGB", size, image.getpixel((1, 1)))
                sheet.paste(image, (0, 0))
                image = sheet
            count += 1
            yield image.quantize(64, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    images = prepared()
    first = next(images, None)
    if first is None:
        raise ReplayError("there is no ply to show")
    rest = list(images)
    durations = [*([int(1000 * seconds)] * len(rest)), int(3000 * seconds)]
    first.save(target, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, disposal=1)
    return count


def plies_of(replay: Game, each: str) -> list[int]:
    """The plies to show: each `ply`, the last of each `turn`, or of each `round`; the set-up and the end always."""
    if each == "ply":
        return list(range(replay.plies + 1))
    ends = [0]
    for step in replay.steps():
        before, after = step.before, step.state
        over = before.round != after.round if each == "round" else before.active != after.active
        if over or after.active is None or (each == "turn" and step.move == ("end",)):
            ends.append(step.ply)
    return sorted(set(chain(ends, [replay.plies])))
