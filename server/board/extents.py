"""How far a part of a picture reaches: a box that it surely does not leave, for what is drawn by itself (`sprites`).

Reads the SVG that `canvas` writes, nothing wider. Boxes may be too large, never too small.
"""

import re
from collections.abc import Iterator

from server.board.measure import width

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
_ELEMENT = re.compile(r"<(/?)(\w+)([^>]*?)/?>([^<]*)")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_STEP = re.compile(r"(\w+)\(([^)]*)\)")
_PATH = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+))")
_NUMBERS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7}
_REFERENCE = re.compile(r"&#?\w+;")


def _transform(text: str) -> Matrix:
    """Return the matrix of a `transform` of translations, scalings and quarter turns.

    Raises `ValueError` for another.
    """
    matrix = IDENTITY
    for name, arguments in _STEP.findall(text):
        values = [float(value) for value in arguments.split()]
        if name == "translate":
            step: Matrix = (1, 0, 0, 1, values[0], values[1])
        elif name == "scale":
            step = (values[0], 0, 0, values[-1], 0, 0)
        elif name == "rotate" and values[0] % 90 == 0:
            sin = (0, 1, 0, -1)[int(values[0] // 90) % 4]
            cos = (1, 0, -1, 0)[int(values[0] // 90) % 4]
            step = (cos, sin, -sin, cos, 0, 0)
        else:
            raise ValueError(f"no transform of the board: {text}")
        matrix = _product(matrix, step)
    return matrix


def extent(markup: str, size: float) -> Box | None:
    """Return the box of some elements; `size` is the font size of text that names none. None: there is nothing to see.

    Raises `ValueError` for an element that is not known.
    """
    boxes = list(_boxes(markup, size))
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _boxes(markup: str, size: float) -> Iterator[Box]:
    around = [(IDENTITY, 1.0)]  # of the open groups: matrix and width of a line
    for closing, tag, rest, text in _ELEMENT.findall(markup):
        if closing:
            if tag == "g":
                around.pop()
            continue
        attributes = dict(_ATTRIBUTE.findall(rest))
        matrix, line = around[-1]
        matrix = _product(matrix, _transform(attributes.get("transform", "")))
        line = float(attributes.get("stroke-width", line))
        if tag == "g":
            around.append((matrix, line))
        elif tag != "title":
            xs, ys = zip(*_points(tag, attributes, text, size), strict=True)
            # A pointed corner of a path reaches so far, at the limit of 4 that SVG has for it; a right one less.
            pad = 2 * line if tag == "path" else 0.75 * line
            one = _moved(matrix, min(xs) - pad, min(ys) - pad)
            other = _moved(matrix, max(xs) + pad, max(ys) + pad)  # after quarter turns a box is still a box
            yield min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


def _points(tag: str, attributes: dict[str, str], text: str, size: float) -> list[tuple[float, float]]:
    """Points whose box holds an element."""
    if tag == "path":
        return list(_path(attributes["d"]))
    if tag == "rect":
        x, y, w, h = (float(attributes.get(name, 0)) for name in ("x", "y", "width", "height"))
        return [(x, y), (x + w, y + h)]
    if tag == "circle":
        x, y, r = (float(attributes[name]) for name in ("cx", "cy", "r"))
        return [(x - r, y - r), (x + r, y + r)]
    if tag == "text":
        x, y, size = float(attributes["x"]), float(attributes["y"]), float(attributes.get("font-size", size))
        # What is not in the tables of `measure` may be wider than it guesses, and stand higher.
        plain, others = _REFERENCE.subn("W", text)
        long = 1.05 * width(plain, size) + size * others
        x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[attributes.get("text-anchor", "start")] * long
        high, low, side = (1.4, 0.6, 0.5) if others else (0.9, 0.3, 0.2)
        return [(x - side * size, y - high * size), (x + long + side * size, y + low * size)]
    raise ValueError(f"no element of the board: {tag}")


def _path(d: str) -> Iterator[tuple[float, float]]:
    """The points and handles of a path; a curve stays within them."""
    x = y = start_x = start_y = 0.0
    handle: tuple[float, float] | None = None
    command, values = "", list[float]()
    for letter, number in _PATH.findall(d):
        if letter:
            command, values = letter, []
            if letter in "Zz":
                x, y = start_x, start_y
            elif letter.upper() not in _NUMBERS:
                raise ValueError(f"no path of the board: {d}")
            continue
        values.append(float(number))
        kind = command.upper()
        if len(values) < _NUMBERS[kind]:
            continue
        here_x, here_y = (x, y) if command.islower() else (0.0, 0.0)
        last, handle = handle, None
        if kind == "H":
            x = here_x + values[0]
        elif kind == "V":
            y = here_y + values[0]
        else:
            reach = 2 * max(values[:2]) if kind == "A" else 0.0
            pairs = values[5:] if kind == "A" else values
            at = [(here_x + pairs[i], here_y + pairs[i + 1]) for i in range(0, len(pairs), 2)]
            if kind in "TS" and last:
                at.insert(0, (2 * x - last[0], 2 * y - last[1]))
                yield at[0]
            for px, py in at:
                yield px - reach, py - reach
                yield px + reach, py + reach
            x, y = at[-1]
            handle = at[-2] if kind in "CSQT" and len(at) > 1 else None
            if kind == "M":
                start_x, start_y = x, y
                command = "l" if command.islower() else "L"
        yield x, y
        values = []


def _product(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def _moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
