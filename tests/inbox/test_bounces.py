"""Reports of mail servers, shaped as each of them writes them: whose fault it was, and which mail it was."""

import base64
import json
from pathlib import Path

import pytest

from server.inbox import bounces, header_fields
from server.inbox.limits import REPORT

DOMAIN = "ulm.example.org"
TOKEN = "abcdefghijklmnopqrstuvwx23"
REPORTS = Path(__file__).parent / "reports"

EXPECTED = json.loads((REPORTS / "expected.json").read_text("utf-8"))
"""Of each report its kind, status and words; of a status and words whose fault it is."""
LETTERS = json.loads((REPORTS / "letters.json").read_text("utf-8"))
"""Letters of non-delivery of servers that write no status part, with `SAID` for what the other server said."""


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", sorted(path.stem for path in REPORTS.glob("*.eml")))
def test_reports_of_real_servers(name, line_end):
    """Each is understood, finds its mail, and shows nobody's address to whom its words are shown."""
    data = (REPORTS / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    report = bounces.read(data, DOMAIN)
    kind, status, why = EXPECTED["reports"][name]
    assert (report.kind, report.status, report.token) == (kind, status, TOKEN)
    assert report.why.startswith(why)
    assert "@" not in report.why
    assert "http" not in report.why
    assert bounces.is_report(header_fields.read(data)) == (name not in ("exim_old_form", "qmail_user_unknown"))


@pytest.mark.parametrize(("status", "words", "kind"), EXPECTED["statuses"])
def test_whose_fault_it_is(status, words, kind):
    assert bounces.fault(status, words) == kind


SAID = [
    tuple(line.split(" ", 2))
    for line in (REPORTS / "said.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def test_addresses_are_stopped_by_what_is_said_of_them():
    """Of those that are dead nine of ten at least; of good ones none, whatever code they are given."""
    stopped = {}
    for meant, status, words in SAID:
        fields = f"Final-Recipient: rfc822; ann@example.net\nAction: failed\nStatus: {status}\n"
        report = bounces.read(status_report(f"{fields}Diagnostic-Code: smtp; {words}\n".encode()), DOMAIN)
        stopped.setdefault(meant, {})[f"{status} {words}"] = report.kind in ("recipient", "full")
    good = stopped["us"] | stopped["now"]
    assert [words for words, stop in good.items() if stop] == []
    dead = stopped["nobody"]
    assert sum(dead.values()) >= 0.9 * len(dead), [words for words, stop in dead.items() if not stop]


@pytest.mark.parametrize("form", LETTERS)
def test_addresses_are_stopped_by_letters_as_well(form):
    """Of servers that write no status part, each filled with what is said of addresses dead and good."""
    wrong = []
    for meant, status, words in SAID:
        if meant == "full" or status.startswith("4.") or (form == "qmail" and not words[:3].isdigit()):
            continue
        said = words if words[:3].isdigit() else f"{status} {words}"
        kind = bounces.read(LETTERS[form].replace("SAID", said).encode(), DOMAIN).kind
        if (kind in ("recipient", "full")) != (meant == "nobody"):
            wrong.append((meant, said, kind))
    assert [one for one in wrong if one[0] != "nobody"] == []
    assert len(wrong) <= 0.1 * len(SAID) / 2, wrong


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        *((kind, "complaint") for kind in ("abuse", "fraud", "opt-out", "Abuse")),
        *((kind, "unknown") for kind in ("auth-failure", "not-spam", "virus", "dmarc", "other")),
    ],
)
def test_not_all_feedback_is_a_complaint(kind, said):
    text = (
        "Content-Type: multipart/report; report-type=feedback-report; boundary=x\n\n--x\n"
        f"Content-Type: message/feedback-report\n\nFeedback-Type: {kind}\nVersion: 1\n\n--x--\n"
    )
    assert bounces.read(text.encode(), DOMAIN).kind == said


def status_report(fields):
    return (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n"
        b"Content-Type: message/delivery-status\n\n" + fields + b"\n--x--\n"
    )


def test_what_is_no_report_is_not_understood():
    """Nor does a mail that speaks of failures stop anybody's mail."""
    for text in (
        b"From: ann@example.net\n\nI cannot deliver my message to you: 550 5.1.1 user unknown\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n\n--x--\n",
        status_report(b"Final-Recipient: rfc822; a@example.net\nStatus: nonsense\nAction: maybe\n"),
        b"\n",
        b"",
    ):
        assert bounces.read(text, DOMAIN).kind == "unknown"


def test_tokens_in_the_header_of_a_report_are_not_of_the_mail_that_it_is_about():
    """Who it came to is the caller's to say, by the envelope."""
    text = f"To: bounce+{TOKEN}@{DOMAIN}\nContent-Type: multipart/report; boundary=x\n\n--x\n\n--x--\n"
    assert bounces.read(text.encode(), DOMAIN).token == ""
    text = f"To: x@{DOMAIN}\n\nbounce+{TOKEN}@elsewhere.example bounce+{TOKEN[:-1]}@{DOMAIN} play+{TOKEN}@{DOMAIN}\n"
    assert bounces.read(text.encode(), DOMAIN).token == ""


def nested(depth):
    text = b"From: a@example.net\nContent-Type: multipart/report; boundary=b0\n\n"
    for number in range(depth):
        text += b'--b%d\nContent-Type: multipart/mixed; boundary="b%d"\n\n' % (number, number + 1)
    return text


def test_hostile_reports_end_soon():
    """Nesting, size, boundaries and fields without end: they are read to an end, and nothing is raised."""
    for data in (
        nested(190),
        nested(5000),
        b"Content-Type: multipart/report; boundary=x\n\n" + b"--x\nContent-Type: message/rfc822\n\n" * 3000,
        b"Content-Type: message/rfc822\n\n" * 3000,
        status_report(b"Final-Recipient: a\nAction: failed\nStatus: 5.1.1\n\n" * 100_000),
        b"Content-Type: multipart/report; boundary=x\n\n" + b"\x00\xff" * (REPORT * 2),
        b"Return-Path: <>\n\n" + b"<a@" * REPORT,
        b"Return-Path: <>\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(b"\n" * 280_000),
        b"Return-Path: <>\n\nHi. This is the qmail-send program\n" + b"<a@b>:\n" * 60_000,
    ):
        assert bounces.read(data, DOMAIN).token == ""


def test_words_of_strangers_are_cut():
    assert bounces.plain("smtp; 550\tno\x00\x1b[2J <ann@example.net> https://evil.example/ " + "x" * 500).startswith(
        "550 no [2J … … xxx"
    )
    assert len(bounces.plain("word " * 500)) == bounces.WHY_MAX
