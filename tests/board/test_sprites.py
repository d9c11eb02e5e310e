"""Boards put together from sprites look like the SVG drawn in one piece, and are small files."""

from __future__ import annotations

import re
import sys
from io import BytesIO

import pytest

from server.board import sprites
from server.board.changes import changed
from server.board.extents import extent
from server.board.palette_png import BYTES, palette_png
from server.board.pieces import piece_svg
from server.board.png import PicturesMissingError, board_png
from server.board.svg import board_svg
from server.engine.ulm1.view import view
from tests.board.test_png import size_of

NAMES = ("Maximiliane von und zu Hohenzollern-Sigmaringen", "Ed", "Ærøskøbing Þórunn <the third>", "Čtvrtý Éric")
_GROUP = re.compile(r"<g( [^>]*)?>|</g>")
_SHIFT = re.compile(
    r'^((?: (?:id|data-[\w-]+)="[^"]*")*) transform="translate\((\S+) (\S+)\)"((?: data-[\w-]+="[^"]*")*)$'
)


def on_whole_pixels(svg: str, scale: float) -> str:
    """The SVG with its panels and labels moved, each by half a pixel at most, to where sprites stand."""
    stack = [((0.0, 0.0), (0.0, 0.0))]  # where a group is, and where it is put

    def moved(match: re.Match[str]) -> str:
        if match[0] == "</g>":
            stack.pop()
            return match[0]
        shift = _SHIFT.match(match[1] or "")
        at, put = stack[-1]
        if shift is None:
            stack.append((at, put))
            return match[0]
        at = at[0] + float(shift[2]), at[1] + float(shift[3])
        now = round(at[0] * scale) / scale, round(at[1] * scale) / scale
        stack.append((at, now))
        return f'<g{shift[1]} transform="translate({now[0] - put[0]:.9f} {now[1] - put[1]:.9f})"{shift[4]}>'

    body = svg.index("</defs>")
    # Its height is rounded to whole pixels too, for which all would be a hundredth of a pixel elsewhere.
    head = re.sub(
        r'viewBox="0 0 (\S+) (\S+)"',
        lambda m: f'viewBox="0 0 {m[1]} {round(float(m[2]) * scale) / scale:.9f}"',
        svg[:body],
    )
    return head + _GROUP.sub(moved, svg[body:])


@pytest.fixture
def pillow():
    pytest.importorskip("resvg_py")
    return pytest.importorskip("PIL.Image")


@pytest.mark.parametrize(
    ("number", "width", "options"),
    [
        (40, 600, {"highlight": ["cell-1-1", "slot-N1", "quarter-garden", "player-0"]}),
        (-1, 600, {"theme": "dark", "language": "it"}),
        (25, 360, {"theme": "colour-blind", "prefix": "other"}),
        (60, 1000, {"language": "de"}),
    ],
)
def test_it_is_the_svg_drawn_in_one_piece(positions, pillow, number, width, options):
    from PIL import ImageChops

    state = positions[number]
    names = NAMES[: len(state.players)]
    svg = board_svg(view(state, state.active), seat=state.active, names=names, size=width, **options)
    made = sprites.draw(svg, width)
    with pillow.open(BytesIO(board_png(on_whole_pixels(svg, width / (1200 if width >= 800 else 400)), width))) as whole:
        assert made.size == whole.size
        counts = ImageChops.difference(made, whole.convert("RGB")).histogram()
    area = made.width * made.height
    for channel in (counts[:256], counts[256:512], counts[512:]):
        assert sum(channel[4:]) < area / 1000, "all but edges that fall between two pixels is the same"
        assert sum(channel[24:]) < area / 10000
        assert sum(channel[64:]) == 0, "nothing is missing or stands elsewhere"


def test_large_corners_stay_round(pillow):
    """Rectangles are stretched in their middle: not where their corners are, however large the picture."""
    from PIL import ImageChops

    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60" font-family="none" font-size="11" fill="#33261a">'
        '<defs></defs><rect width="60" height="60" fill="#f4ead2"/>'
        '<rect x="5" y="5" width="50" height="40" rx="12" fill="#8f959b" stroke="#33261a" stroke-width="3"/></svg>'
    )
    with pillow.open(BytesIO(board_png(svg, 900))) as whole:
        most = ImageChops.difference(sprites.draw(svg, 900), whole.convert("RGB")).getextrema()
    assert max(high for _, high in most) < 16


