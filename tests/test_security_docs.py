"""docs/security.md and docs/asvs.md: what they name as proof is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ("security.md", "asvs.md")

# How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: they are its first ones.


def read(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def names() -> list[tuple[str, str, str]]:
    """Every test that the pages name: page, file, function ("" for the whole file)."""
    return [
        (page, file, function)
        for page in DOCS
        for file, function in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", read(page))
    ]


@pytest.mark.parametrize(("page", "file", "function"), names())
def test_what_is_named_as_proof_is_there(page: str, file: str, function: str):
    path = ROOT / file
    assert path.is_file(), f"docs/{page} names {file}"
    tree = ast.parse(path.read_text("utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert (function or file) in tests | {file}, f"docs/{page} names {function} in {file}"
    assert tests, file
