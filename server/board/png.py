"""The board as a PNG, for mails and animations. Needs the extra `pictures`."""

from importlib.resources import as_file, files
from importlib.util import find_spec
from io import BytesIO

FONT_FAMILY = "DejaVu Sans"
MAX_WIDTH = 4000


class PicturesMissingError(RuntimeError):
    """A library that draws PNGs is not installed."""

    @classmethod
    def of(cls, library: str) -> "PicturesMissingError":
        """The same, saying which."""
        return cls(f"PNG pictures need {library}: install the extra with  pip install 'ulm-by-mail[pictures]'")


def can_draw() -> bool:
    """Whether the extra is installed."""
    return all(find_spec(library) is not None for library in ("resvg_py", "PIL"))


def board_png(svg: str, width: int) -> bytes:
    """`svg` drawn `width` pixels wide, with this package's font. Raises `PicturesMissingError` without the extra,
    `ValueError` for a width outside 1 to 4000 or no SVG."""
    try:
        import resvg_py
    except ImportError:
        raise PicturesMissingError.of("resvg-py") from None
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"a picture is 1 to {MAX_WIDTH} pixels wide, not {width}")
    with as_file(files("server.board") / "fonts" / "DejaVuSans.ttf") as font:
        drawn = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(font)],
            skip_system_fonts=True,
            sans_serif_family=FONT_FAMILY,
            font_family=FONT_FAMILY,
        )
    return bytes(drawn)


def palette_png(svg: str, width: int) -> bytes:
    """Return the same in 256 colours, a third as large: for mails. Raises the same errors."""
    try:
        from PIL import Image
    except ImportError:
        raise PicturesMissingError.of("Pillow") from None
    with Image.open(BytesIO(board_png(svg, width))) as drawn:
        few = drawn.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "PNG")
    return file.getvalue()
