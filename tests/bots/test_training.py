"""Learning: a small course, the files that it leaves, and that it goes on from them."""

from __future__ import annotations

import pytest

from bots.features import SIZE
from bots.journeyman import Effort
from bots.value import from_json
from server.cli import main

pytest.importorskip("numpy")
from bots.training import Task, lesson, load, save


def test_lessons(tmp_path):
    """A game of two has a lesson for each seat before each of its twenty turns; it comes back from its file."""
    found = lesson(Task(2, 1, True, 0.1, None, Effort()))
    assert len(found.turns) == len(found.made) == 40
    assert len(found.own) == len(found.other) == 40 * SIZE
    assert found.turns[:2] == [10, 10]
    assert sorted(found.turns[-2:]) == [0, 1]
    assert lesson(Task(2, 1, True, 0.1, None, Effort())) == found
    save(tmp_path / "lessons.json", [found])
    assert load(tmp_path / "lessons.json") == [found]


def test_a_course_is_repeated_by_its_word_and_goes_on(tmp_path, capsys):
    """The same word, the same weights, also where it was broken off."""
    args = ["--games", "2", "--rounds", "1", "--deals", "1", "--jobs", "1"]
    for name in ("one", "two"):
        assert main(["train", str(tmp_path / name), *args], {}) == 0
    (tmp_path / "two" / "round-1.json").unlink()
    assert main(["train", str(tmp_path / "two"), *args], {}) == 0
    one, two = ((tmp_path / name / "round-1.json").read_text() for name in ("one", "two"))
    assert one == two
    assert from_json(one)
    out = capsys.readouterr().out
    assert out.count("round 0: 2 games") == 3
