"""Boards as small PNGs, made quickly: put together by `sprites`, in the colours of the SVG and some between them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from server.board import sprites
from server.board.png import MAX_WIDTH, board_png

if TYPE_CHECKING:
    from PIL.Image import Image

BYTES = 120_000
_COLOR = re.compile(r'(?:fill|stroke|color)="#([0-9a-f]{6})"')
_INK = re.compile(r'<svg [^>]*? fill="#([0-9a-f]{6})"')
_FILL = re.compile(r'fill="#([0-9a-f]{6})"')
_GROUND = re.compile(r'<rect [^>]*?fill="#([0-9a-f]{6})"')
_SHADES = (2, 1, 0, 0)  # between the ink and each ground: for the edges of letters and lines
_MANY = 45  # colours: a board that has more of them never fits with two shades of each

Color = tuple[int, ...]


def palette_png(svg: str, width: int) -> bytes:
    """Return a board `width` pixels wide as a PNG of at most 256 colours; the same bytes from every process.

    Areas keep their colours; what gives way where the picture would have more than `BYTES` otherwise are shades at the
    edges of letters, and at last the light on the edges of tiles and seals. An SVG that is no board is drawn in one
    piece.

    Raises `PicturesMissingError` without the extra, `ValueError` for a width outside 1 to 4000 or an SVG that is none.
    """
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"a picture is 1 to {MAX_WIDTH} pixels wide, not {width}")
    try:
        picture = sprites.draw(svg, width)
    except sprites.NoBoardError:
        return _in_one_piece(svg, width)
    ink = _INK.match(svg)
    colors = tuple(dict.fromkeys(_COLOR.findall(svg)))
    grounds = tuple(dict.fromkeys(_GROUND.findall(svg, svg.find("</defs>"))))
    made = b""
    for step, shades in enumerate(_SHADES):
        if step == 0 and len(colors) > _MANY:
            continue
        if step == len(_SHADES) - 1:
            colors = tuple(dict.fromkeys(_FILL.findall(svg) + _COLOR.findall(svg, svg.find("</defs>"))))
        made = _png(picture, _palette(colors, grounds, ink[1] if ink else "000000", shades))
        if len(made) <= BYTES:
            break
    return made


def _in_one_piece(svg: str, width: int) -> bytes:
    from PIL import Image

    with Image.open(BytesIO(board_png(svg, width))) as drawn:
        return _file(drawn.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))


def _png(picture: "Image", colors: Sequence[Color]) -> bytes:
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette([value for color in colors for value in color])
    return _file(picture.quantize(palette=palette, dither=Image.Dither.NONE))


def _file(picture: "Image") -> bytes:
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@lru_cache(64)
def _palette(names: tuple[str, ...], grounds: tuple[str, ...], ink: str, shades: int) -> tuple[Color, ...]:
    """The colours, and as many shades of each ground towards the ink; 256 at most."""
    colors, dark = [bytes.fromhex(name) for name in names], bytes.fromhex(ink)
    mixed = [
        tuple(round(part + (of_ink - part) * step / (shades + 1)) for part, of_ink in zip(color, dark, strict=True))
        for step in range(1, shades + 1)
        for color in map(bytes.fromhex, grounds)
    ]
    return tuple(dict.fromkeys([*map(tuple, colors), tuple(dark), *mixed]))[:256]
