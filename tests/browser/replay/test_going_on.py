"""What leads on from a ply: links and code to share, a game of one's own, a frame of another site."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from server.service.seating.example_game import EXAMPLE_ID
from tests.browser.replay.conftest import GAME, at, ready


def test_links_and_code_to_share_name_the_ply(open_page):
    page = ready(open_page(f"{GAME}?ply=5&seat=2"))
    page.keyboard.press("ArrowRight")
    at(page, 6)
    assert page.locator("#link").input_value().endswith(f"{GAME}?ply=6&seat=2")
    assert f'/embed/{EXAMPLE_ID}?ply=6&amp;seat=2"' in page.locator("#code").input_value()


@pytest.fixture
def other_site(site):
    """Somebody else's page with the viewer in a frame."""
    frame = f'<iframe src="{site.url}/embed/{EXAMPLE_ID}?ply=9" width="800" height="700" title="A game"></iframe>'
    page = f'<!doctype html><link rel="icon" href="data:,"><title>Host</title>{frame}'

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_it_plays_in_a_frame_of_another_site(open_page, site, other_site):
    page = open_page(base=other_site)
    page.watch.base = "http://127.0.0.1"  # the host and the framed site
    page.watch.foreign = lambda: [url for url in page.watch.requests
                                  if not url.startswith((other_site, site.url, "data:"))]  # fmt: skip
    page.goto("/")
    frame = page.frame_locator("iframe")
    frame.locator("#viewer[data-ready]").wait_for(state="attached")
    frame.locator('[data-step="on"]').click()
    frame.locator('.layout svg[data-ply="10"]:visible').wait_for()
