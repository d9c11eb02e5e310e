"""Mail as people's programs write it, in many languages: signatures, lines above quotations, what is added."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from server.inbox import auto_mail, header_fields, message_reading
from server.move_language.program import Problems
from tests.inbox.corpus.letters import letter
from tests.inbox.corpus.said import parsed, said

FOLDER = Path(__file__).parent / "corpus"
CASES = tomllib.loads((FOLDER / "as_written.toml").read_text("utf-8"))
FILES = sorted(path.name for path in (FOLDER / "as_written").glob("*.eml"))
HEAD = "Return-Path: <a@example.net>\nFrom: Ann <a@example.net>\nIn-Reply-To: <turn@ulm.example.org>\n"
PLAIN = f"{HEAD}Subject: Re: Ulm\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"


def automatic(data: bytes) -> str | None:
    return auto_mail.why_automatic(header_fields.read(data), None, ("ulm.example.org",))


def played(data: bytes, language: str = "en") -> str:
    """What a mail plays and says, or what is asked back; words that do nothing are left out."""
    found = parsed(language, message_reading.read(data).own)
    return said(replace(found, other_text=""))


def text(body: str) -> bytes:
    return (PLAIN + body).encode()


@pytest.mark.parametrize("name", FILES)
def test_a_mail_as_it_was_written(name: str) -> None:
    data = (FOLDER / "as_written" / name).read_bytes()
    expected = CASES["files"].get(name, "push N1; end")
    if expected == "automatic":
        assert automatic(data)
        return
    assert automatic(data) is None
    if name.startswith("16"):
        assert message_reading.read(data).text == expected
    else:
        assert played(data) == expected


@pytest.mark.parametrize("below", CASES["signatures"]["below"])
@pytest.mark.parametrize("parted", ["\n\n", "\n \n"])
def test_a_signature_below_the_moves_stops_nothing_plays_nothing_and_says_nothing(below: str, parted: str) -> None:
    quoted = "\n\nOn Sun, 22 Nov 2026, Ulm wrote:\n> end\n"
    for moves in ("push N1\nend", "schiebe N1\n\nEnde", "inserisci N1, fine turno"):
        assert played(text(moves + parted + below + quoted)) == "push N1; end"


@pytest.mark.parametrize("above", CASES["attributions"]["below"])
def test_only_what_stands_above_a_quotation_is_the_writers(above: str) -> None:
    whole = letter("en").text
    signed = "\n".join(f"> {line}" for line in whole.split("\n"))
    for below in (whole, signed, "> Ann wrote: hello\n> end"):
        for parted in ("\n", "\n\n"):
            assert played(text(f"push N1\nend\n\n{above}{parted}{below}")) == "push N1; end"
            read = message_reading.read(text(f"Well played, see you.\nBye!\n\n{above}{parted}{below}"))
            assert read.text == "Well played, see you.\nBye!"


@pytest.mark.parametrize("own", CASES["guards"]["asked"])
def test_what_may_be_a_move_is_asked_back(own: str) -> None:
    assert isinstance(parsed("en", message_reading.read(text(own)).own), Problems)


@pytest.mark.parametrize("own", CASES["guards"]["speaks"])
def test_what_is_meant_for_the_table_is_said(own: str) -> None:
    assert played(text(own)).startswith("push N1; end; say “")


@pytest.mark.parametrize("own", CASES["guards"]["played"])
def test_a_line_that_is_a_whole_move_is_played_among_the_moves(own: str) -> None:
    assert played(text(own)) == "push N1; end"


@pytest.mark.parametrize(("own", "expected"), CASES["wrapped"].items())
def test_what_programs_wrap_moves_in_or_add_to_them_is_no_move(own: str, expected: str) -> None:
    assert played(text(own)) == expected
    assert played(text(own.replace("\n", "\r\n"))) == expected


@pytest.mark.parametrize("kinds", [("plain", "html"), ("html", "plain")])
@pytest.mark.parametrize(
    ("plain", "html", "expected"),
    [
        ("push N1\nend\n", "<div>push N1</div><div>end</div>", "push N1; end"),
        ("3\n", "<p><b>3</b></p>", "#3"),
        ("money\n\nAnna\n", "<p>money</p><p>Anna</p><p>Sent from my phone</p>", "money"),
        ("push N1\n", "<p>end</p>", "end; push N1"),
    ],
)
def test_the_same_text_in_two_forms_is_played_once(
    plain: str, html: str, expected: str, kinds: tuple[str, ...]
) -> None:
    form = {"plain": plain, "html": html}
    parts = "".join(f"--b\nContent-Type: text/{kind}; charset=utf-8\n\n{form[kind]}\n\n" for kind in kinds)
    found = played(f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n".encode())
    assert sorted(found.split("; ")) == sorted(expected.split("; "))


@pytest.mark.parametrize("fields", CASES["automatic"]["fields"])
def test_notices_of_absence_and_of_failure_are_by_programs(fields: str) -> None:
    head = "\n".join(line for line in HEAD.split("\n") if "From:" not in fields or not line.startswith("From:"))
    assert automatic(f"{head}{fields}\n\nBack on Monday.\n".encode())


@pytest.mark.parametrize("fields", CASES["automatic"]["people"])
def test_answers_that_look_a_little_like_them_are_by_people(fields: str) -> None:
    head = "\n".join(line for line in HEAD.split("\n") if "From:" not in fields or not line.startswith("From:"))
    assert automatic(f"{head}{fields}\n\npush N1\n".encode()) is None