def test_every_board_can_be_put_together(positions, pillow):
    """No element that sprites do not know: it would cost a mail a quarter of a second."""
    for state in positions[::6]:
        for seat in (None, state.active):
            svg = board_svg(
                view(state, seat),
                seat=seat,
                size=600,
                highlight=changed(view(positions[0], None), view(state, None))
                if len(state.players) == len(positions[0].players)
                else None,
            )
            assert sprites.draw(svg, 60).width == 60


def test_its_file_is_small_and_the_same_from_every_process(crowded, pillow):
    svg = board_svg(view(crowded, 0), seat=0, names=NAMES, size=600, language="de")
    made = palette_png(svg, 600)
    assert len(made) <= BYTES
    assert made[25] == 3, "a palette"
    sprites.forget()
    assert palette_png(svg, 600) == made
    with pillow.open(BytesIO(made)) as picture:
        seen = {color for _, color in picture.convert("RGB").getcolors()}
    assert {tuple(bytes.fromhex(color)) for color in ("f4ead2", "fbf5e4", "33261a", "8f959b", "b3261e")} <= seen


def test_what_is_no_board_is_drawn_in_one_piece(crowded, pillow):
    for svg in (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="9" height="9" fill="#c00000"/></svg>',
        piece_svg("tile", "gray", theme="light"),
        board_svg(view(crowded, None), size=600).replace("</svg>", '<line x1="0" y1="0" x2="9" y2="9"/></svg>'),
    ):
        with pytest.raises(sprites.NoBoardError):
            sprites.draw(svg, 60)
        made, whole = palette_png(svg, 60), board_png(svg, 60)
        assert size_of(made) == size_of(whole)
        with pillow.open(BytesIO(made)) as small, pillow.open(BytesIO(whole)) as large:
            pairs = zip(*(each.convert("RGB").getpixel((9, 9)) for each in (small, large)), strict=True)
            assert all(abs(one - other) < 12 for one, other in pairs)
    with pytest.raises(ValueError, match="1 to 4000 pixels wide, not 0"):
        palette_png("<svg/>", 0)


@pytest.mark.parametrize(("library", "name"), [("PIL", "Pillow"), ("resvg_py", "resvg-py")])
def test_without_the_extra_it_says_what_to_install(crowded, monkeypatch, library, name):
    sprites.forget()
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(PicturesMissingError, match=rf"need {name}: .*ulm-by-mail\[pictures\]"):
        palette_png(board_svg(view(crowded, None), size=600), 60)


@pytest.mark.parametrize(
    ("markup", "box"),
    [
        ('<rect x="2" y="3" width="10" height="20" stroke-width="0"/>', (2, 3, 12, 23)),
        ('<circle cx="5" cy="6" r="4" stroke-width="4"/>', (-2, -1, 12, 13)),
        ('<path d="M2 2h10v-4l-3 1z" stroke-width="0"/>', (2, -2, 12, 2)),
        ('<path d="M0 0q5 -5 10 0t10 0" stroke-width="0"/>', (0, -5, 20, 5)),
        (
            '<g transform="translate(10 20) scale(2)"><rect width="3" height="4" stroke-width="0"/></g>',
            (10, 20, 16, 28),
        ),
        ('<g transform="rotate(90)" stroke-width="0"><rect width="3" height="4"/></g>', (-4, 0, 0, 3)),
        ("<title>nothing</title>", None),
    ],
)
def test_extents(markup, box):
    assert extent(markup, 11) == (box and pytest.approx(box))


@pytest.mark.parametrize("markup", ['<g transform="skewX(3)">', '<path d="M0 0R1 1"/>', "<image/>"])
def test_the_extent_of_what_is_not_known_is_not_guessed(markup):
    with pytest.raises(ValueError, match="of the board"):
        extent(markup, 11)
