"""Mails that are built to cost much, and the odd ways in which texts are packed."""

import tracemalloc

import pytest

from server.inbox import html_lines, message_reading, quotations
from server.inbox.limits import SIZE
from server.inbox.message_reading import UnreadableMailError

PLAIN = b"Content-Type: text/plain\r\n\r\n"
HTML = b"Content-Type: text/html\r\n\r\n"


def nested(depth: int) -> bytes:
    opened = b"".join(b'Content-Type: multipart/mixed; boundary="n%d"\r\n\r\n--n%d\r\n' % (n, n) for n in range(depth))
    return opened + PLAIN + b"push n1\r\n"


HEAVY = {
    "nested": nested(11) + b"x" * 9_000_000,
    "letters of base64": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"x" * 9_000_000,
    "signs of quoted-printable": b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=41" * 3_000_000,
    "line ends": PLAIN + b"\r\n" * 4_500_000,
    "beginnings of attributions": PLAIN + b"On 1 <a@b\r\n" * 900_000,
    "an attribution without end": PLAIN + b"On 1 a " * 1_300_000,
    "comments": HTML + b"<!--" * 2_000_000,
    "attributes": HTML + b'<a b="' * 1_500_000,
    "scripts": HTML + b"<script></script>" * 500_000,
    "boundaries": b'Content-Type: multipart/mixed; boundary="m"\r\n\r\n' + b"--m " * 2_000_000,
}


@pytest.mark.parametrize("what", HEAVY)
def test_nothing_costs_much_memory(what: str) -> None:
    """Not as much as the mail itself. How long it takes `test_fuzzed_mails.py` tells."""
    tracemalloc.start()
    try:
        message_reading.read(HEAVY[what])
    except UnreadableMailError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 30_000_000, peak


@pytest.mark.parametrize(
    "data",
    [
        b"x" * (SIZE + 1),
        nested(13),
        nested(3000),
        b'Content-Type: multipart/mixed; boundary="m"\r\n\r\n' + b"--m\r\n\r\nx\r\n" * 200,
        b"A: b\r\n" * 100_000 + b"\r\n",
    ],
    ids=["large", "deep", "very deep", "many parts", "long header"],
)
def test_what_no_person_sends_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableMailError):
        message_reading.read(data)


def test_text_is_the_message_without_what_programs_add() -> None:
    data = PLAIN + b"Well played!\r\n\r\nSee you,\r\nAnn\r\n\r\nSent from my iPhone\r\n\r\n> push n1\r\n"
    assert message_reading.read(data).text == "Well played!\n\nSee you,\nAnn"


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Münze".encode(), "utf-8", "Münze"),
        ("Münze".encode("latin-1"), "iso-8859-1", "Münze"),
        ("Münze".encode("latin-1"), "utf-8", "Münze"),
        ("Münze".encode(), "x-none", "Münze"),
        ("Münze".encode(), "us-ascii", "Münze"),
        (b"+AHA-", "utf-7", "+AHA-"),
        (b"chfu a1", "rot13", "chfu a1"),
        (b"a\0b", "utf-8", "a\ufffdb"),
        (b"\xef\xbb\xbfend", "utf-8", "end"),
        (b"end", "A" * 100_000, "end"),
        (b"end", "\0", "end"),
    ],
)
def test_charsets(data: bytes, charset: str, text: str) -> None:
    assert message_reading.decoded(data, charset) == text


def test_flowed_lines() -> None:
    lines = ["push ", "n1", "> one ", "> two", ">> three ", "> four", " >stuffed", "-- ", "Ann ", "Miller"]
    assert list(message_reading.unflowed(lines, delsp=False)) == [
        "push n1", "> one two", ">> three ", "> four", ">stuffed", "-- ", "Ann Miller",
    ]  # fmt: skip
    assert list(message_reading.unflowed(["to ", "wn"], delsp=True)) == ["town"]


def test_html_as_its_reader_sees_it() -> None:
    html = (
        "<head><title>t</title></head><p>one <b>two</b>&nbsp;three<br>four</p><div hidden>x</div><pre>a\n  b</pre>"
        "<blockquote>quoted<div>deep</div></blockquote>after<del>gone</del><table><tr><td>1</td><td>2</td></tr></table>"
    )
    found = [line for line in html_lines.lines(html) if line.strip("> ")]
    assert found == ["one two\u00a0three", "four", "a", "  b", "> quoted", "> deep", "after~gone~", "1 2"]


@pytest.mark.parametrize("number", ["9" * 5000, "x" + "f" * 5000, "99999999", "x110000", "0"])
def test_a_reference_to_no_letter_is_no_letter(number: str) -> None:
    assert html_lines.lines(f"push N1 &#{number}; end") == ["push N1 \ufffd end"]


@pytest.mark.parametrize("word", ["from", "am 1 schrieb schrieb", "---original", "<p a"])
def test_lines_full_of_blanks_are_no_quotation(word: str) -> None:
    """A pattern that looks from every blank on is dear here."""
    assert quotations.own_lines([word + " " * 9000 + "x"] * 60) == [word + " " * 9000 + "x"] * 60
