"""A box whose cards do something else than the house's, on its pages: a whole game by buttons, and the rules."""

import re
from html import unescape
from random import Random

import pytest

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CARDS
from server.service.archive import verification
from tests.routes.pages.conftest import sign_in
from tests.rulesets.other_cards import Player, check, had, is_top, other_cards, told  # noqa: F401 - a fixture

SIGNS = {"coins": "coin", "vp": "VP", "sparrows": "sparrow"}


@pytest.mark.slow
def test_a_game_by_buttons_goes_as_its_pages_say(other_cards: Rules, match, browser, client):  # noqa: F811
    m, player = match(2, seed=4), Player(Random(5))
    while m.to_move is not None:
        seat = m.active
        sign_in(client, m.store, m.players[seat])
        page = browser.open(f"/games/{m.id}")
        before, forms = m.page(seat)["view"], browser.moves()
        assert before["ruleset"] == other_cards.name
        pushes = {
            move: tuple(re.findall(r"(gray|white|brown|turquoise|orange)", _button(page.text, move)))
            for move in forms
            if move.startswith("push ") and len(move.split()) == 2
        }
        move = player.choose(m.legal(seat), pushes)
        if move == "end":
            browser.press(browser.sending("end"), follow=False)
            continue
        label = forms[move].label
        browser.press(browser.sending(move), follow=False)
        if is_top(move):
            after = m.page(seat)["view"]
            check(before, move, after, seat)
            for name, number in had(before, after, seat).items():
                if name in SIGNS:
                    assert re.search(rf"[+−]{abs(number)} {SIGNS[name]}", label), (move, label)
    assert len(player.played) > 7, player.played
    assert verification.verify_game(m.store, m.id) == []


def _button(text: str, move: str) -> str:
    [found] = re.findall(rf'<button[^>]*value="{move}".*?</button>', text, re.DOTALL)
    return found


def test_the_rules_say_what_the_cards_of_the_box_do(other_cards: Rules, client):  # noqa: F811
    for language in ("en", "de", "it"):
        page = client.get("/rules/cards", headers={"Accept-Language": language}).text
        said = " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", page, flags=re.DOTALL)).split())
        for card in CARDS[9:]:
            does = getattr(told(card), language)
            # Of a Trade card the list leaves the tile to the text below it.
            assert re.split(", (?:for one|für ein|cedendo)", does)[0] in said, (language, card)
