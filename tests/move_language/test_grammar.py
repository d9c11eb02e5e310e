"""Whole mails: what is read, what is other text, and what stops everything."""

import json
from pathlib import Path

import pytest

from server.engine.rulesets import NEWEST
from server.language import speaking
from server.move_language import grammar
from server.move_language.program import Play, Problems, Program
from server.move_language.reply_mark import is_reply_mark, reply_mark

LINES = json.loads((Path(__file__).parent / "lines.json").read_text("utf-8"))
"""What people write, by what has to come of it."""
OPTIONS = [NEWEST.parse_move(text) for text in ("push N1", "push N2", "swap white", "end")]


def read(*lines: str) -> Program | Problems:
    return grammar.parse([line for text in lines for line in text.split("\n")], NEWEST, OPTIONS)


def played(*lines: str) -> list[str]:
    """The moves of a program of nothing else."""
    found = read(*lines)
    assert isinstance(found, Program), found
    assert all(isinstance(step, Play) for step in found.steps)
    return [
        f"#{step.phrase.number}" if step.phrase.number else " ".join(step.phrase.meanings(NEWEST)[0])
        for step in found.steps
        if isinstance(step, Play)
    ]


def problem(*lines: str) -> str:
    """The line that stops it."""
    found = read(*lines)
    assert isinstance(found, Problems), found
    return found.problems[0].line


@pytest.mark.parametrize(
    "text",
    LINES["stops"],
)
def test_what_stops_everything(text: str) -> None:
    found = read("swap white", text)
    if text == "push":  # a move with much left open: the legal moves have to decide
        assert isinstance(found, Program)
        return
    assert isinstance(found, Problems), found


@pytest.mark.parametrize(
    "text",
    LINES["passed_over"],
)
def test_what_is_no_move_and_stops_nothing(text: str) -> None:
    assert played("swap white", text, "push n1") == ["swap white", "push N1"]


def test_numbers_and_lists() -> None:
    assert played("1, 2", "#3", "option 4") == ["#1", "#2", "#3", "#4"]
    assert played("1. swap white\n2. push n1\n3. end") == ["swap white", "push N1", "end"]
    assert problem("1. push n1\n2.") == "2."
    assert problem("1. push n1\n2") == "2"
    assert played("2. push N2") == ["#2"]  # as the letter has it
    assert played("1. push N2") == ["push N2"]  # a list of one
    found = read("3. push N2")  # option 3 is another move: it means nothing
    assert isinstance(found, Program)
    step = found.steps[0]
    assert isinstance(step, Play)
    assert step.phrase.candidates(NEWEST, OPTIONS, OPTIONS) == []


def test_then_goes_on() -> None:
    found = read("draw then push n1, money\nthen end")
    assert isinstance(found, Program)
    assert [step.goes_on for step in found.steps if isinstance(step, Play)] == [False, True, False, True]


def test_say_goes_to_the_end_of_its_paragraph() -> None:
    found = read("push n1", "say Hello all,\npush n2 was my first thought.", "", "end", "say Bye!")
    assert isinstance(found, Program)
    assert found.says == ("Hello all, push n2 was my first thought.", "Bye!")
    assert len(found.steps) == 2


def test_other_text_has_no_greeting_and_no_signature() -> None:
    found = read("Hi Ann,", "", "push n1", "What a game!", "I like it.", "", "Best,", "Ben Miller", "Ulm")
    assert isinstance(found, Program)
    assert found.other_text == "What a game!\nI like it."


def test_what_could_be_a_signature_is_asked_back() -> None:
    assert problem("push n1", "Viele Grüße", "Siegel") == "Siegel"
    assert problem("Viele Grüße", "Siegel") == "Siegel"
    assert played("Danke!", "", "Push N1", "Ende") == ["push N1", "end"]
    assert played("push n1", "Viele Grüße", "Art") == ["push N1"]


def test_nothing_is_read_below_the_mark() -> None:
    for language in ("en", "de", "it"):
        with speaking(language):
            mark = reply_mark()
        assert is_reply_mark(f"*{mark}*")
        assert len(mark) < 60
        assert played("push n1", mark, "end", "nonsense push") == ["push N1"]


@pytest.mark.parametrize(
    ("text", "line"),
    LINES["wrapped"],
)
def test_a_piece_of_wrapped_prose_is_asked_back(text: str, line: str) -> None:
    assert problem(text) == line
    apart = text.replace("\n", "\n\n")
    assert isinstance(read(apart), Program), "with empty lines between it is what it says"


@pytest.mark.parametrize(
    "text",
    LINES["beside"],
)
def test_what_people_write_right_beside_their_moves(text: str) -> None:
    assert played(text) == ["swap white", "end"]


def test_a_number_behind_a_move_in_words_is_asked_back_unless_it_is_marked() -> None:
    assert played("push N1, #2", "push N1 and option 4") == ["push N1", "#2", "push N1", "#4"]
    assert played("2, push N1", "3, 4 and 1") == ["#2", "push N1", "#3", "#4", "#1"]


def test_what_is_said_ends_before_the_signature() -> None:
    for text in (
        "say Hello all!\nSent from my iPhone\nBen",
        "say Hello all!\nViele Grüße\nBen\nVon meinem iPhone gesendet",
        "say Hello all!\nBest,\nben",
    ):
        found = read("push n1", text)
        assert isinstance(found, Program)
        assert found.says == ("Hello all!",)
    found = read("say Hello all,\nthanks\nfor waiting!")
    assert isinstance(found, Program)
    assert found.says == ("Hello all, thanks for waiting!",)


@pytest.mark.parametrize(
    "text",
    LINES["conditions"],
)
def test_conditions_are_asked_back_and_nothing_beside_them_is_played(text: str) -> None:
    for place in range(8, len(text)):  # nor where a mail program breaks the line
        broken = text[:place] + "\n" + text[place + 1 :] if text[place] == " " else text
        found = read("swap white", "", broken)
        assert isinstance(found, Problems), broken


def test_a_problem_says_why_in_the_language_of_its_reader_and_what_is_near() -> None:
    with speaking("de"):
        found = read("pusch n1")
    assert isinstance(found, Problems)
    [one] = found.problems
    assert one.why.startswith("Das beginnt wie ein Schritt")
    assert one.near == ("push N1",)


def test_much_is_refused_at_once() -> None:
    assert isinstance(read(*["push n1"] * 1000), Problems)
    assert isinstance(read("push n1, " * 1000 + "end"), Problems)
    assert read("x" * 100_000).steps == ()  # type: ignore[union-attr]
    assert isinstance(read("preview " + "push n1, " * 60), Problems)
    assert isinstance(read(*["push n1,"] * 60, "end"), Problems), "lines that go on are one"
    assert isinstance(read("If you like we can play again tomorrow. " * 20), Program)
    found = read("say " + "very " * 100 + "long")
    assert isinstance(found, Program)
    assert len(found.says[0]) > 500


@pytest.mark.parametrize("line", ["," * 8000, "if x" + "," * 8000, "then,," * 1300, "3" + "." * 8000 + "x"])
def test_lines_without_an_end_take_no_time(line: str) -> None:
    assert isinstance(read("if x,", line, line), Program | Problems)
    assert isinstance(read("if x,", *[line] * 75), Problems), "more than a person writes"
