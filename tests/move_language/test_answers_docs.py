"""docs/answers.md tells the truth: every example is read, or asked back, as it says."""

import re
from pathlib import Path

import pytest

from server.engine.rulesets import NEWEST
from server.move_language import grammar
from server.move_language.program import Problems, Program

TEXT = (Path(__file__).parent.parent.parent / "docs" / "answers.md").read_text("utf-8")
OPTIONS = [NEWEST.parse_move(text) for text in ("push N1", "push N2", "push N3", "end")]
BLOCKS = re.findall(r"```(moves|asked)\n(.*?)```", TEXT, re.DOTALL)


def rows(title: str) -> list[str]:
    """What stands in the cells of a table below a heading, in the words that can be written."""
    part = TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ") and not line.startswith("|---")][1:]
    return [text for line in lines for cell in line.split("|")[2:] for text in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize(("kind", "example"), BLOCKS)
def test_examples(kind: str, example: str) -> None:
    found = grammar.parse(example.splitlines(), NEWEST, OPTIONS)
    if kind == "asked":
        assert isinstance(found, Problems)
        return
    assert isinstance(found, Program), found
    assert found.steps
    assert not found.other_text


@pytest.mark.parametrize("text", [text for text in rows("Moves") if text != "abbot"] + rows("Other things to write"))
def test_the_words_of_the_tables(text: str) -> None:
    found = grammar.parse([text], NEWEST, OPTIONS)
    assert isinstance(found, Program), found
    assert found.steps or found.says
    assert not found.other_text


def test_there_are_examples() -> None:
    assert len(BLOCKS) > 10
    assert len(rows("Moves")) > 60
