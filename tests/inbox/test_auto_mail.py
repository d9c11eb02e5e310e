"""What no person wrote is passed over; what a person wrote is not."""

from __future__ import annotations

import pytest

from server.inbox import header_fields
from server.inbox.auto_mail import RECEIVED_MAX, why_automatic

OURS = ("ulm.example.org",)
FIRST = "0123456789abcdef0123456789abcdef"


def judged(text: str, sender: str | None = "ann@example.net") -> str | None:
    fields = text if text.startswith("From:") else f"From: Ann <ann@example.net>\n{text}"
    return why_automatic(header_fields.read(f"{fields}\n\nn1\n".encode()), sender, OURS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Auto-Submitted: auto-replied", "Auto-Submitted"),
        ("auto-submitted: Auto-Generated (failure)", "Auto-Submitted"),
        ("Auto-Submitted: no-idea", "Auto-Submitted"),
        ("Precedence: bulk", "Precedence"),
        ("Precedence: JUNK", "Precedence"),
        ("Precedence: auto_reply", "Precedence"),
        ("Precedence: list", "Precedence"),
        ("X-Autoreply: yes", "answering machine"),
        ("X-Autorespond: Out of office", "answering machine"),
        ("X-Loop: ann@example.net", "answering machine"),
        ("X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress"),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", "X-Auto-Response-Suppress"),
        ("List-Id: <list.example.net>", "mailing list"),
        ("Return-Path: <>", None),  # the envelope's sender is known, and is another
        ("From: MAILER-DAEMON@example.net", "mailer daemon"),
        ("From: <>", "mailer daemon"),
        ("From: " + "(" * 900 + " <ann@example.net>", "no sender"),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=x", "report"),
        (f"Message-ID: <{FIRST}@ulm.example.org>", "loop"),
        (f"Message-ID: <{FIRST}@ULM.example.org>", "loop"),
        ("Received: from a by b\n" * (RECEIVED_MAX + 1) + "X: y", "loop"),
        ("Subject: Automatic reply: Your turn", "out of office"),
        ("Subject: =?utf-8?q?Abwesenheitsnotiz=3A_Du_bist_dran?=", "out of office"),
        ("Subject: Re: Tocca a te (fuori sede)\nIn-Reply-To: <a@b>\nX-Vacation: yes", "out of office"),
        ("From: noreply@example.net\nIn-Reply-To: <a@b>\nSubject: Out of office", "out of office"),
    ],
)
def test_signs_of_programs(text, why):
    assert judged(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "Subject: Re: Your turn",
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "X-Auto-Response-Suppress: None",
        "X-Loop: no",
        "X-Autoreply: no",
        "Subject: I am on vacation, so I play now\nIn-Reply-To: <a@b>",
        f"Message-ID: <{FIRST}@example.net>",
        "Message-ID: <ann.1@ulm.example.org>",
        "From: Mailer Daemonson <mailerdaemonson@example.net>",
        "Subject: =?utf-8?b?!!!?=",
        "Subject: =?no-such-charset?q?Abwesend?=\nReferences: <a@b>",
        "Received: from a by b\n" * RECEIVED_MAX + "X: y",
    ],
)
def test_people_are_heard(text):
    assert judged(text) is None


def test_the_null_sender_is_known_by_the_envelope_or_by_the_header():
    assert judged("Subject: x", "") == judged("Subject: x", "<>") == "null sender"
    assert judged("Return-Path: <>", None) == "null sender"
    assert judged("Return-Path: <ann@example.net>", None) is None
    assert judged("Subject: x", None) is None
