"""The corpus: answers in the shapes of nineteen programs, in three languages, and oddities; each read as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.engine.rulesets import NEWEST
from server.inbox import message_reading
from server.move_language import grammar
from tests.inbox.corpus import make
from tests.inbox.corpus.letters import letter
from tests.inbox.corpus.said import said

EXPECTED = make.expectations()


def read(path: Path) -> str:
    language = path.name.split("-")[1]
    options = [NEWEST.parse_move(text) for text in letter(language).moves]
    return said(grammar.parse(message_reading.read(path.read_bytes()).own, NEWEST, options))


@pytest.mark.parametrize("name", EXPECTED)
def test_an_answer_is_read_as_expected(name: str) -> None:
    assert read(make.FOLDER / name) == EXPECTED[name]


def test_every_mail_of_the_corpus_is_expected_to_be_something() -> None:
    there = {str(path.relative_to(make.FOLDER)) for path in make.FOLDER.glob("*/*.eml")}
    assert there == set(EXPECTED)
    assert len(there) >= 150


def test_the_made_ones_are_as_they_are_made() -> None:
    for name, data, expected in make.made():
        assert (make.FOLDER / name).read_bytes() == data, f"{name}: python -m tests.inbox.corpus.make"
        assert EXPECTED[name] == expected
