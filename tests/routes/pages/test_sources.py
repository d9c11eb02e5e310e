"""Style sheets and templates, read as text."""

import re
from pathlib import Path

import pytest

import server.routes.pages

SHEETS = sorted((Path(server.routes.pages.__file__).parent / "static").glob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_what_a_pointer_hovers_over_is_told_only_to_a_device_that_has_one(sheet):
    """After a tap a browser takes the finger's place for a pointer's: what came to lie there looked chosen."""
    lines = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL).splitlines()
    assert [line for line in lines if ":hover" in line and "@media (hover: hover)" not in line] == []


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
