"""Templates: lines that can be read, folders that are those of the pages."""

from pathlib import Path

import pytest

SERVER = Path(__file__).parents[3] / "server"
PAGES = SERVER / "routes/pages"
LONGEST = 160
"""Characters of a line."""


@pytest.mark.parametrize("path", sorted(SERVER.glob("**/templates/**/*.html")), ids=lambda path: path.name)
def test_no_line_is_longer_than_a_reader_can_follow(path):
    long = [number for number, line in enumerate(path.read_text("utf-8").splitlines(), 1) if len(line) > LONGEST]
    assert long == []


def test_templates_lie_in_folders_as_the_modules_that_show_them():
    folders = {path.name for path in (PAGES / "templates/pages").iterdir()}
    assert folders == {path.parent.name for path in PAGES.glob("*/__init__.py")}
