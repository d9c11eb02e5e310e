"""The corpus: answers in the shapes of nineteen programs, in three languages, and oddities; each read as expected. And
our own letters, which never play, whatever of them comes back unquoted."""

import pytest

from server.engine.rulesets import NEWEST
from server.inbox import message_reading
from server.inbox.html_lines import lines as html_lines
from server.inbox.quotations import own_lines
from server.move_language.program import Problems, Program
from tests.inbox.corpus import make
from tests.inbox.corpus.letters import LANGUAGES, letter
from tests.inbox.corpus.said import parsed, said


@pytest.mark.parametrize("name", [*make.MADE, *make.BY_HAND])
def test_an_answer_is_read_as_expected(name: str) -> None:
    data, expected = make.corpus()[name]
    assert said(parsed(name.split("-")[1], message_reading.read(data).own)) == expected


def test_every_mail_of_the_corpus_is_expected_to_be_something() -> None:
    there = {str(path.relative_to(make.FOLDER)) for path in make.FOLDER.glob("by_hand/*.eml")}
    assert there == set(make.BY_HAND)
    assert len(make.corpus()) >= 150


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["text", "html"])
def test_a_letter_that_comes_back_without_any_sign_plays_nothing(language: str, kind: str) -> None:
    """Even without the mark: its lines are too much to be moves; below moves they are taken for a signature."""
    whole = letter(language)
    lines = whole.text.split("\n") if kind == "text" else html_lines(whole.html)
    assert own_lines(lines) == []  # the mark is its first line
    unmarked = [line for line in lines if line.strip()][1:]
    for cut in range(0, len(unmarked), 90):  # whatever is missing at its beginning or its end
        for part in (unmarked[cut:], unmarked[: len(unmarked) - cut]):
            if len(part) > 25:
                found = parsed(language, part)
                assert isinstance(found, Problems) or not found.steps, (part[0], part[-1])
                for own in (["push N1"], ["push N1", "end"]):
                    found = parsed(language, [*own, "", *part])
                    assert isinstance(found, Problems) or len(found.steps) == len(own), (part[0], part[-1])
                    assert isinstance(found, Problems) or not found.says


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_that_is_copied_plays_that_option_or_is_asked_back(language: str) -> None:
    whole = letter(language)
    options = [line.strip() for line in whole.text.split("\n") if line[:4].strip().rstrip(".").isdigit()]
    assert len(options) > 4
    for line in options:
        found = parsed(language, [line])
        if isinstance(found, Program):
            [step] = found.steps
            moves = [NEWEST.parse_move(text) for text in whole.moves]
            candidates = step.phrase.candidates(NEWEST, moves, moves)  # type: ignore[union-attr]
            assert candidates in ([], [moves[int(line.partition(".")[0]) - 1]]), line
