"""Charts are well-formed, say in words what they show, and stand within their frame."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.board import charts
from server.board.charts import Bar

TEXTS = st.text(max_size=30)
VALUES = st.lists(st.integers(-60, 300), min_size=1, max_size=60)


def read(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - ours


@given(VALUES, TEXTS)
def test_a_spread_has_each_value_in_a_column_and_marks_ones_own(values, title):
    svg = read(charts.spread(values, title, "of <all>", own=values[0]))
    columns = [child for child in svg if child.tag == "rect"]
    assert svg.get("role") == "img"
    assert svg.get("aria-label").endswith("of <all>")
    assert len([one for one in columns if one.get("class") == "own"]) == 1
    assert len({one.get("x") for one in columns}) == len(columns) <= len(set(values))


@given(st.lists(st.floats(-500, 3000), min_size=1, max_size=40), st.booleans())
def test_a_curve_stays_in_its_frame(values, banded):
    band = [200.0] * len(values) if banded else None
    svg = read(charts.curve(values, "t", "d", ("first", "last"), band, 1500))
    tall = float(svg.get("viewBox").split()[3])
    for path in (child.get("d") for child in svg if child.tag == "path"):
        assert all(-0.1 <= float(y) <= tall for y in re.findall(r" (-?[\d.]+)", path))


def test_bars_go_both_ways_and_cut_what_is_too_long():
    svg = read(charts.bars([Bar("a" * 60, 3, "+3", mark=2), Bar("b", -1, "−1"), Bar("none", 0, "0")], "t"))
    first, second, third = [child for child in svg if child.tag == "rect"]
    assert float(second.get("x")) + float(second.get("width")) == pytest.approx(float(first.get("x")), abs=0.2)
    assert float(third.get("width")) == 0
    assert next(child.text for child in svg if child.tag == "text").endswith("…")
