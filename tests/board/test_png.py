"""The PNG: the right size, with text in it, and a clear word when the extra is missing."""

from __future__ import annotations

import struct
import sys
from collections import Counter
from io import BytesIO

import pytest

from server.board.png import PicturesMissingError, board_png, packed
from server.board.svg import board_svg
from server.engine.ulm1.view import view


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def points(data: bytes) -> list[bytes]:
    return [data[start : start + 3] for start in range(0, len(data), 3)]


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


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PicturesMissingError, match=r"pip install 'ulm-by-mail\[pictures\]'"):
        board_png("<svg/>", 100)


@pytest.mark.parametrize("width", [0, -1, 4001])
def test_a_wrong_width_is_refused(width):
    pytest.importorskip("resvg_py")
    with pytest.raises(ValueError, match="1 to 4000 pixels wide"):
        board_png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', width)


def test_what_is_no_svg_is_refused():
    pytest.importorskip("resvg_py")
    with pytest.raises(ValueError, match=r"."):
        board_png("not a picture", 100)


def test_a_packed_picture_is_small_and_looks_the_same(crowded):
    """A third of the bytes; every colour of an area is exact, and hardly any point differs in a way that one sees."""
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    png = board_png(board_svg(view(crowded, None), size=600), 600)
    small = packed(png)
    assert size_of(small) == size_of(png)
    assert len(small) < len(png) * 0.45
    before, after = (points(image.open(BytesIO(each)).convert("RGB").tobytes()) for each in (png, small))
    pairs = Counter(zip(before, after, strict=True))
    large = {color for color, count in Counter(before).items() if count > 2000}
    assert len(large) > 10
    assert [(old, new) for old, new in pairs if old in large and old != new] == []
    far = sum(n for (old, new), n in pairs.items() if max(abs(a - b) for a, b in zip(old, new, strict=True)) > 24)
    assert far < pairs.total() / 200


def test_without_pillow_a_picture_stays_as_it_is(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert packed(b"a picture") == b"a picture"


def test_the_font_and_its_licence_are_shipped():
    from importlib.resources import files

    fonts = files("server.board") / "fonts"
    assert (fonts / "DejaVuSans.ttf").is_file()
    assert "Bitstream" in (fonts / "LICENSE_DEJAVU").read_text("utf-8")
