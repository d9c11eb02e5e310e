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
