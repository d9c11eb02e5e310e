"""What a phone far from a mast waits for: first paint, and when all is there, with 1.5 s of latency and 30 KB/s.

Chromium slows itself down (the debugger's `Network.emulateNetworkConditions`) before `ulm serve` on this machine. Each
page is opened *new*, with nothing in the cache, and *again*, by the same browser. Bytes are those on the wire, headers
included. By itself: `python -m benchmarks.slow_phone`; needs playwright and a Chromium (extra `test`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from benchmarks.timing import table
from tests.browser import site as sites
from tests.browser.conftest import ARGUMENTS
from tests.chromium import EXECUTABLE

LATENCY, DOWN, UP = 1500, 30 * 1024, 15 * 1024
"""Milliseconds to each answer, and bytes a second."""
WAIT = 60_000
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
_TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const files = performance.getEntriesByType("resource").filter((one) => one.transferSize);
  const blocking = files.filter((one) => one.renderBlockingStatus === "blocking");
  return [paint.startTime, page.domInteractive, page.loadEventEnd, page.transferSize,
    page.transferSize + files.reduce((sum, one) => sum + one.transferSize, 0), files.length, blocking.length];
}"""


class Visit(NamedTuple):
    """Milliseconds to paint, to the end of the page itself, and to that of all its files; bytes of the page and of
    all; how many files came from the server, and of these how many were waited for before anything was painted."""

    paint: float
    parsed: float
    loaded: float
    page: int
    all: int
    files: int
    blocking: int


def visit(tab: Any, path: str) -> Visit:
    """Open a page over the slow network."""
    tab.goto(path, wait_until="load", timeout=WAIT)
    tab.wait_for_function(_PAINTED, timeout=WAIT)
    return Visit(*tab.evaluate(_TIMES))


def visits() -> Iterator[tuple[str, Visit]]:
    """Every page of interest, new and again."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        site = sites.start(Path(folder) / "data")
        try:
            ann = site.person("Ann")
            game = site.game(ann, bots=("steady", "steady"), options={"tower": True})
            site.advance(game, ann, until=lambda page: page["round"] == 5 and page["to_move"] == 0)
            pages = {
                "first page": ("/", None),
                "guided game": ("/learn", None),
                "guided game, first lesson": ("/learn/1", None),
                "rules": ("/rules", None),
                "game, to move": (f"/games/{game}", ann),
                "game, a link of a mail": (site.turn_path(game, ann), None),
            }
            for name, (path, person) in pages.items():
                context = browser.new_context(
                    base_url=site.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True,
                    device_scale_factor=2, user_agent="Mozilla/5.0 (Linux; Android 14) Mobile",
                )  # fmt: skip
                if person is not None:
                    site.sign_in(context, person)
                tab = context.new_page()
                _slow(context)(tab)
                yield f"{name}, new", visit(tab, path)
                tab.wait_for_timeout(4000)  # what is fetched ahead
                tab.goto("about:blank")
                yield f"{name}, again", visit(tab, path)
                context.close()
        finally:
            site.close()
            browser.close()


def _slow(context: Any) -> Callable[[Any], None]:
    def slow(tab: Any) -> None:
        door = context.new_cdp_session(tab)
        door.send("Network.enable")
        door.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP},
        )

    return slow


def run() -> None:
    """Print the table."""
    rows = [
        (
            name,
            f"{one.paint / 1000:.1f} s",
            f"{one.parsed / 1000:.1f} s",
            f"{one.loaded / 1000:.1f} s",
            f"{one.page / 1000:.1f} kB",
            f"{one.all / 1000:.1f} kB",
            f"{one.files} ({one.blocking})",
        )
        for name, one in visits()
    ]
    head = ("", "first paint", "page read", "all there", "page", "all", "files (waited for)")
    table("A phone with 1.5 s of latency and 30 KB/s", [head, *rows])


if __name__ == "__main__":
    run()
