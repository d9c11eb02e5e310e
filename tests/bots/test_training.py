"""Learning: a small course, the files that it leaves, and that it goes on from them."""

import pytest

from bots.features import SIZE
from bots.value import from_json
from server.cli import main

pytest.importorskip("numpy")
from bots.training import Task, lesson, load, save


def test_lessons(tmp_path):
    """A game of two has a lesson for each seat before each of its twenty turns; it comes back from its file."""
    found = lesson(Task(2, 1, True, 0.1, None))
    assert found.turns.shape == found.made.shape == (40,)
    assert found.own.shape == found.other.shape == (40, SIZE)
    assert list(found.turns[:2]) == [10, 10]
    assert sorted(found.turns[-2:]) == [0, 1]
    save(tmp_path / "lessons.npz", [found])
    for again in (lesson(Task(2, 1, True, 0.1, None)), *load(tmp_path / "lessons.npz")):
        assert all((one == other).all() for one, other in zip(found, again, strict=True))


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
