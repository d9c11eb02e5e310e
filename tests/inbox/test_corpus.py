"""The corpus: answers in the shapes of nineteen programs, in three languages, and oddities; each read as expected."""

from __future__ import annotations

import pytest

from server.engine.rulesets import NEWEST
from server.inbox import message_reading
from server.move_language import grammar
from tests.inbox.corpus import make
from tests.inbox.corpus.letters import letter
from tests.inbox.corpus.said import said


@pytest.mark.parametrize("name", make.corpus())
def test_an_answer_is_read_as_expected(name: str) -> None:
    data, expected = make.corpus()[name]
    options = [NEWEST.parse_move(text) for text in letter(name.split("-")[1]).moves]
    assert said(grammar.parse(message_reading.read(data).own, NEWEST, options)) == expected


def test_every_mail_of_the_corpus_is_expected_to_be_something() -> None:
    there = {str(path.relative_to(make.FOLDER)) for path in make.FOLDER.glob("*/*.eml")}
    assert there | set(make.made()) == set(make.corpus())
    assert len(make.corpus()) >= 150
