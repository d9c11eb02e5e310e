"""`python -m tests.browser.contact_sheets FOLDER [PHASE …]`: every phase of a turn, to be looked at.

For each phase and language one picture, `PHASE-LANGUAGE.png`: a column for each width of a window, a row for each
theme, each as the reader sees it without scrolling. Look at them after every change of the page of a game. Needs
Chromium and the extra `pictures`; takes some minutes.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

from server.language import LANGUAGES
from server.service.common.preferences import THEMES
from server.storage.database import open_database
from tests.browser.site import Person, Site
from tests.chromium import EXECUTABLE
from tests.live import LiveServer

WINDOWS = ((1920, 1080), (1280, 800), (1024, 768), (820, 1180), (390, 844))
HIGH = 420
"""So many points high is a row of a sheet."""
GAP = 8


class Phase(NamedTuple):
    """What a page shows: the game is played until `until` is true of what the mover sees; `query` follows its address.

    `waits`: the one who is not to move looks. `draws`: draws are the players’ own; else the server makes them.
    """

    name: str
    until: Callable[[dict[str, Any]], bool]
    query: str = ""
    waits: bool = False
    draws: bool = False


def _in(phase: str, least: int = 4) -> Callable[[dict[str, Any]], bool]:
    return lambda page: page["round"] >= least and page["phase"] == phase and not page["view"]["pending"]


def _acting(page: dict[str, Any]) -> bool:
    return _in("actions")(page) and sum(page["view"]["turn"]["activated"].values()) > 1


def _with_cards(page: dict[str, Any]) -> bool:
    return _in("actions")(page) and page["view"]["players"][page["seat"]]["hand_size"] > 1


def _asked(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda page: bool(page["view"]["pending"]) and page["view"]["pending"][-1]["kind"] == kind


def _end(page: dict[str, Any]) -> bool:
    return bool(page["status"] == "finished")


PHASES = (
    Phase("draw", _in("draw"), draws=True),
    Phase("keep", _in("keep", 1)),
    Phase("push", _in("push")),
    Phase("act", _acting),
    Phase("act-with-cards", _with_cards),
    Phase("end-question", _acting,
          query="?ask=end"),
    Phase("choice-coat", _asked("coat")),
    Phase("choice-tillage", _asked("tillage")),
    Phase("choice-barge", _asked("barge")),
    Phase("choice-cards", _asked("choose")),
    Phase("waiting", _in("push", 3), waits=True),
    Phase("over", _end),
)  # fmt: skip


def main() -> None:
    """Make the sheets that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.contact_sheets", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("phases", nargs="*", help=f"some of {', '.join(phase.name for phase in PHASES)}")
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES), help=f"some of {', '.join(LANGUAGES)}")
    parser.add_argument("--themes", nargs="*", default=THEMES[1:], help=f"some of {', '.join(THEMES[1:])}")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = LiveServer(Path(folder, "data"), {"ULM_MAIL_WORKERS": "0", "ULM_MAIL_PICTURES": "off"}, forked=False)
        site = Site(server, open_database(f"sqlite:///{server.data_dir}/ulm.sqlite3", 2))
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])
        try:
            for phase in PHASES:
                if not asked.phases or phase.name in asked.phases:
                    _make(site, browser, phase, asked.folder, asked.languages, asked.themes)
        finally:
            browser.close()
            site.close()


def _make(site: Site, browser: Any, phase: Phase, folder: Path, languages: list[str], themes: Sequence[str]) -> None:
    """The sheets of one phase."""
    reader, path = _played(site, phase)
    for language in languages:
        rows = []
        for theme in themes:
            preferences = {"preferences": {"language": language, "theme": theme}}
            site.call("/players/me", preferences, reader.token, method="PATCH")
            rows.append(_row(site, browser, reader, path + phase.query, language))
        file = folder / f"{phase.name}-{language}.png"
        _sheet(rows).save(file)
        print(file, flush=True)


def _played(site: Site, phase: Phase) -> tuple[Person, str]:
    """Who looks, and at which game, when it has come to that phase."""
    ann, ben, cleo = (site.person(name) for name in ("Annabella", "Benedikt", "Cleo"))
    if phase.draws:
        for person in (ann, ben, cleo):
            site.call("/players/me", {"preferences": {"auto_draw": False}}, person.token, method="PATCH")
    for seed in range(1, 60):  # one game in twenty has the Tower tile by which one keeps a tile of two
        game = site.game(ann, ben, cleo, bots=("steady",), name="The bridge", options={"tower": True},
                         clock={"turn_hours": 48})  # fmt: skip
        site.advance(game, ann, ben, cleo, until=phase.until, seed=seed)
        people = {site.page(game, person)["seat"]: person for person in (ann, ben, cleo)}
        page = site.page(game)
        if page["status"] != "running":
            if phase.until is _end:
                return ann, f"/games/{game}"
            continue
        mover = page["to_move"]
        if phase.until(site.page(game, people[mover])):
            reader = people[mover] if not phase.waits else next(one for seat, one in people.items() if seat != mover)
            return reader, f"/games/{game}"
    raise LookupError(f"no game came to {phase.name}")


def _row(site: Site, browser: Any, reader: Person, path: str, language: str) -> list[Image.Image]:
    """The page at every width."""
    pictures = []
    for width, height in WINDOWS:
        phone = width < 720
        context = browser.new_context(
            base_url=site.url, viewport={"width": width, "height": height}, locale=language, is_mobile=phone,
            has_touch=phone,
        )  # fmt: skip
        site.sign_in(context, reader)
        tab = context.new_page()
        tab.goto(path)
        tab.wait_for_load_state("networkidle")
        tab.keyboard.press("Escape")  # what plays by itself, such as the others' moves
        tab.wait_for_timeout(300)
        pictures.append(Image.open(io.BytesIO(tab.screenshot())).convert("RGB"))
        context.close()
    return pictures


def _sheet(rows: list[list[Image.Image]]) -> Image.Image:
    scaled = [[one.resize((round(one.width * HIGH / one.height), HIGH), Image.Resampling.LANCZOS) for one in row]
              for row in rows]  # fmt: skip
    wide = max(sum(one.width + GAP for one in row) for row in scaled)
    sheet = Image.new("RGB", (wide, len(scaled) * (HIGH + GAP)), "#808080")
    for number, row in enumerate(scaled):
        left = 0
        for one in row:
            sheet.paste(one, (left, number * (HIGH + GAP)))
            left += one.width + GAP
    return sheet


if __name__ == "__main__":
    main()
