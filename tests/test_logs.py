"""Log lines: one line each, requests by their template, nothing secret."""

import io
import json
import logging
import re

import peewee
import pytest
from flask import Flask

from server import logs, routes


@pytest.fixture
def lines() -> io.StringIO:
    """The stream that the log goes to, in the server's own format."""
    stream = io.StringIO()
    logs.configure("INFO", stream)
    return stream


@pytest.fixture
def app(lines) -> Flask:
    app = Flask("test", static_folder=None)
    routes.watch(app)
    app.add_url_rule("/games/<game_id>", view_func=lambda game_id: "ok", endpoint="game", methods=["GET", "POST"])
    return app


def test_a_request_is_one_line_with_its_template(app, lines):
    answer = app.test_client().post(
        "/games/g1?invitation=hunter2", json={"email": "ann@example.org"}, headers={"Authorization": "Bearer hunter2"}
    )
    [line] = lines.getvalue().splitlines()
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO ulm\.access request "
        rf"id={answer.headers['X-Request-Id']} method=POST path=/games/<game_id> status=200 ms=\d+\.\d",
        line,
    )


def test_as_json_how_long_a_request_took_is_a_number(app):
    stream = io.StringIO()
    logs.configure("INFO", stream, "json")
    app.test_client().get("/games/g1")
    [line] = map(json.loads, stream.getvalue().splitlines())
    assert isinstance(line["ms"], float)


def test_as_json_each_record_is_an_object_on_one_line_and_quotes_no_row():
    stream = io.StringIO()
    logs.configure("INFO", stream, "json")
    log = logging.getLogger("ulm.test")
    log.info("two\nlines", extra={"fields": {"what": "Ä", "number": 3}})
    try:
        raise peewee.IntegrityError("UNIQUE failed: ann@example.org")
    except peewee.IntegrityError:
        log.exception("it failed")
    plain, failed = (json.loads(line) for line in stream.getvalue().splitlines())
    assert plain["time"].endswith("Z")
    del plain["time"]
    assert plain == {"level": "INFO", "logger": "ulm.test", "message": "two\nlines", "what": "Ä", "number": 3}
    assert "peewee.IntegrityError at " in failed["error"]
    assert "ann@example.org" not in stream.getvalue()


def test_the_id_that_a_proxy_gives_is_taken_if_it_is_believed_and_plain(app, lines):
    assert (
        app.test_client().get("/games/g1", headers={"X-Request-Id": "chosen-by-me"}).headers["X-Request-Id"]
        != "chosen-by-me"
    )
    behind = Flask("behind", static_folder=None)
    routes.watch(behind, believed=True)
    for given, taken in (
        ("0190a6b2-5c1e-7d3f", True),
        ("a" * 64, True),
        ("short", False),
        ("a" * 65, False),
        ("two words here", False),
        ("evil=1 id=2", False),
        ("", False),
    ):
        answer = behind.test_client().get("/", headers={"X-Request-Id": given})
        assert (answer.headers["X-Request-Id"] == given) == taken, given
        assert (f"id={given} " in lines.getvalue()) == taken, given


def test_an_unknown_address_is_not_repeated(app, lines):
    app.test_client().get("/hunter2")
    assert "hunter2" not in lines.getvalue()
    assert "path=- status=404" in lines.getvalue()


def test_a_message_cannot_begin_a_line_of_its_own(lines):
    logging.getLogger("x").warning("one\n2026 INFO forged\x1b[31m", extra={"fields": {"name": 'a "b"\nc', "none": ""}})
    text = lines.getvalue()
    assert text.count("\n") == 1
    assert "\x1b" not in text
    assert text.rstrip().endswith(r'name="a \"b\"\nc" none=""')


def test_a_traceback_names_its_places_but_no_row(lines):
    try:
        try:
            raise peewee.IntegrityError("Key (email)=(ann@example.org) already exists")
        except peewee.IntegrityError as error:
            raise ValueError("could not store") from error
    except ValueError:
        logging.getLogger("x").exception("failed")
    text = lines.getvalue()
    assert text.count("\n") == 1
    assert "builtins.ValueError: could not store at" in text
    assert "peewee.IntegrityError at" in text
    assert "test_logs.py:" in text
    assert "ann@example.org" not in text
