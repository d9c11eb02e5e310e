"""Every page that the server has: on a phone, a tablet and a desk, in each look and each language.

A page of a new address has to be entered in `pages_of`, or in `NO_PAGES` with a reason.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from server.notify import spool_page
from server.service.accounts import channels, links
from server.service.accounts.players import player_by_id
from server.service.archive import game_collections, puzzles
from server.service.contests import day
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.settings import Settings
from tests.browser.conftest import HEIGHTS
from tests.browser.scripts import script
from tests.browser.site import Person
from tests.service.contests import field

NO_PAGES = {
    "account-pages.me": "leads to /account",
    "app-pages.icon": "a picture",
    "app-pages.manifest": "what the site is as an app",
    "app-pages.worker": "a script",
    "collection-pages.export": "a file to keep: tests/browser/replay/test_collections.py opens it",
    "feed-pages.calendar": "for calendar programs",
    "feed-pages.finished": "for feed readers",
    "feed-pages.turns": "for feed readers",
    "live-pages.own_pulse": "a few words for the script of an open page",
    "live-pages.pulse": "the same, of one game",
    "live-pages.stream": "events for the script of an open page",
    "live-pages.stream_by_link": "the same, by the link of a mail",
    "lobby-pages.picture": "a picture",
    "operations.getHealthz": "for the operator's programs",
    "operations.getReadyz": "for the operator's programs",
    "own-data-pages.export": "a file to keep",
    "pages.static": "styles, scripts, pictures",
    "replay-pages.export_gif": "a file to keep",
    "replay-pages.export_html": "a file to keep: tests/routes/api/test_exports.py opens it",
    "replay-pages.frames": "boards for the viewer's script",
    "replay-pages.preview": "a picture",
    "replay-pages.record": "a file to keep",
    "replay-pages.states": "positions for the script of the check",
    "rules-pages.printed": "the chapters once more, for paper",
    "rules-pages.rule": "leads to where the rule is told",
    "game-pages.since_boards": "boards for the script of a game's page",
    "spool.html": "a mail as it was written",
    "spool.source": "a mail as it was written",
    "game-pages.move": "leads to the turn with that move drafted",
}
FOR_FINGERS = ("lobby-", "new-game-", "account-", "own-data-", "mail-")
TOO_SMALL = script("every_page.too_small")
P256DH, AUTH = "B" + "A" * 86, "A" * 22
"""What a browser says of itself, as far as a page looks at it."""
PUZZLE = "97e40a8fcc43"
"""One of those that come with the release."""
LOOKS = [("light", "en", 360), ("dark", "de", 1280), ("colour-blind", "it", 820)]
"""Theme, language, and the width at which axe looks; every look is seen at all widths, and by axe each third page in
turn, so that axe sees each page once. English, whose words are the shortest, is seen where axe looks."""


class Page(NamedTuple):
    """One page: the endpoint, its address, who opens it (None: a stranger), and the status."""

    endpoint: str
    path: str
    person: Person | None = None
    status: int = 200


@pytest.fixture(scope="module")
def pages(site):
    """All pages, at the stages of games at which they show most."""
    ensure_example(site.store, datetime.now(UTC))
    return pages_of(site)


def pages_of(site):
    """See `pages`. The example game is there."""
    puzzles.ensure_puzzles(site.store, datetime.now(UTC))
    yesterday = datetime.now(UTC) - timedelta(days=1)
    day_before, compared = yesterday.date().isoformat(), field.fill(site.store, 3, yesterday)
    day.look_after(site.store, datetime.now(UTC))
    ann = site.person("Annabella-Kunigunde von Hohenzollern", confirmed=True)
    ben = site.person("Ben", "ben@example.org", confirmed=True)
    long_name = "The rather long game of the two fishermen's daughters"
    running = site.game(ann, ben, name=long_name, options={"tower": True}, bots=("steady",), clock={"turn_hours": 48})
    site.advance(
        running,
        ann,
        ben,
        until=lambda page: page["round"] >= 4 and page["seat"] == page["to_move"] and page["phase"] == "push",
    )
    mover, waits = (ann, ben) if site.page(running, ann)["seat"] == site.page(running)["to_move"] else (ben, ann)
    site.call(f"/games/{running}/messages", {"text": "A word: " + "Donaudampfschifffahrtsgesellschaft" * 4}, ann.token)
    site.call(f"/games/{running}/pause", {}, waits.token)
    link = site.turn_path(running, mover)
    draft = next(move for move in site.legal(running, mover) if move.startswith("push"))
    over = site.game(ann, ben, name="A short game")
    old_link = site.turn_path(over, ann if site.page(over)["to_move"] == site.page(over, ann)["seat"] else ben)
    site.advance(over, ann, ben, until=lambda page: page["status"] == "finished")
    secret = site.game(ann, ben, name="In private", private=True)
    first = site.page(secret, ann)
    closed_link = site.turn_path(secret, ann if first["to_move"] == first["seat"] else ben)
    site.advance(secret, ann, ben, until=lambda page: page["round"] >= 3)
    waiting = site.game(ann, seats=3, private=True, clock={"turn_hours": 48})
    site.call(f"/games/{waiting}/invitations", {"address": "cleo@example.org"}, ann.token)
    site.person("Dora", "dora@example.org")
    site.call("/players/me/bots", {"handle": "kunigunde", "name": "The one that counts each coin twice"}, ann.token)
    now = datetime.now(UTC)
    own = player_by_id(site.store, ann.id)
    course = game_collections.add(site.store, own, "", over, 7, now)
    text = {"title": "A first course for those who come from elsewhere", "text": "One thing.\n\nAnother thing."}
    game_collections.change(site.store, own, course, {**game_collections.read(site.store, course, own)[0], **text}, now)
    channels.renew_feeds(site.store, own, now)
    channels.add_push(site.store, own, "https://push.example.org/1", P256DH, AUTH, "Firefox, Linux", now)
    for shape in ("json", "discord"):
        channels.add_webhook(site.store, own, shape, f"https://{'donaudampfschifffahrt' * 2}.example.org/x", "", now)
    wish = {"name": "Cup of the Donaudampfschifffahrtsgesellschaft", "kind": "round-robin", "seats": 3, "boards": 2}
    cup = site.call("/tournaments", wish, ann.token)["id"]
    for person, bot in ((ann, None), (ben, None), (ann, "random"), (ann, "apprentice")):
        site.call(f"/tournaments/{cup}/entries", {"bot": bot}, person.token)
    site.call(f"/tournaments/{cup}/start", {}, ann.token, method="POST")
    return [
        Page("lobby-pages.index", "/"),
        Page("lobby-pages.index", "/", ann),
        Page("lobby-pages.index", "/?list=over", ann),
        Page("learn-pages.start", "/learn"),
        Page("learn-pages.lesson", "/learn/1?moves=draw"),
        Page("learn-pages.lesson", "/learn/5?moves=draw,push+E3,river,river,seal+leaning_house,coat+W2,end"),
        Page("new-game-pages.form", "/new"),
        Page("new-game-pages.form", "/new", ann),
        Page("people-pages.people", "/players?name=annabella", ben),
        Page("people-pages.player", f"/players/{ann.id}", ben),
        Page("people-pages.player", "/players/master"),
        Page("standings-pages.ranking", "/ratings?seats=3"),
        Page("standings-pages.plots", "/statistics?seats=3&variant=advanced"),
        Page("lobby-pages.join", f"/games/{site.game(ben, seats=2, name='Come in')}/join"),
        Page("rules-pages.rules", "/rules"),
        Page("rules-pages.chapter", "/rules/turn?step=5"),
        Page("rules-pages.search", "/rules/search?q=river"),
        Page("rules-pages.house_values", "/rules/house-values"),
        Page("collection-pages.listing", "/collections", ann),
        Page("collection-pages.one", f"/collections/{course}"),
        Page("collection-pages.one", f"/collections/{course}?change", ann),
        Page("account-pages.sign_in", "/sign-in"),
        Page("account-pages.sign_up", "/sign-up"),
        Page("channel-pages.listing", "/account/channels?said=tried", ann),
        Page(
            "account-pages.offer",
            "/sign-in/" + links.sign_in_token(site.store, now=now, player_id=ben.id, address=str(ben.address)),
        ),
        Page("account-pages.confirm", _path(site.mailed_link("confirm", "dora@example.org"))),
        Page("account-pages.account", "/account", ann),
        Page("own-data-pages.listing", "/account/tokens", ann),
        Page("own-bots-pages.listing", "/account/bots", ann),
        Page("own-data-pages.farewell", "/account/delete", ann),
        Page("own-data-pages.gone", "/account/gone"),
        Page("pause-pages.ask", "/pause/" + links.pause_token(site.store, now=now, player_id=ben.id, game_id=running)),
        Page("mail-pages.unsubscribe", "/unsubscribe/" + links.make(site.store, "unsubscribe", now=now, player=ben.id)),
        Page("pause-pages.ask", "/pause/" + links.make(site.store, "pause", now=now, player=mover.id, game=running)),
        Page("invitation-pages.invitation", _path(site.mailed_link("invitation", "cleo@example.org"))),
        Page("game-pages.game", f"/games/{running}", mover),
        Page("game-pages.game", f"/games/{running}?ply={site.page(running, mover)['ply']}&draft={draft}", mover),
        Page("game-pages.game", f"/games/{running}", waits),
        Page("game-pages.game", f"/games/{running}"),
        Page("game-pages.game", f"/games/{over}", ann),
        Page("game-pages.game", f"/games/{waiting}", ann),
        Page("game-pages.game", "/games/nosuchgame", None, 404),
        Page("game-pages.resign", f"/games/{running}/resign", mover),
        Page("game-pages.at", f"/games/{running}/at/9", waits),
        Page("message-pages.of_game", f"/games/{running}/messages", waits),
        Page("game-pages.turn", link),
        Page("game-pages.turn", old_link),
        Page("game-pages.turn", closed_link, None, 410),
        Page("game-pages.turn", "/t/nonsense", None, 404),
        Page("game-pages.resign", f"{link}/resign"),
        Page("game-pages.at", f"{link}/at/9"),
        Page("message-pages.of_turn", f"{link}/messages"),
        Page("replay-pages.listing", "/replays"),
        Page("replay-pages.watch", f"/replays/{EXAMPLE_ID}?ply=100"),
        Page("replay-pages.watch", f"/replays/{EXAMPLE_ID}?ply=100&tab=analysis"),
        Page("replay-pages.watch", f"/replays/{over}", ann),
        Page("replay-pages.watch", f"/replays/{over}?tab=analysis", ann),
        Page("replay-pages.embed", f"/embed/{EXAMPLE_ID}"),
        Page("deal-pages.today", "/deal", ann),
        Page("deal-pages.deal", f"/deal/{day_before}", None),
        Page("deal-pages.compare", f"/deal/{day_before}/{compared}"),
        Page("deal-pages.months", f"/deal/months/{day_before[:7]}"),
        Page("tournament-pages.listing", "/tournaments", ben),
        Page("tournament-pages.tournament", f"/tournaments/{cup}", ann),
        Page("puzzle-pages.listing", "/puzzles"),
        Page("puzzle-pages.puzzle", f"/puzzles/{PUZZLE}"),
        Page("puzzle-pages.puzzle", f"/puzzles/{PUZZLE}?draft=push+E1&ask=river"),
        Page("puzzle-pages.answer", f"/puzzles/{PUZZLE}/answer?draft=push+E1&move=end"),
        Page("spool.index", spool_page.address(Settings(data_dir=site.spool.parent))),
        Page("spool.mail", "/spool/" + next(site.spool.glob("*.eml")).stem),
    ]


def _path(url):
    return "/" + url.split("/", 3)[3]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_page_is_forgotten(app, pages):
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and not rule.rule.startswith("/api/")]
    endpoints = {rule.endpoint for rule in rules}
    visited = {page.endpoint for page in pages}
    assert endpoints - NO_PAGES.keys() == visited
    assert NO_PAGES.keys() <= endpoints, "an exception for what is not there"


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "language", "axe_width"), LOOKS)
def test_every_page_in_every_look(site, open_page, axe, pages, theme, language, axe_width):
    """No complaint on the console, nothing that the policy had to stop, no request to elsewhere, no barrier that axe
    knows, nothing wider than its window; and on the pages with forms nothing too small for a finger."""
    tabs: dict[str | None, Any] = {}
    faults: list[str] = []
    for number, page in enumerate(pages, LOOKS.index((theme, language, axe_width))):
        by_axe = axe_width if number % len(LOOKS) == 0 else None
        if language == "en" and by_axe is None and page.endpoint != "spool.index":  # which lets in to the page after it
            continue
        name = page.person and page.person.id
        if name not in tabs:
            # What is wrong is collected below, page by page.
            if page.person:
                preferences = {"preferences": {"language": language}}
                site.call("/players/me", preferences, page.person.token, method="PATCH")
            tabs[name] = open_page(person=page.person, width=360, theme=theme, language=language, allow=".")
        faults += [f"{page.path}: {fault}" for fault in _look(tabs[name], page, axe, by_axe)]
    assert faults == [], "\n".join(faults)


def _look(tab, page, axe, axe_width):
    """What is wrong with a page; axe looks at one width, or at none."""
    faults: list[str] = []
    tab.watch.problems.clear()
    tab.set_viewport_size({"width": 360, "height": HEIGHTS[360]})
    answer = tab.goto(page.path)
    if answer.status != page.status:
        faults.append(f"answers {answer.status}")
    for width, height in HEIGHTS.items():
        tab.set_viewport_size({"width": width, "height": height})
        if tab.locator("#play .picture").count():
            tab.wait_for_selector(f"#play[data-layout={'desk' if width >= 720 else 'phone'}]")
        wide = tab.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        if wide[0] > wide[1]:
            faults.append(f"at {width}: {wide[0]} wide")
        if width == 360 and page.endpoint.startswith(FOR_FINGERS):
            faults += [f"too small for a finger: {one}" for one in tab.evaluate(TOO_SMALL)]
        if width == axe_width:
            try:
                axe(tab)
            except AssertionError as found:
                faults.append(f"at {width}: {found}")
    expected = [f"status of {page.status} "] if page.status != 200 else []
    # Of a busy server the viewer asks again for boards that it does not get at once.
    allowed = re.compile("|".join([*expected, r"status of 503 .*/frames\?"]))
    return faults + [text for text in tab.watch.problems if not allowed.search(text)]
