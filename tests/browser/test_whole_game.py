"""From the mail to the proof: two people play the second half of a game in two browsers, watch it, and check that it
was fair."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect  # noqa: A004

from server.storage import sql

WANTED = ("seal", "money", "river")
"""What a player who is not in a hurry does besides pushing, best first."""
STATE = "() => { const d = document.querySelector('#play')?.dataset; return d ? `${d.ply} ${d.draft}` : '' }"
CHANGED = "old => { const d = document.querySelector('#play')?.dataset; return d && `${d.ply} ${d.draft}` !== old }"
HAS_HEARD = "ply => document.querySelector('#play')?.dataset.ply === ply"
HEARD = 90_000
"""How long a page may take to hear by itself, in ms: one that got no stream asks, at most a minute apart."""
DRAFTED = "draft => document.querySelector('#play')?.dataset.draft === draft"


@dataclass
class Hand:
    """Somebody at a screen. `touch`: taps, on the board where the board has it; else clicks, in the list."""

    tab: Any
    touch: bool
    stands: Callable[[], int]
    """The ply that this player may know of at the server."""
    moves: list[str] = field(default_factory=list)
    drafts: list[int] = field(default_factory=list)
    """How many moves each draft had that was sent."""
    turns: list[int] = field(default_factory=list)
    """How many taps or clicks each turn took in which nothing was undone."""
    pressed: int = 0

    def touched(self, part):
        """Tap or click."""
        self.pressed += 1
        part.tap() if self.touch else part.click()

    def press(self, part, done=CHANGED, arg=None):
        """Tap or click, and wait until the page has changed, or shows what is to be `done`."""
        before = self.tab.evaluate(STATE)
        self.touched(part)
        try:
            self.tab.wait_for_function(done, arg=before if arg is None else arg, timeout=30_000)
        except TimeoutError:
            said = self.tab.locator("#headline, #main [role=alert]").all_text_contents()
            now = self.tab.evaluate(STATE)
            raise AssertionError(f"pressed at {before}: {part}, for {arg}; now {now}, {said}") from None

    def draft(self, part, move):
        """Press `part`, which adds `move` to the draft."""
        before = self.tab.locator("#play").get_attribute("data-draft")
        self.press(part, DRAFTED, f"{before},{move}" if before else move)

    def settle(self):
        """Wait until the page has heard all that there is to hear: of the other's last moves, of one's own draw."""
        self.tab.wait_for_function(HAS_HEARD, arg=str(self.stands()), timeout=HEARD)

    def offered(self, *verbs):
        """The first move that the page offers with the first of these verbs that it offers at all."""
        moves = self.tab.locator("#moves .move").evaluate_all("all => all.map(one => one.value)")
        return next((move for verb in verbs for move in moves if move.split()[0] == verb), None)

    def choose(self, move):
        """Draft that move, or play it where that ends the turn or reveals something."""
        part = self.tab.locator(f'#moves button[value="{move}"]')
        final = "final" in part.get_attribute("class").split()
        drafted = self.tab.locator(".done li.drafted").count()
        on_board = self.tab.locator(f'.picture a.hit[data-move="{move}"]')
        # Where a part stands for several moves, it asks which.
        plays = self.touch and not final and on_board.count() == 1 and "ask=" not in on_board.get_attribute("href")
        pressed = on_board if plays else part
        if final:
            self.press(pressed)
        else:
            self.draft(pressed, move)
        self.moves.append(move)
        if final:
            self.drafts.append(drafted + 1)

    def turn(self, habit=None):
        """A whole turn: push at a gate, answer what is asked, use what is worth it, end."""
        self.tab.wait_for_selector("#play.live")
        self.settle()
        self.pressed, plain = 0, habit is None
        while self.offered(*WANTED) or not self.tab.locator("#move-end:not([aria-disabled])").count():
            if habit and self.offered("push"):
                habit(self)
                habit = None
            else:
                any_move = self.tab.locator("#moves .move").first.get_attribute("value")
                self.choose(self.offered("push", *WANTED) or any_move)
        self.end()
        if plain:
            self.turns.append(self.pressed)

    def end(self):
        """End the turn, and answer yes where the page asks because something is lost by it."""
        drafted, button = self.tab.locator(".done li.drafted").count(), self.tab.locator("#move-end")
        if "final" in button.get_attribute("class").split():
            self.press(button)
        else:
            self.touched(button)
            self.press(self.tab.locator("#move-end-now"))
        self.moves.append("end")
        self.drafts.append(drafted + 1)


def undoes_a_draft(hand):
    """Draft a push, take it back, draft another."""
    first = hand.tab.locator("#moves .group-push button")
    hand.draft(first.first, first.first.get_attribute("value"))
    hand.press(hand.tab.get_by_role("link", name=re.compile("^Undo: ")).last)
    hand.choose(first.last.get_attribute("value"))


def takes_back_what_was_sent(hand):
    """Send a push, take it back from the server, play another."""
    first = hand.tab.locator("#moves .group-push button")
    hand.draft(first.last, first.last.get_attribute("value"))
    if hand.tab.locator("#sending-now:not([open])").count():  # it stays open once it was opened
        folded = hand.tab.locator("#sending-now summary")
        folded.tap() if hand.touch else folded.click()
    # More than one where the draft began with the tile that is kept.
    hand.press(hand.tab.get_by_role("button", name=re.compile("^Send (this|these .) now")))
    hand.press(hand.tab.get_by_role("button", name=re.compile("^Take back from here")).last)
    hand.choose(first.first.get_attribute("value"))


@pytest.mark.slow
def test_half_a_game_from_the_mail_to_the_proof(site, open_page):
    """Nobody's page is ever loaded anew to see that it is one's turn."""
    ann, ben = site.person("Ann"), site.person("Ben", "ben@example.org", confirmed=True)
    game = site.game(ann, ben, name="From mail to proof")
    site.advance(game, ann, ben, until=lambda page: page["round"] == 6)
    begun = site.page(game)["ply"]
    at_desk = Hand(open_page(f"/games/{game}", person=ann), touch=False, stands=lambda: site.page(game, ann)["ply"])
    at_desk.tab.evaluate("window.stays = true")
    if site.page(game)["to_move"] == _seat(site, game, ann):
        at_desk.turn()
    # Not that of the mail which says that the game has started, when it was the other's turn.
    link = site.mailed_link("t", ben.address, subject="your turn")
    on_sofa = Hand(open_page(link, width=390, touch=True), touch=True, stands=lambda: site.page(game, ben)["ply"])
    _play(site, game, at_desk, on_sofa, ben, link)

    for hand in (at_desk, on_sofa):
        hand.tab.get_by_role("heading", name="The game is over").wait_for(timeout=HEARD)
        assert hand.tab.evaluate("window.stays"), "the end was shown by itself, too"
        assert max(hand.drafts) >= 2, "moves were chained"
        print(f"{'taps' if hand.touch else 'clicks'} a turn: {hand.turns}")  # pytest -s
        assert median(hand.turns) <= 6, "late turns have more moves"
    log = _log(site, game)
    played = log[begun:]
    for hand, person in ((at_desk, ann), (on_sofa, ben)):
        seat = _seat(site, game, person)
        assert hand.moves == [move for _, by, move in played if by == seat and move != "draw"]
    assert sum(move.startswith("push") for _, _, move in played) == 10
    assert any(move.startswith("seal") for _, _, move in played)
    # A draw of hers: who looks with his eyes is shown the position before it.
    middle = next(ply for ply, _, move in log[len(log) // 2 :] if move != "draw")
    _watch(at_desk.tab, game, middle, len(log))
    _watch(on_sofa.tab, game, middle, len(log))


def _play(site, game, at_desk, on_sofa, ben, link):
    """Turn by turn, the one on the sofa (`ben`, by `link` of the first mail) first, until the game is over."""
    habits: Iterator[Any] = cycle([None, undoes_a_draft, None, takes_back_what_was_sent, None])
    while True:
        on_sofa.tab.evaluate("window.stays = true")
        on_sofa.turn(next(habits))
        if site.page(game)["status"] == "finished":
            return
        # The page that waited shows what is to be done, without being touched.
        at_desk.tab.wait_for_selector("#play.live", timeout=HEARD)
        expect(at_desk.tab).to_have_title(re.compile(r"^(\(\d+\) )?Your turn – "))
        at_desk.turn(next(habits))
        if site.page(game)["status"] == "finished":
            return
        # The link of the mail was good for one turn: its page offers another, and the next mail has it.
        expect(on_sofa.tab.get_by_role("button", name="Send me the link to my current turn")).to_be_visible()
        assert on_sofa.tab.evaluate("window.stays")
        link = site.mailed_link("t", ben.address, subject="your turn", after=link)
        on_sofa.tab.goto(link)


def _watch(tab, game, middle, last):
    """The replay: steps, turns, the slider, another's eyes, the check."""
    tab.get_by_role("link", name="Watch the replay").click()
    tab.wait_for_url(f"**/replays/{game}*")
    tab.wait_for_selector("#viewer[data-ready]")

    def shows(ply):
        tab.wait_for_selector(f'.layout svg[data-ply="{ply}"]:visible')
        expect(tab.locator("#slider")).to_have_value(str(ply))

    tab.keyboard.press("Home")
    shows(0)
    for ply in (1, 2, 3):
        tab.locator('[data-step="on"]').click()
        shows(ply)
    tab.locator('[data-step="back"]').click()
    shows(2)
    tab.locator("#slider").fill(str(middle))
    shows(middle)
    tab.get_by_role("link", name="As Ben knew it").click()
    tab.wait_for_url("**seat=*")
    tab.wait_for_selector("#viewer[data-ready]")
    shows(middle)
    tab.keyboard.press("End")
    shows(last)
    tab.get_by_role("button", name="Check this game").click()
    expect(tab.get_by_role("alert")).to_have_text("Everything that was checked is right.", timeout=30_000)
    assert tab.locator("#check").get_attribute("data-verdict") == "good"
    findings = tab.locator("#findings li").all_text_contents()
    assert any(f"All {last} positions" in line for line in findings), findings


def _seat(site, game, person):
    found = site.page(game, person)["seat"]
    return None if found is None else int(found)


def _log(site, game):
    """Ply, seat and move of all that stands."""
    query = "SELECT ply, seat, move FROM move WHERE game_id = ? AND undone_at IS NULL ORDER BY ply"
    with site.store.read():
        return [(ply, seat, move) for ply, seat, move in sql.rows(site.store, query, game)]
