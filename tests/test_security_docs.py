"""docs/security.md and docs/asvs.md: no requirement is left out, and what they name as proof is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ("security.md", "asvs.md")

# How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: they are its first ones.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip
REQUIREMENTS = [f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]
VERDICTS = {"yes", "partly", "no", "proxy", "–"}


def read(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def number(requirement: str) -> tuple[int, ...]:
    return tuple(int(part) for part in requirement.split("."))


def rows() -> list[tuple[str, str, str]]:
    """The rows of the checklist: which requirements, verdict, why."""
    return re.findall(r"^\| ([\d.,– ]+) \| (\S+) \| (.+) \|$", read("asvs.md"), re.MULTILINE)


def test_every_requirement_of_level_2_is_answered_once():
    answered: list[str] = []
    for which, _verdict, _why in rows():
        for part in which.split(", "):
            first, _, last = part.partition("–")
            between = (number(first), number(last or first))
            found = [one for one in REQUIREMENTS if between[0] <= number(one) <= between[1]]
            assert found, f"{part} is no requirement"
            answered += found
    assert sorted(answered, key=number) == REQUIREMENTS


def test_every_verdict_is_one_and_says_why():
    for which, verdict, why in rows():
        assert verdict in VERDICTS, which
        assert len(why) > 2, which


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
