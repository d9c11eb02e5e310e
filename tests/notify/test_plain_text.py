"""Mails as text: lines and tables that keep to their columns."""

from __future__ import annotations

from server.board.measure import columns
from server.notify.plain_text import WIDTH, table, wrapped


def test_lines_and_tables_keep_to_their_columns() -> None:
    wide = "李" * 100
    for line in wrapped(f"a {wide} https://example.org/{'x' * 100} b", "* ", "  ").splitlines():
        assert columns(line) <= WIDTH or "://" in line
    shown = wrapped(f"a {wide} b", "* ", "  ")
    assert shown.replace("\n  ", "").replace("* ", "").replace(" ", "") == f"a{wide}b"
    assert wrapped("") == ""
    rows = [["", *[wide] * 4], ["Übrige Siegel und Familienwappen", "1", "22", "-3", "4"]]
    assert all(columns(line) <= WIDTH for line in table(rows).splitlines())
