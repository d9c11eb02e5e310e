"""The chart of points over a game, as a pure function."""

import re
from xml.etree import ElementTree

import pytest

from replays.score_chart import Round, legend, score_chart


def test_a_chart_of_nothing_is_refused():
    for vp, totals in (([], None), ([[1, 2]], [1]), ([[1]], None)):
        with pytest.raises(ValueError, match="points at each ply"):
            score_chart(["A", "B"], vp, totals, [], ply=0, title="", description="")


def test_it_is_well_formed_for_any_names_and_points():
    for names in (["A", "B"], ["<&\"'>", "", "Ж" * 40, "x\u202ey"]):
        vp = [[5] * len(names), [-30, *[140] * (len(names) - 1)], [0] * len(names)]
        svg = score_chart(names, vp, [1] * len(names), [Round(2, "<One>", "?ply=2&seat=1")], ply=9, title="<",
                          description="&")  # fmt: skip
        root = ElementTree.fromstring(svg)  # noqa: S314 - made here
        assert root.get("role") == "group"
        places = [float(text.get("y")) for text in root.iter("text") if text.get("class") == "came-to"]
        assert len(places) == len(names)
        assert all(abs(one - other) >= 14 for one in places for other in places if one is not other)


def test_the_marker_stands_at_its_ply_and_never_beyond_the_last():
    def marker(ply):
        svg = score_chart(["A"], [[0]] * 11, None, [], ply=ply, title="T", description="D")
        return float(re.search(r'class="marker"[^>]*translate\(([\d.]+) 0\)', svg)[1])

    assert marker(0) < marker(5) < marker(10) == marker(99)


def test_the_legend_cuts_no_name():
    names = ["Guest Finch with a name of thirty-two"[:32], "<&\"'>", "", "x\u202ey"]
    root = ElementTree.fromstring(legend(names))  # noqa: S314 - made here
    assert ["".join(item.itertext()).strip() for item in root] == [names[0], names[1], "2", "xy"]
    assert [item.get("class") for item in root] == [f"seat-{seat}" for seat in range(4)]
    assert all(len(item.findall(".//path")) == 2 for item in root)
