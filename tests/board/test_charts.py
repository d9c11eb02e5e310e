"""Charts are well-formed, say in words what they show, and stand within their frame."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.board import charts
from server.board.charts import Bar


def read(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - ours


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
