"""The PNG: the right size, with text in it, and a clear word when the extra is missing."""

import struct
import sys
from io import BytesIO

import pytest

from server.board.png import PicturesMissingError, board_png, palette_png
from server.board.svg import board_svg
from server.engine.ulm1.view import view


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_it_is_as_wide_as_asked(crowded):
    pytest.importorskip("resvg_py")
    svg = board_svg(view(crowded, None), size=600)
    width, height = size_of(board_png(svg, 300))
    assert width == 300
    assert height > 900


def test_the_font_comes_along():
    """Text is drawn whatever fonts the machine has: a sheet with a word differs from one without."""
    pytest.importorskip("resvg_py")
    sheet = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" font-family="DejaVu Sans, sans-serif">{}</svg>'
    blank = board_png(sheet.format(""), 90)
    assert board_png(sheet.format('<text x="5" y="20" font-size="12">Donau</text>'), 90) != blank
    assert board_png(sheet.format('<text x="5" y="20" font-size="12">Ulm</text>'), 90) != blank


def test_a_mail_s_picture_is_a_small_file(crowded):
    """A palette of 256 colours, which are those of the board: none is further off than an eye can tell."""
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    svg = board_svg(view(crowded, 0), seat=0, size=600, language="de")
    made = palette_png(svg, 600)
    assert len(made) < 200_000
    assert made[25] == 3, "a palette"
    with image.open(BytesIO(made)) as picture:
        seen = {color for _, color in picture.convert("RGB").getcolors()}
    for color in map(bytes.fromhex, ("f4ead2", "fbf5e4", "33261a", "8f959b", "b3261e")):
        assert min(max(abs(one - other) for one, other in zip(color, near, strict=True)) for near in seen) < 9


@pytest.mark.parametrize(("library", "name"), [("PIL", "Pillow"), ("resvg_py", "resvg-py")])
def test_without_the_extra_it_says_what_to_install(monkeypatch, library, name):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(PicturesMissingError, match=rf"need {name}: .*pip install 'ulm-by-mail\[pictures\]'"):
        palette_png("<svg/>", 100)


@pytest.mark.parametrize("width", [0, -1, 4001])
def test_a_wrong_width_is_refused(width):
    pytest.importorskip("resvg_py")
    with pytest.raises(ValueError, match="1 to 4000 pixels wide"):
        board_png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', width)
