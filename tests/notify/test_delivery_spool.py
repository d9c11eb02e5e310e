"""`/spool`: there only while it should be, for a browser on the same machine, and the mail cannot do anything."""

import dataclasses
import re
from collections.abc import Callable
from email.message import EmailMessage

import pytest
from flask.testing import FlaskClient

from server.app import create_app
from server.notify import spool, spool_page
from server.notify.mime_message import finish
from server.notify.transport import transport_for
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.database import Store

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PNG = b"\x89PNG\r\n\x1a\n not much of a picture"


@pytest.fixture
def browse(settings: Settings, store: Store) -> Callable[..., FlaskClient]:
    """A function that gives a client of the application with some settings changed."""

    def start(**changes: object) -> FlaskClient:
        client = create_app(dataclasses.replace(settings, **changes), store).test_client()
        client.get(spool_page.address(settings))
        return client

    return start


def send(settings: Settings, subject: str = "Your <b>turn</b>", body: str = "<p>hi</p>") -> str:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ulm@example.org", "ann@example.org", subject
    message.set_content("Text <script>alert(1)</script>\n")
    message.add_alternative(
        f"<html><head><title>x</title></head><body>{body}<img src='cid:board@ulm'>"
        '<img src="cid:other"><script>alert(1)</script></body></html>',
        subtype="html",
    )
    message.get_payload()[1].add_related(PNG, "image", "png", cid="<board@ulm>")
    envelope = finish(
        settings, QueuedMail(1, f"k:{subject}", "turn", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"), message
    )
    transport_for(settings).send(envelope)
    return envelope.message_id[1:33]


def test_a_newcomer_reads_the_mails(settings, browse) -> None:
    client = browse()
    assert "There are none yet" in client.get("/spool").text
    name = send(settings)
    listed = client.get("/spool")
    assert f'href="/spool/{name}"' in listed.text
    assert "Your &lt;b&gt;turn&lt;/b&gt;" in listed.text
    page = client.get(f"/spool/{name}")
    assert page.status_code == 200
    assert "Text &lt;script&gt;" in page.text
    assert f'<iframe src="/spool/{name}/html"' in page.text
    assert client.get(f"/spool/{name}.eml").data.startswith(b"From: ulm@example.org")


def test_links_stay_below_the_path_that_the_server_lies_under(settings, browse) -> None:
    client, name = browse(), send(settings)
    client.get(spool_page.address(settings), base_url="http://localhost/ulm")
    pages = [client.get(path, base_url="http://localhost/ulm").text for path in ("/spool", f"/spool/{name}")]
    found = [re.findall(r'(?:href|src)="([^"]*)"', page) for page in pages]
    assert found == [[f"/ulm/spool/{name}"], ["/ulm/spool", f"/ulm/spool/{name}.eml", f"/ulm/spool/{name}/html"]]


def test_pages_allow_no_script_and_nothing_from_elsewhere(settings, browse) -> None:
    client, name = browse(), send(settings)
    for path in ("/spool", f"/spool/{name}"):
        policy = client.get(path).headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'nonce-")
        assert "script-src" not in policy
        assert "unsafe" not in policy
    answer = client.get(f"/spool/{name}/html")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'; img-src data:;" in policy
    assert "script-src" not in policy
    assert "; sandbox allow-popups allow-popups-to-escape-sandbox" in policy
    assert "allow-scripts" not in policy + client.get(f"/spool/{name}").text
    assert "allow-same-origin" not in policy + client.get(f"/spool/{name}").text
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_pictures_of_the_mail_are_in_it(settings, browse) -> None:
    html = browse().get(f"/spool/{send(settings)}/html").text
    assert "src='data:image/png;base64,iVBORw0KGgo" in html
    assert 'src="data:,"' in html  # a picture that the mail does not have
    assert "cid:" not in html
    assert '<head><base target="_blank">' in html


@pytest.mark.parametrize("name", ["..", "x", "0" * 31, "A" * 32, "..%2Fulm.sqlite3", "0" * 32])
def test_other_names_are_not_found(browse, name) -> None:
    client = browse()
    for path in (f"/spool/{name}", f"/spool/{name}/html", f"/spool/{name}.eml"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "changes", [{"smtp_url": "smtp://localhost"}, {"base_url": "https://ulm.example.org"}, {"proxy_hops": 1}]
)
def test_a_public_server_has_no_such_page(settings, browse, changes) -> None:
    name = send(settings)
    client = browse(**changes)
    assert client.get("/spool").status_code == 404
    assert client.get(f"/spool/{name}").status_code == 404


def test_only_a_browser_on_this_machine_sees_it(settings, browse) -> None:
    client, name = browse(base_url="http://localhost:8000"), send(settings)
    path = f"/spool/{name}"
    assert client.get(path).status_code == 200
    assert client.get(path, environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 404
    assert client.get(path, headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 404
    # A site elsewhere that lets its own name point to 127.0.0.1
    assert client.get(path, headers={"Host": "evil.example.org:8000"}).status_code == 404
    for base in ("http://[::1]:8000", "http://127.0.0.1:8000"):
        client.get(spool_page.address(settings), base_url=base)
        assert client.get(path, base_url=base).status_code == 200


def test_a_proxy_that_says_nothing_of_itself_opens_nothing(settings, browse) -> None:
    """nginx with `proxy_pass` alone: for the server its visitors look like a browser on this machine."""
    client, name = browse(), send(settings)
    stranger, address = client.application.test_client(), spool_page.address(settings)
    for path in ("/spool", f"/spool/{name}", f"/spool/{name}/html", f"/spool/{name}.eml"):
        for asked in (path, f"{path}?key=", f"{path}?key=x", f"{path}?key=ü"):
            assert stranger.get(asked, base_url="http://127.0.0.1").status_code == 403
        assert client.get(path).status_code == 200
    assert "printed when it was started" in stranger.get("/spool").text
    opened = stranger.get(address)
    assert (opened.status_code, opened.headers["Location"]) == (302, "/spool")
    assert "; HttpOnly; Path=/spool; SameSite=Lax" in opened.headers["Set-Cookie"]
    assert stranger.get("/spool").status_code == 200
    [kept] = (path for path in spool.directory(settings).glob(".key*"))
    assert kept.stat().st_mode & 0o77 == 0
