"""What a page costs its reader: bytes, and nothing drawn later for a script's sake."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

from server.service.seating.example_game import ensure_example
from tests.browser.test_every_page import pages_of

PAGE, WIRE, BOARD, OTHER, SCRIPTS = 40_000, 57_000, 120_000, 300_000, 60_000
"""Bytes: a game's page as it comes over the wire, and with all that belongs to it (without its prefetches); plain its
board's picture; any other page without its board; the scripts of any page."""


class Weight(NamedTuple):
    """Bytes: all that the browser fetched (plain; as it came over the wire), of the page alone over the wire, of the
    scripts (plain), and of the picture of the board in the page (plain).
    """

    total: int
    wire: int
    page: int
    scripts: int
    board: int


def weigh(tab, path):
    """Open the page with nothing in the cache."""
    sizes: dict[str, int] = {}
    wire: dict[str, int] = {}
    kinds: dict[str, str] = {}

    def came(answer):
        kind = answer.request.resource_type
        if kind in ("eventsource", "fetch") or answer.request.headers.get("sec-purpose") == "prefetch":
            return  # what comes later, and is no part of the page
        sizes[answer.url], kinds[answer.url] = len(answer.body()), kind
        wire[answer.url] = answer.request.sizes()["responseBodySize"]

    tab.on("response", came)
    tab.goto(path)
    tab.wait_for_load_state()
    tab.remove_listener("response", came)
    pictures = tab.locator("#play .picture")
    board = len(pictures.inner_html().encode()) if pictures.count() else 0
    scripts = sum(size for url, size in sizes.items() if kinds[url] == "script")
    page = sum(size for url, size in wire.items() if kinds[url] == "document")
    return Weight(sum(sizes.values()), sum(wire.values()), page, scripts, board)


def uncached(tab):
    """The tab, fetching everything each time: a browser that routes keeps nothing."""
    tab.route("**/nothing-of-that-name", lambda route: route.abort())
    return tab


@pytest.fixture(scope="module")
def people(site):
    ensure_example(site.store, datetime.now(UTC))
    return [site.person(name) for name in ("Annabella", "Benedikt", "Cleopatra", "Desiderius")]


LAYOUTS = {"phone": 360, "desk": 1280}
"""The layouts of the page, and how wide a window is that has it."""


@pytest.mark.slow
def test_the_page_of_a_game_is_light_at_every_stage(site, open_page, people):
    """Four players: at the first push, late with a draft, many moves and a long log, at the end."""
    game = site.game(*people, options={"tower": True}, name="Heavy")
    tabs = {(layout, number): uncached(open_page(person=person, width=width))
            for layout, width in LAYOUTS.items() for number, person in enumerate([*people, None])}  # fmt: skip
    for (layout, _), tab in tabs.items():
        # Else the first answer would be followed by another.
        tab.context.add_cookies([{"name": "ulm_board", "value": layout, "url": site.url}])
        tab.on("dialog", lambda dialog: dialog.accept())
    seen: dict[str, Weight] = {}
    for wanted in (1, 10, 99):
        site.advance(
            game,
            *people,
            until=lambda page, wanted=wanted: (
                page["round"] >= wanted and page["seat"] == page["to_move"] and page["phase"] == "push"
            ),
        )
        shown = [site.page(game, person) for person in people]
        over = shown[0]["status"] == "finished"
        mover = next((number for number, page in enumerate(shown) if page["seat"] == page["to_move"]), None)
        waiting = 0 if mover is None else (mover - 1) % len(people)
        for layout in LAYOUTS:
            name = f"{layout}, round {wanted}"
            for number in range(len(people)) if over else ():  # everybody has other cards on the table
                seen[f"{name}, result of seat {number}"] = weigh(tabs[layout, number], f"/games/{game}")
            seen[f"{name}, waiting"] = weigh(tabs[layout, waiting], f"/games/{game}")
            seen[f"{name}, stranger"] = weigh(tabs[layout, len(people)], f"/games/{game}")
            if mover is not None:
                seen[f"{name}, to move"] = weigh(tabs[layout, mover], f"/games/{game}")
                push = next(move for move in site.legal(game, people[mover]) if move.startswith("push"))
                draft = f"/games/{game}?ply={shown[mover]['ply']}&draft={push}"
                seen[f"{name}, {push}"] = weigh(tabs[layout, mover], draft)
    assert len(seen) == 2 * (2 * 4 + 6)
    for name, weight in seen.items():
        assert 20_000 < weight.board < BOARD, (name, weight)
        assert 10_000 < weight.page < PAGE, (name, weight)
        assert weight.page < weight.wire < WIRE, (name, weight)
        assert weight.scripts < SCRIPTS, (name, weight)


@pytest.fixture(scope="module")
def pages(site, people):
    return pages_of(site)


@pytest.mark.slow
def test_every_other_page_is_light(open_page, pages):
    tabs: dict[str | None, Any] = {}
    seen: dict[str, Weight] = {}
    for page in {page.endpoint: page for page in pages}.values():
        name = page.person and page.person.id
        if name not in tabs:
            tabs[name] = uncached(open_page(person=page.person, width=360, allow="status of 4(04|10)"))
            tabs[name].on("dialog", lambda dialog: dialog.accept())
        seen[page.path[:40]] = weigh(tabs[name], page.path)
    assert {name: weight for name, weight in seen.items() if weight.total - weight.board >= OTHER} == {}
    assert {name: weight for name, weight in seen.items() if weight.scripts >= SCRIPTS} == {}


def test_nothing_waits_for_a_script(open_page, pages):
    """Every script is held back for ever, and the page is painted all the same."""
    tabs: dict[str | None, Any] = {}
    held: list[str] = []
    for page in {page.endpoint: page for page in pages if page.status == 200}.values():
        name = page.person and page.person.id
        if name not in tabs:
            tabs[name] = open_page(person=page.person, width=360)
            tabs[name].on("dialog", lambda dialog: dialog.accept())
            tabs[name].route("**/*.js*", lambda route: held.append(route.request.url))
        tab = tabs[name]
        tab.goto(page.path, wait_until="commit")
        tab.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
        assert tab.evaluate(
            "[...document.scripts].every(one => one.defer"
            " || ['module', 'importmap', 'application/json'].includes(one.type))"
        ), page.path
    assert len(held) > 10
    for tab in tabs.values():
        tab.unroute_all(behavior="ignoreErrors")
