"""A turn in a real browser, without JavaScript, from the link of a real mail to the end of the turn."""

from __future__ import annotations

import email
import json
import re
import time
import urllib.request
from email import policy
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import EXECUTABLE
from tests.live import LiveServer

ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update",
             "--disable-sync"]  # fmt: skip


def call(
    server: LiveServer, path: str, data: dict[str, Any], token: str = "", method: str = "POST"
) -> dict[str, Any] | None:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(f"{server.url}/api/v1{path}", json.dumps(data).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def mailed_link(spool: Path, kind: str) -> str:
    """The link of a kind in a mail of the spool; it comes within some seconds."""
    for _ in range(240):
        for file in spool.glob("*.eml"):
            message = email.message_from_bytes(file.read_bytes(), policy=policy.default)
            found = re.search(rf"http\S+/{kind}/[^\s/]+", message.get_body(("plain",)).get_content())
            if found:
                return found[0]
        time.sleep(0.25)
    raise AssertionError(f"no mail with a link of the kind {kind} came")


@pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium here")
def test_a_turn_is_played_from_a_mail_in_a_browser_without_javascript(live_server: LiveServer, tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    spool = tmp_path / "data" / "mail"
    token = call(live_server, "/players", {"name": "Red", "email": "red@example.org"})["token"]
    asked: list[str] = []
    problems: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        tab = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740}).new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)

        confirming = mailed_link(spool, "confirm")
        tab.goto(confirming)
        assert tab.locator("main button").count()
        # By the button, which is pressed from outside the account, its token would end.
        call(live_server, "/players/me/confirmation", {"token": confirming.rpartition("/")[2]}, token, "PUT")
        call(live_server, "/games", {"seats": 2, "bots": ["steady"], "name": "By mail"}, token)
        tab.goto(mailed_link(spool, "t"))
        if tab.get_by_role("button", name="Draw").count():  # not every first draw is made unasked
            tab.get_by_role("button", name="Draw").first.click()
        tab.locator('form:has(input[value^="push "]) button, button[value^="push "]').first.click()
        tab.locator('form:has(input[value="end"]) button, button[value="end"]').first.click()
        with tab.expect_navigation():
            tab.locator('#asked button[value="end"]').click()  # no action was made, so it asks first
        games = urllib.request.urlopen(f"{live_server.url}/api/v1/games", timeout=30)
        assert json.load(games)[0]["ply"] > 3  # the bot has answered
        tab.locator("main", has_text=re.compile("It is your turn again|Your turn")).wait_for()
        browser.close()
    assert problems == []
    assert [url for url in asked if not url.startswith(live_server.url)] == []
