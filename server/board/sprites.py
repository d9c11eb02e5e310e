"""Boards as pixels, put together from what was drawn before: resvg draws each element once, and it is pasted since.

A board has some 600 elements, nearly all of which stand on other boards too, at the same place of their panel. To draw
them takes a quarter of a second, to paste them a few milliseconds. What is drawn is the SVG itself, element by element
as it is written: there is no second board. Panels and labels stand on whole pixels here; that is all the difference
to the SVG drawn in one piece.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from server.board.extents import extent
from server.board.png import PicturesMissingError, rasterized

if TYPE_CHECKING:
    from PIL.Image import Image

KEPT = 1 << 12  # elements, of some ten kilobytes each
_SPARE = 24  # pixels: rectangles that have more between their corners are drawn small and stretched in their middle

_HEAD = re.compile(
    r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*? (font-family="[^"]+" font-size="([\d.]+)" [^>]*?)>'
)
_IDLE = re.compile(r' (?:id|data-[\w-]+)="[^"]*"')
_SHIFT = re.compile(r' transform="translate\((\S+) (\S+)\)"')
_SYMBOL = re.compile(r'<g id="([\w-]+)">(.*?)</g>(?=<g id="|$)')
_NESTED = re.compile(r'<use href="#([\w-]+)"([^>]*)/>')
_PIECE = re.compile(
    r"(?P<leaf><(?:rect|circle|path) [^>]*/>|<text [^>]*>[^<]*</text>)|(?P<end></g>)|<g(?P<group>[^>]*)>"
    r'|<use href="#(?P<symbol>[\w-]+)"(?P<placed>[^>]*)/>|<title>[^<]*</title>|(?P<other><)'
)
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="(#[0-9a-f]{6})"/>')
_SIDE = {side: re.compile(rf' {side}="([\d.]+)"') for side in ("width", "height", "rx", "stroke-width")}


class NoBoardError(ValueError):
    """This is no SVG of a board as `svg` draws it."""


class _Piece(NamedTuple):
    box: tuple[int, int, int, int]  # pixels from the origin of the group that it stands in
    face: "Image | tuple[int, ...]"  # what is there, or the one colour of it all
    mask: "Image | None"  # None: it covers what is below


def draw(svg: str, width: int) -> "Image":
    """Return a board `width` pixels wide as a Pillow image (RGB).

    Raises `NoBoardError` for an SVG that is not one of `svg.board_svg`, or is one with links or of the theme `page`;
    `PicturesMissingError` without the extra.
    """
    try:
        from PIL import Image
    except ImportError:
        raise PicturesMissingError.of("Pillow") from None
    head, start, end = _HEAD.match(svg), svg.find("<defs>"), svg.find("</defs>")
    if head is None or start < 0 or end < start or "var(--" in svg:
        raise NoBoardError
    wide, high = float(head[1]), float(head[2])
    scale = width / wide
    style, size = _IDLE.sub("", head[3]), head[4]
    symbols = dict(_SYMBOL.findall(svg[start + 6 : end]))
    for name, content in symbols.items():
        if "<use" in content:
            symbols[name] = _NESTED.sub(lambda found: f"<g{found[2]}>{symbols.get(found[1], '<use/>')}</g>", content)
    paper = _PAPER.match(svg, end + 7)  # the sheet, whose edge may cut through the last row of pixels
    if paper is None:
        raise NoBoardError
    picture = Image.new("RGB", (width, round(high * scale)), paper[1])
    paste = picture.paste
    for left, top, markup, symbol in _placed(svg, paper.end(), scale):
        if symbol and symbol not in symbols:
            raise NoBoardError
        for (x0, y0, x1, y1), face, mask in _pieces(markup, symbol and symbols[symbol], style, size, scale):
            paste(face, (left + x0, top + y0, left + x1, top + y1), mask)
    return picture


def _placed(svg: str, at: int, scale: float) -> Iterator[tuple[int, int, str, str]]:
    """Each element from `at` on, in the order of drawing: the pixel that is its origin, its markup, and of what is
    placed by it the symbol, else an empty string.

    Groups that only shift or name what is in them are resolved; what is scaled or has a pen of its own is one element.
    """
    x = y = 0.0
    left = top = 0
    around: list[tuple[float, float]] = []
    while match := _PIECE.search(svg, at):
        at = match.end()
        kind = match.lastgroup
        if kind == "leaf":
            yield left, top, match[0], ""
        elif kind == "placed":
            yield left, top, match["placed"], match["symbol"]
        elif kind == "end":
            x, y = around.pop()
            left, top = round(x * scale), round(y * scale)
        elif kind == "group":
            shown = _IDLE.sub("", match["group"])
            shift = _SHIFT.fullmatch(shown)
            if shown and not shift:
                at = svg.index("</g>", at) + 4
                yield left, top, svg[match.start() : at], ""
                continue
            around.append((x, y))
            if shift:
                x, y = x + float(shift[1]), y + float(shift[2])
                left, top = round(x * scale), round(y * scale)
        elif kind == "other":
            if svg.startswith("</svg>", match.start()):
                return
            raise NoBoardError


def forget() -> None:
    """Draw everything anew from now on: for tests and benchmarks."""
    _pieces.cache_clear()


@lru_cache(KEPT)
def _pieces(markup: str, symbol: str, style: str, size: str, scale: float) -> tuple[_Piece, ...]:
    """What is to be pasted for an element, or for a symbol that is placed by the attributes `markup`."""
    if symbol:
        markup = f"<g{markup}>{symbol}</g>"
    many = (0, 0)
    if markup.startswith("<rect") and "dasharray" not in markup:
        markup, many = _shrunk(markup, scale)
    try:
        box = extent(markup, float(size))
    except ValueError as error:
        raise NoBoardError from error
    if box is None:
        return ()
    left, top = math.floor(box[0] * scale) - 1, math.floor(box[1] * scale) - 1
    right, bottom = math.ceil(box[2] * scale) + 1, math.ceil(box[3] * scale) + 1
    face = _image(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right - left}" height="{bottom - top}" {style}>'
        f'<g transform="translate({-left} {-top}) scale({scale:.9g})">{markup}</g></svg>',
        "<text" in markup,
    )
    if many == (0, 0):
        return tuple(_trimmed(face, left, top))
    middle = face.width // 2, face.height // 2
    return tuple(
        piece
        for y, y_from, y_to, y_times in _slices(face.height, middle[1], many[1])
        for x, x_from, x_to, x_times in _slices(face.width, middle[0], many[0])
        for piece in _trimmed(
            face.crop((x_from, y_from, x_to, y_to)).resize(((x_to - x_from) * x_times, (y_to - y_from) * y_times)),
            left + x,
            top + y,
        )
    )


def _shrunk(rect: str, scale: float) -> tuple[str, tuple[int, int]]:
    """A rectangle less as many whole pixels as its middle has in excess, and how many these are across and down."""
    taken = []
    corner = sum(float(found[1]) for found in (_SIDE["rx"].search(rect), _SIDE["stroke-width"].search(rect)) if found)
    for side in ("width", "height"):
        match = _SIDE[side].search(rect)
        if match is None:
            raise NoBoardError
        long = float(match[1])
        many = max(0, math.floor((long - 2 * corner) * scale) - _SPARE)
        rect = f"{rect[: match.start(1)]}{long - many / scale:.6f}{rect[match.end(1) :]}" if many else rect
        taken.append(many)
    return rect, (taken[0], taken[1])


def _slices(length: int, middle: int, many: int) -> list[tuple[int, int, int, int]]:
    """Where a slice lies in the stretched picture, from and to where it was, and how often it is repeated."""
    if not many:
        return [(0, 0, length, 1)]
    return [(0, 0, middle, 1), (middle, middle, middle + 1, many + 1), (middle + many + 1, middle + 1, length, 1)]


def _trimmed(face: "Image", left: int, top: int) -> list[_Piece]:
    """What is to be seen of an image with transparency, its corner at left, top: one piece or none."""
    mask = face.getchannel("A")
    seen = mask.getbbox()
    if seen is None:
        return []
    box = left + seen[0], top + seen[1], left + seen[2], top + seen[3]
    mask, color = mask.crop(seen), face.convert("RGB").crop(seen)
    if mask.getextrema() != (255, 255):
        return [_Piece(box, color, mask)]
    points = color.tobytes()
    flat = points == points[:3] * (len(points) // 3)
    return [_Piece(box, tuple(points[:3]) if flat else color, None)]


def _image(svg: str, letters: bool) -> "Image":
    from PIL import Image

    with Image.open(BytesIO(rasterized(svg, letters=letters))) as drawn:
        return drawn.convert("RGBA")
