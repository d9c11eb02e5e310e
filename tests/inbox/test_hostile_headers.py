"""Headers that are built to cost the library's readers much: how much those are given to read is counted."""

import email.message
from collections.abc import Callable
from typing import Any

import pytest

from server.inbox import auto_mail, bounces, header_fields, message_reading
from server.inbox.limits import FIELD, REPORT, REPORT_LINES
from server.inbox.message_reading import UnreadableMailError

DOMAIN = "ulm.example.org"
SIGNS = b'; x="' + b";" * 7000
MANY = b'; x="' + b";" * 100_000
STATUS = b"Content-Type: message/delivery-status\n\n"


def counted(monkeypatch: pytest.MonkeyPatch, of: Any, name: str) -> list[int]:
    """How long the text was each time that a function of the library was called."""
    lengths: list[int] = []
    whole: Callable[..., Any] = getattr(of, name)

    def measured(text: Any, *more: Any) -> Any:
        lengths.append(len(str(text)))
        return whole(text, *more)

    monkeypatch.setattr(of, name, measured)
    return lengths


def report(part: bytes, kind: bytes = b"report") -> bytes:
    return b"Content-Type: multipart/" + kind + b"; boundary=x\n\n--x\n" + part + b"\n--x--\n"


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Type: multipart/report" + MANY + b"\n\nhi\n",
        b"Content-Type: multipart/report;\n" + b" x=y;\n" * 60_000 + b"\nhi\n",
        report(b"Content-Type: multipart/mixed" + MANY + b"\n\nhi\n"),
        report(b"Content-Type: message/rfc822\n\nContent-Type: text/plain" + MANY + b"\n\nhi\n"),
        report(STATUS + b"Final-Recipient: rfc822" + MANY + b"\nAction: failed\n", b"mixed"),
        report(STATUS + b"X: y\n\n--x\n" + STATUS + b"Original-Recipient: rfc822" + MANY + b"\nAction: failed\n"),
    ],
    ids=["mail", "folded", "part", "returned", "status", "old form"],
)
def test_of_a_report_no_long_parameters_are_read(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library takes time with the square of their length: 80 kB took it seconds."""
    lengths = counted(monkeypatch, email.message, "_parseparam")
    bounces.read(data, DOMAIN)
    assert max(lengths, default=0) <= FIELD
    assert sum(lengths) < 20 * FIELD


@pytest.mark.parametrize("more", [SIGNS, MANY], ids=["long", "too long"])
@pytest.mark.parametrize("kind", [b"text/plain", b"multipart/mixed"])
def test_of_an_answer_no_long_parameters_are_read(kind: bytes, more: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = counted(monkeypatch, email.message, "_parseparam")
    part = b"Content-Type: " + kind + more + b"\n\nhi\n--x\n"
    for data in (part, report(part * 90, b"mixed")):
        try:
            message_reading.read(data)
        except UnreadableMailError:
            assert more is MANY
    assert max(lengths) <= FIELD
    assert len(lengths) <= 100, "once for each part"


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"\r", b"X: y\n\n"])
def test_of_the_lines_of_a_report_the_first_are_read(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library makes a message of each empty line of a status, and looks at all of them again and again."""
    made = [0]
    whole = email.message.Message.__init__

    def count(self: email.message.Message, *more: Any, **named: Any) -> None:
        made[0] += 1
        whole(self, *more, **named)

    monkeypatch.setattr(email.message.Message, "__init__", count)
    bounces.read(report(STATUS + line * (REPORT // len(line))), DOMAIN)
    assert 0 < made[0] <= REPORT_LINES


def test_a_report_is_decoded_by_no_charset_of_its_senders_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are some that take time with the square of a text's length."""
    asked: list[str] = []
    whole = email.message.Message.get_param

    def param(self: email.message.Message, name: str, *more: Any, **named: Any) -> Any:
        asked.append(name)
        return whole(self, name, *more, **named)

    monkeypatch.setattr(email.message.Message, "get_param", param)
    bounces.read(b"Content-Type: text/plain; charset=punycode\n\n" + "\u00e4-".encode() + b"a" * 1000, DOMAIN)
    assert "charset" not in asked


def test_fields_are_cut() -> None:
    headers = header_fields.read(b"Subject: " + b"x" * 9000 + b"\nTo: " + b"y, " * 5000 + b"\n\n")
    assert (len(headers["Subject"]), len(headers["To"])) == (FIELD, 15_000)


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (b"From: " + b"(" * 990, "no sender"),
        (b'From: "' + b"\\" * 990, None),
        (b"Subject: =?utf-8?b?A?=", None),
        (b"Subject: =?utf-8?b?" + b"A" * 5 + b"?=", None),
        (b"Subject: =?undefined?q?A?=", None),
        (b"Subject: " + b"=?utf-8?q?" * 90, None),
        (b"Subject: " + b"[-] " * 250, None),
        (b"Subject: " + b"_[[a]-] " * 100 + b"failure notice", "failure notice"),
    ],
)
def test_no_field_makes_a_mistake_of_ours(field: bytes, why: str | None) -> None:
    """Such a mail would be tried again and again, and so hold up whoever brings it."""
    assert auto_mail.why_automatic(header_fields.read(field + b"\n\n"), "ann@example.net", ("x.example",)) == why
