"""Whole mails: what is read, what is other text, and what stops everything."""

from __future__ import annotations

import pytest

from server.engine.rulesets import NEWEST
from server.language import speaking
from server.move_language import grammar
from server.move_language.program import Command, Play, Problems, Program
from server.move_language.reply_mark import is_reply_mark, reply_mark

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
    [
        "pusch n1",
        "push n4",
        "push",
        "push n1 or n2",
        "push n1 not n2",
        "not push N1 but end",
        "push N1 не",
        "push N1?",
        "push n1 \ufffd",
        "push N1 = 3",
        "end?",
        "push n1, blah",
        "blah, push n1",
        "seal town",
        "play nave bottom",
        "barge 9",
        "0",
        "5",
        "99999",
        "push 3",
        "3 push N1",
        "1, 2, foo",
        "push n1 then",
        "push N1 then then end",
        "if N2 is open push",
        "else: end",
        "preview",
        "preview foo",
        "resign now",
        "undo everything",
        "end, resign, foo",
        "push o1",
        "clear o",
        "fine",
        "Push at N1: coin; seal",
        "~push n1~",
        "Push N1 Push N2",
        "push N1 and 2",
        "push N1, 2",
        "barge 1, 2",
        "schiebe e 2, und 2",
        "if N2 is open: push N2, 3; else end",
        "xyz push n1 blah",
        "I would push N1 if I were you.",
        "dann schiebe N1 vielleicht",
        "~resign~",
        "undo \u043d\u0435\u0442",
        "~undo~",
    ],
)
def test_what_stops_everything(text: str) -> None:
    found = read("swap white", text)
    if text == "push":  # a move with much left open: the legal moves have to decide
        assert isinstance(found, Program)
        return
    assert isinstance(found, Problems), found


@pytest.mark.parametrize(
    "text",
    [
        "Good luck to all of you!",
        "I will be away until Monday.",
        "Nice seal in the garden, well played!",
        "Hi Ann,",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Inviato da iPhone",
        "> push n1",
        ">push n1",
        "Take your time, there is no hurry at all.",
        "If you like we can play again tomorrow.",
        "👍",
        "...",
        "Das war ein schöner Abend bei euch neulich.",
        "Se vuoi ci vediamo domani.",
        "Did you push in the north?",
        "100 points is a lot, congratulations everybody!",
        "Wenn du magst, telefonieren wir morgen.",
        "I will push for the end.",
        "Ich will bis zum Ende schieben!",
        "That was a clear win in the north!",
    ],
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


def test_a_comma_at_the_end_of_a_line_goes_on() -> None:
    assert played("swap white,\npush n1,\nend") == ["swap white", "push N1", "end"]


def test_a_list_that_is_announced() -> None:
    found = read("Here are my moves:\npush n1\nend")
    assert isinstance(found, Program)
    assert len(found.steps) == 2


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
    [
        ("I have thought about it and wonder how this whole game is going to\nend.", "end."),
        ("I am on holiday without a computer and will be back at home on the\n3.", "3."),
        ("I am away from the\n3, 4", "3, 4"),
        ("Ende\ngut alles gut", "Ende"),
        ("Pass\nauf dich auf", "Pass"),
        ("push n1\nEnde\ngut alles gut", "Ende"),
        ("3\nThat is how many coins I have.", "3"),
        ("No, I do not want to\nresign", "resign"),
        ("Not now\nend the turn", "end the turn"),
        ("I have changed my mind and would like to\nundo\nall of it.", "undo"),
        ("Ich habe lange nachgedacht und will auf gar keinen Fall\nmoneta", "moneta"),
        ("I have thought about it and I certainly do not want to\npush N1", "push N1"),
        (
            "Nobody of you can tell me what I am to do now, so I might\nbuy gray gray, then end",
            "buy gray gray, then end",
        ),
        ("There is nothing at all that anybody of us could have to\nsay about this game.", "say about this game."),
    ],
)
def test_a_piece_of_wrapped_prose_is_asked_back(text: str, line: str) -> None:
    assert problem(text) == line
    apart = text.replace("\n", "\n\n")
    assert isinstance(read(apart), Program), "with empty lines between it is what it says"


@pytest.mark.parametrize(
    "text",
    [
        "Hi Ann\nswap white\nend\nBen",
        "Well played!\nswap white\nend",
        "What a game, I never saw that coming.\nswap white\nend\nGood to see you all again here!",
        "swap white\nend\n\nsee you all next week or so",
        "👍\nswap white\nend\n👍 👍 👍",
        "swap white, end\nThanks a lot\nBen",
    ],
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
    [
        "if N2 is open: push n2; else push n3",
        "if tile is gray: push n1\nelse if tile is white: push n2\notherwise push n3\nend",
        "wenn N2 offen ist, schiebe n2, sonst schiebe n3\nEnde",
        "se ho almeno 2 monete: sigillo giardini",
        "if N2 is open:\npush N2",
        "if I can:\nend",
        "if I may\npush N1",
        "otherwise end",
        "push N1, else end",
        "preview if N2 is open: push N2",
    ],
)
def test_conditions_are_asked_back_and_nothing_beside_them_is_played(text: str) -> None:
    for place in range(8, len(text)):  # nor where a mail program breaks the line
        broken = text[:place] + "\n" + text[place + 1 :] if text[place] == " " else text
        found = read("swap white", "", broken)
        assert isinstance(found, Problems), broken


def test_commands() -> None:
    found = read("undo", "Show.", "hilfe", "mano", "mi arrendo", "Vorschau schiebe n1")
    assert isinstance(found, Program)
    names = [step.name for step in found.steps if isinstance(step, Command)]
    assert names == ["undo", "show", "help", "hand", "resign", "preview"]


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
