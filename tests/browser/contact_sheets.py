"""`python -m tests.browser.contact_sheets FOLDER`: the pages on which people meet, each at five widths side by side, as
pictures to be looked at. It plays the games for them on a server of its own; Chromium and Pillow have to be there."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from server.service.seating.example_game import ensure_example
from tests.browser import site as sites
from tests.browser.conftest import ARGUMENTS
from tests.browser.site import Person, Site
from tests.chromium import EXECUTABLE

WIDTHS = {375: 812, 768: 1024, 1024: 768, 1280: 800, 1920: 1080}
SCALE, GAP, TALLEST = 0.5, 24, 2400

Scene = tuple[str, str, Person | None]
"""What the sheet is called, an address, who opens it."""


def scenes(site: Site) -> Iterator[Scene]:
    """People who have played, are invited, wait and play again: what is seen next happens before it is asked for."""
    ensure_example(site.store, datetime.now(UTC))
    ann, ben = site.person("Anna", confirmed=True), site.person("Berta")
    cleo = site.person("Cleopatra-Kunigunde", confirmed=True)
    over = site.game(ann, ben, name="Friday game")
    for people in ((ann, ben), (ann, cleo), (ben, cleo), (cleo, ben)):
        site.advance(site.game(*people, clock={"turn_hours": 24}), *people, until=lambda page: page["round"] >= 3)
    site.advance(over, ann, ben, until=lambda page: page["status"] == "finished")
    room = site.game(ann, name="Sunday game", seats=3, private=True, clock={"turn_hours": 24})
    site.call(f"/games/{room}/invitations", {"player": cleo.id}, ann.token)
    site.call(f"/games/{room}/invitations", {"address": "dora.von.der.donau@example.org"}, ann.token)
    public = site.game(ben, name="Come in", seats=2)
    gone = site.game(cleo, name="Given up", seats=2)
    site.call(f"/games/{gone}/players/me", None, cleo.token, "DELETE")
    yield from [
        ("waiting-host", f"/games/{room}", ann),
        ("waiting-stranger", f"/games/{public}", None),
        ("join", f"/games/{public}/join", None),
        ("join-late", f"/games/{over}/join", None),
        ("given-up", f"/games/{gone}", None),
        ("home-stranger", "/", None),
        ("sign-up", "/sign-up", None),
        ("result", f"/games/{over}", ben),
        ("player", f"/players/{ben.id}", ann),
        ("account", "/account", ann),
        ("home", "/", ann),
        ("home-invited", "/", cleo),
    ]
    again = site.call(f"/games/{over}/rematch", {}, ann.token)["id"]
    yield from [
        ("result-rematch", f"/games/{over}", ben),
        ("home-rematch", "/", ben),
        ("rematch", f"/games/{again}", ann),
    ]


def sheet(browser: Any, site: Site, scene: Scene) -> Image.Image:
    """The page at all widths, as far down as `TALLEST`."""
    _name, path, person = scene
    shots = []
    for width, height in WIDTHS.items():
        context = browser.new_context(
            base_url=site.url, viewport={"width": width, "height": height}, reduced_motion="reduce", locale="en",
            has_touch=width < 800, is_mobile=width < 800,
        )  # fmt: skip
        if width < 720:
            context.add_cookies([{"name": "ulm_board", "value": "phone", "url": site.url}])
        if person is not None:
            site.sign_in(context, person)
        tab = context.new_page()
        tab.goto(path)
        tab.wait_for_load_state()
        tall = min(TALLEST, max(height, tab.evaluate("document.documentElement.scrollHeight")))
        shot = Image.open(
            BytesIO(tab.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": tall}))
        )
        shots.append(shot.convert("RGB").resize((int(width * SCALE), int(tall * SCALE))))
        context.close()
    wide = sum(shot.width + GAP for shot in shots) + GAP
    made = Image.new("RGB", (wide, max(shot.height for shot in shots) + 2 * GAP), "white")
    left = GAP
    for shot, width in zip(shots, WIDTHS, strict=True):
        made.paste(shot, (left, GAP))
        ImageDraw.Draw(made).text((left, 6), str(width), "black")
        left += shot.width + GAP
    return made


def main(folder: Path, wanted: list[str]) -> None:
    """Write the sheets (those `wanted` by name, or all) into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as driver:
        site = sites.start(Path(directory) / "data")
        browser = driver.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        try:
            for scene in scenes(site):
                if not wanted or scene[0] in wanted:
                    sheet(browser, site, scene).save(folder / f"{scene[0]}.png")
                    sys.stdout.write(f"{folder / scene[0]}.png\n")
        finally:
            browser.close()
            site.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
