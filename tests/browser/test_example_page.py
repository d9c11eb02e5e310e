"""`examples/page.html`, from another origin than the server that it plays on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.live import LiveServer

ROOT = Path(__file__).parents[2]
PLAYS = """setInterval(() => {
  const buttons = [...document.querySelectorAll("#moves button")];
  (buttons.find((button) => button.textContent === "end") ?? buttons[0])?.click();
}, 5)"""


class Quiet(SimpleHTTPRequestHandler):
    """The files of this project, without a word."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def origin() -> Iterator[str]:
    """A site that has the page."""
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT)))
    threading.Thread(target=files.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{files.server_port}"
    files.shutdown()
    files.server_close()


def test_a_game_on_a_page_of_another_site(
    chromium: Any, start_server: Callable[..., LiveServer], origin: str, tmp_path: Path
) -> None:
    """Where the server names that site; elsewhere the page says what is missing."""
    server = start_server(ULM_CORS_ORIGINS=origin)
    with chromium.new_context() as context:
        tab = context.new_page()
        tab.goto(f"{origin}/examples/page.html?{server.url}")
        tab.get_by_role("button").first.wait_for()
        assert tab.evaluate("() => document.getElementById('board').decode().then(() => true)")
        tab.evaluate(PLAYS)
        tab.get_by_text("The end:").wait_for(timeout=60_000)
    closed = start_server(tmp_path / "closed")
    with chromium.new_context() as context:
        tab = context.new_page()
        tab.goto(f"{origin}/examples/page.html?{closed.url}")
        tab.get_by_text("ULM_CORS_ORIGINS").wait_for(timeout=90_000)
