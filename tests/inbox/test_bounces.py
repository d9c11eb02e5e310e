"""Reports of mail servers, shaped as each of them writes them: whose fault it was, and which mail it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.inbox import bounces, header_fields
from server.inbox.limits import REPORT

DOMAIN = "ulm.example.org"
TOKEN = "abcdefghijklmnopqrstuvwx23"
REPORTS = Path(__file__).parent / "reports"

EXPECTED = {
    "complaint_arf": ("complaint", "", "abuse"),
    "complaint_by_return_path": ("complaint", "", "abuse"),
    "exchange_access_denied": ("recipient", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied."),
    "exchange_full": ("full", "5.2.2", "554 5.2.2 mailbox full;"),
    "exchange_not_found": ("recipient", "5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient … not found"),
    "exim_old_form": ("recipient", "5.1.1", "550 5.1.1 unknown user"),
    "exim_user_unknown": ("recipient", "5.0.0", "Unrouteable address"),
    "gmail_no_such_user": ("recipient", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist."),
    "gmail_unauthenticated": ("refused", "5.7.26", "550-5.7.26 Your email has been blocked"),
    "postfix_delayed": ("delayed", "4.4.1", "connect to mail.example.net"),
    "postfix_given_up_after_days": ("failed", "4.4.1", "connect to mail.example.net"),
    "postfix_policy": ("refused", "5.7.1", "554 5.7.1 Service unavailable; Client host"),
    "postfix_relayed": ("delivered", "2.0.0", ""),
    "postfix_user_unknown": ("recipient", "5.1.1", "550 5.1.1 … Recipient address rejected: User unknown"),
    "qmail_user_unknown": ("recipient", "5.1.1", "Remote host said: 550 5.1.1 … User unknown"),
    "sendmail_user_unknown": ("recipient", "5.1.1", "550 5.1.1 … User unknown"),
}


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", sorted(path.stem for path in REPORTS.glob("*.eml")))
def test_reports_of_real_servers(name, line_end):
    """Each is understood, finds its mail, and shows nobody's address to whom its words are shown."""
    data = (REPORTS / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    report = bounces.read(data, DOMAIN)
    kind, status, why = EXPECTED[name]
    assert (report.kind, report.status, report.token) == (kind, status, TOKEN)
    assert report.why.startswith(why)
    assert "@" not in report.why
    assert "http" not in report.why
    assert bounces.is_report(header_fields.read(data)) == (name not in ("exim_old_form", "qmail_user_unknown"))


@pytest.mark.parametrize(
    ("status", "words", "kind"),
    [
        ("5.1.1", "", "recipient"),
        ("5.1.2", "Host unknown", "recipient"),
        ("5.1.8", "bad sender's system address", "refused"),
        ("5.2.1", "mailbox disabled", "recipient"),
        ("5.2.3", "message too large", "failed"),
        ("5.3.4", "message too big for system", "failed"),
        ("5.4.1", "no answer from host", "failed"),
        ("5.4.4", "unable to route", "recipient"),
        ("5.4.6", "mail loops back", "failed"),
        ("5.6.0", "content", "failed"),
        ("5.7.1", "message content rejected as spam", "refused"),
        ("5.7.1", "550 5.7.1 no such user here", "recipient"),
        ("5.7.13", "user account disabled", "recipient"),
        ("5.7.25", "no reverse DNS", "refused"),
        ("5.7.133", "RESOLVER.RST.SenderNotAuthenticatedForGroup", "recipient"),
        ("5.0.0", "550 user unknown", "recipient"),
        ("5.0.0", "554 rejected", "failed"),
        ("5.5.0", "mailbox unavailable", "recipient"),
    ],
)
def test_whose_fault_it_is(status, words, kind):
    assert bounces.fault(status, words) == kind


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
        b"Return-Path: <>\n\nHi. This is the qmail-send program\n" + b"<a@b>:\n" * 60_000,
    ):
        assert bounces.read(data, DOMAIN).token == ""


def test_words_of_strangers_are_cut():
    assert bounces.plain("smtp; 550\tno\x00\x1b[2J <ann@example.net> https://evil.example/ " + "x" * 500).startswith(
        "550 no [2J … … xxx"
    )
    assert len(bounces.plain("word " * 500)) == bounces.WHY_MAX
