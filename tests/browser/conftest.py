"""A real browser on a real server. Whatever a page does that it must not do fails the test that opened it.

    def test_something(site, open_page, axe):
        ann = site.person("Ann")
        game = site.game(ann, bots=("steady",))
        tab = open_page(f"/games/{game}", person=ann, width=360, theme="dark")
        tab.get_by_role("button", name="…").click()
        axe(tab)

What a page is to wait for has to be a function, `tab.wait_for_function("() => …")`: an expression would be evaluated,
which the policy of the pages forbids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser import site as sites  # noqa: E402 - it imports playwright
from tests.browser.scripts import script  # noqa: E402
from tests.browser.site import Person, Site  # noqa: E402
from tests.chromium import EXECUTABLE  # noqa: E402

ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--renderer-process-limit=1"]  # fmt: skip
"""The last: no process is begun in advance for a page that may come, which took a quarter of opening one."""
HEIGHTS = {360: 740, 820: 1180, 1280: 800}
SECONDS = 30
"""How long a test waits for an element or a page; the machine may be busy."""


_running = ExitStack()
"""What ends with the last test of this folder. No longer: the browser's driver has an event loop, and tests of other
folders must be free to run one of their own."""
_browsers: list[Any] = []


@pytest.fixture
def chromium() -> Any:
    """The browser, without a window; one for all tests of this folder."""
    if EXECUTABLE is None:
        pytest.skip("no Chromium here")
    if not _browsers:
        driver = _running.enter_context(playwright.sync_playwright())
        _browsers.append(driver.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS))
        _running.callback(lambda: _browsers.pop().close())
    return _browsers[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """After the last test of this folder, as far as this worker knows."""
    result = yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _running.close()
    return result


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A running server, shared by the tests of a module: make people and games of your own in each test."""
    started = sites.start(tmp_path_factory.mktemp("site") / "data")
    yield started
    started.close()


class Watch:
    """What a browser asked for and complained of. `allowed`: what complaints may say (a regular expression)."""

    def __init__(self, base: str, allowed: str | None, javascript: bool = True) -> None:
        self.base, self.allowed, self.javascript = base, allowed, javascript
        self.requests: list[str] = []
        self.problems: list[str] = []

    def follow(self, context: Any) -> None:
        """Watch every page of a context."""
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("requestfailed", self._failed)
        context.on("console", self._said)
        context.on("weberror", lambda error: self.problems.append(f"error in a script: {error.error}"))

    def _said(self, message: Any) -> None:
        # What the policy forbids is told on the console, too.
        if message.type == "error" or "Content Security Policy" in message.text:
            where = message.location or {}
            self.problems.append(f"console: {message.text} ({where.get('url', '')})")

    def _failed(self, request: Any) -> None:
        if request.failure == "csp" and not self.javascript and ".js?" in request.url:
            self.requests.remove(request.url)  # a browser without script fetches none, whatever the page would preload
            return
        # A stream or a picture that was under way when the page was left is no fault.
        if request.failure != "net::ERR_ABORTED":
            self.problems.append(f"failed: {request.url} {request.failure}")

    def foreign(self) -> list[str]:
        """Requests that went elsewhere."""
        ours = (self.base + "/", "data:", "blob:", "about:")
        return [url for url in self.requests if url != self.base and not url.startswith(ours)]

    def check(self) -> None:
        """Fail for what was not allowed."""
        bad = [text for text in self.problems if not (self.allowed and re.search(self.allowed, text))]
        assert bad == [], "\n".join(bad)
        assert self.foreign() == []


@pytest.fixture
def open_page(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """A function that opens a page in a fresh browser (no cookies) and returns playwright's `Page`:

        open_page(path=None, person=None, width=1280, theme="light", javascript=True, touch=False, language="en",
                  allow=None, base=None, **options)

    `person` is signed in; `theme` is one of `preferences.THEMES`; `allow` a regular expression for complaints that the
    test causes on purpose (a 404, a stopped server); `options` go to the browser's context. `page.watch.requests` has
    every address that was asked for. At the end of the test: no complaint on the console, no error in a script, no
    failed request, nothing that the policy had to stop, no request to elsewhere. Nothing moves, but with
    `reduced_motion="no-preference"`.
    """
    opened: list[tuple[Any, Watch]] = []

    def make(path: str | None = None, person: Person | None = None, width: int = 1280, theme: str = "light",
             javascript: bool = True, touch: bool = False, language: str = "en", allow: str | None = None,
             base: str | None = None, **options: Any) -> Any:  # fmt: skip
        chosen = base or site.url
        options.setdefault("reduced_motion", "reduce")  # what others did is not played: it would lie above the board
        context = chromium.new_context(
            base_url=chosen, viewport={"width": width, "height": HEIGHTS.get(width, 800)}, locale=language,
            color_scheme="dark" if theme.endswith("dark") else "light", java_script_enabled=javascript,
            has_touch=touch, is_mobile=touch, **options,
        )  # fmt: skip
        context.set_default_timeout(SECONDS * 1000)
        watch = Watch(chosen, allow, javascript)
        watch.follow(context)
        if theme.startswith("colour-blind"):
            context.add_cookies([{"name": "ulm_theme", "value": theme, "url": chosen}])
        if person is not None:
            site.sign_in(context, person)
        page = context.new_page()
        page.watch = watch
        opened.append((context, watch))
        if path is not None:
            page.goto(path)
        return page

    yield make
    for context, _ in opened:
        context.close()
    for _, watch in opened:
        watch.check()


_RUN_AXE = script("conftest.run_axe")


@pytest.fixture(scope="session")
def axe_script() -> str:
    """The source of axe."""
    package = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.fixture
def axe(axe_script: str) -> Callable[[Any], None]:
    """A function that asserts that a page, as it is now, has no serious or critical violation of accessibility.

    It is put into the page by the debugger's door, which no policy of the page closes.
    """

    def check(page: Any) -> None:
        # Text that fades in would be measured at half its contrast.
        page.evaluate(
            "() => Promise.all(document.getAnimations().filter(one => one.effect.getComputedTiming()"
            ".endTime < 5000).map(one => one.finished.catch(() => null))).then(() => null)"
        )
        door = page.context.new_cdp_session(page)
        door.send("Runtime.evaluate", {"expression": axe_script, "returnByValue": False})
        answer = door.send("Runtime.evaluate", {"expression": _RUN_AXE, "awaitPromise": True, "returnByValue": True})
        door.detach()
        assert "value" in answer["result"], answer
        found = json.loads(answer["result"]["value"])
        assert found == [], "\n".join(f"{page.url}: {json.dumps(one, indent=1)}" for one in found)

    return check
