"""What no person wrote is passed over; what a person wrote is not."""

import json
from pathlib import Path

import pytest

from server.inbox import header_fields
from server.inbox.auto_mail import RECEIVED_MAX, why_automatic

OURS = ("ulm.example.org",)
TABLES = json.loads(Path(__file__).with_name("auto_mail.json").read_text("utf-8"))
"""Fields with the sign that they are known by, and fields of people's mails."""


def judged(text: str, sender: str | None = "ann@example.net") -> str | None:
    fields = text if text.startswith("From:") else f"From: Ann <ann@example.net>\n{text}"
    return why_automatic(header_fields.read(f"{fields}\n\nn1\n".encode()), sender, OURS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *TABLES["programs"],
        ("From: " + "(" * 900 + " <ann@example.net>", "no sender"),
        ("Received: from a by b\n" * (RECEIVED_MAX + 1) + "X: y", "loop"),
    ],
)
def test_signs_of_programs(text, why):
    assert judged(text) == why


@pytest.mark.parametrize("text", [*TABLES["people"], "Received: from a by b\n" * RECEIVED_MAX + "X: y"])
def test_people_are_heard(text):
    assert judged(text) is None


def test_the_null_sender_is_known_by_the_envelope_or_by_the_header():
    assert judged("Subject: x", "") == judged("Subject: x", "<>") == "null sender"
    assert judged("Return-Path: <>", None) == "null sender"
    assert judged("Return-Path: <ann@example.net>", None) is None
    assert judged("Subject: x", None) is None
