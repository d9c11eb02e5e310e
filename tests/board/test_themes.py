"""Contrast as WCAG 2.2 AA asks for it, computed from the palettes; and every language complete."""

import re
from itertools import combinations

import pytest

from server.board.drawings import TILE_SYMBOLS, define
from server.board.layouts import LAYOUTS
from server.board.stylesheet import stylesheet
from server.board.svg import canvas_for, draw
from server.board.themes import PAGE, THEMES
from server.engine.ulm1.tables import COLORS
from server.engine.ulm1.view import view
from server.service.common import preferences
from tests.board.positions import contrast

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@themes
def test_every_text_stands_out_from_its_ground(theme, positions):
    """4.5 for every pair that any position writes, in every layout."""
    pairs = set()
    for state in positions[::2]:
        shown = view(state, state.active)
        for layout in LAYOUTS:
            canvas = canvas_for(shown, state.active, layout=layout, theme=theme.name)
            draw(canvas, shown)
            pairs |= canvas.text_pairs
    assert len(pairs) > 8
    weak = {
        (ink, on): round(contrast(theme.color(ink), theme.color(on)), 2)
        for ink, on in pairs
        if contrast(theme.color(ink), theme.color(on)) < 4.5
    }
    assert weak == {}


@themes
def test_symbols_stand_out_from_tiles_and_wax(theme):
    """4.5 although symbols need 3: they are small."""
    for face, symbol in (*theme.pairs("tile"), *theme.pairs("seat")):
        assert contrast(face, symbol) >= 4.5, (face, symbol)


@themes
def test_edges_and_arrows_stand_out(theme):
    """3 for what is no text: outlines of tiles, seals and plaques, arrows, the frame of whose turn it is."""
    for on in ("panel", "ground", "meadow", "river", "wall", "paper"):
        assert contrast(theme.color("ink"), theme.color(on)) >= 3
    for on in ("panel", "paper", "space"):
        assert contrast(theme.color("accent"), theme.color(on)) >= 3
    assert contrast(theme.color("on_metal"), theme.color("gold")) >= 4.5


def _brightness(color: str) -> float:
    return contrast(color, "#000000")


@pytest.mark.parametrize(
    "theme", [theme for name, theme in THEMES.items() if "blind" in name], ids=lambda one: one.name
)
def test_seats_and_tiles_differ_without_hue(theme):
    """In the colour-blind themes, light and dark, any two tiles, and any two seats, differ in brightness."""
    for group in (theme.pairs("tile"), theme.pairs("seat")):
        for (first, _), (second, _) in combinations(group, 2):
            ratio = contrast(first, second)
            assert first != second
            assert ratio > 1.25, (first, second)


def test_every_colour_and_seat_has_a_shape_of_its_own():
    assert len({define(symbol, PAGE) for symbol in TILE_SYMBOLS}) == len(COLORS)
    assert len({define(f"mark-{seat}", PAGE) for seat in range(4)}) == 4
    for theme in THEMES.values():
        drawings = {
            define(f"tile-{color}", theme).replace(face, "")
            for color, (face, _) in zip(COLORS, theme.pairs("tile"), strict=True)
        }
        assert len(drawings) == len(COLORS)


def test_a_reader_can_have_every_theme_of_pictures():
    """And what follows the device: light or dark, in the usual colours and in those for the colour-blind."""
    assert set(preferences.THEMES) == {*THEMES, "auto", "colour-blind-auto"}
    css, dark = stylesheet(), THEMES["colour-blind-dark"].color("paper")
    at_night = "".join(re.findall(r"@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}\n", css, re.DOTALL))
    assert f'[data-theme="colour-blind-auto"] {{\n    --b-paper: {dark};' in at_night
    assert f":not([data-theme]) {{\n    --b-paper: {THEMES['dark'].color('paper')};" in at_night
