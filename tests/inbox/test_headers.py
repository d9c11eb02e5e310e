"""What is read of a header before anything else: for whom a mail is, which one it is, and what was proved of it."""

import json
from pathlib import Path

import pytest

from server.inbox import addresses, header_fields
from server.inbox.addresses import Address
from server.inbox.limits import HEADER, RECIPIENTS

DOMAIN = "ulm.example.org"
TOKEN = "abcdefghijklmnopqrstuvwx23"
TABLES = json.loads(Path(__file__).with_name("headers.json").read_text("utf-8"))
"""Of each table the texts, and what is read of them; of the last one also the server that is believed."""


@pytest.mark.parametrize(("text", "expected"), TABLES["addresses"])
def test_addresses_of_ours(text, expected):
    assert addresses.parse(text, DOMAIN) == (None if expected is None else Address(*expected))
    assert addresses.parse(text, "") is None


def test_a_domain_beyond_ascii_is_the_same_either_way():
    assert addresses.parse(f"play+{TOKEN}@xn--mhle-0ra.example", "mühle.example") == Address("play", TOKEN)


def test_each_recipient_counts_once_and_not_too_many():
    many = [f"play+{TOKEN[:-2]}{one}{two}@{DOMAIN}" for one in "abcdef" for two in "abc"]
    assert len(addresses.of_envelope([*many, *many], DOMAIN)) == RECIPIENTS
    assert addresses.of_envelope([many[0], many[0].upper(), "ann@example.org"], DOMAIN) == [
        Address("play", f"{TOKEN[:-2]}aa")
    ]


@pytest.mark.parametrize(("text", "expected"), TABLES["recipients"])
def test_recipients_in_a_mailbox_are_those_that_its_server_noted_first(text, expected):
    assert addresses.of_headers(header_fields.read(f"{text}\n\nn1\n".encode()), DOMAIN) == [
        Address(*one) for one in expected
    ]


@pytest.mark.parametrize(("given", "kept"), TABLES["message_ids"])
def test_a_message_id_stands_in_answers_as_it_is_or_not_at_all(given, kept):
    data = f"From: a@example.net\nMessage-ID: {given}\n\nn1\n".encode()
    found = header_fields.message_id(header_fields.read(data), data)
    assert (found == given) == kept
    assert found == header_fields.message_id(header_fields.read(data), data)
    if not kept:
        assert found.endswith("@message-id.invalid>")
        assert found != header_fields.message_id(header_fields.read(data), data + b"x")


def test_a_header_ends_somewhere():
    with pytest.raises(header_fields.HeaderError):
        header_fields.read(b"X: y\n" * HEADER)
    for nothing in (b"", b"\n\nX: y\n", b"no header here\n\n"):
        with pytest.raises(header_fields.HeaderError):
            header_fields.read(nothing)
    assert header_fields.read(b"From x Sun Nov 22\r\nA: b\r\n c\r\n\r\nD: e\r\n").keys() == ["A"]
    assert header_fields.value(header_fields.read(b"A: b\xff\r\n\tc"), "A").startswith("b")


@pytest.mark.parametrize(("fields", "server", "expected"), TABLES["authentication"])
def test_what_the_server_in_front_found_out(fields, server, expected):
    headers = header_fields.read(f"Authentication-Results: {fields}\n\n".encode())
    assert header_fields.authentication(headers, server) == expected
