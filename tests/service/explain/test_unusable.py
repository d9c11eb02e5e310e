"""Which of the tiles that a push activates can be used, and what cards on offer do, as the buttons tell it."""

from __future__ import annotations

import re

from server.engine.ulm1 import game
from server.engine.ulm1.rules import RULES
from server.service.explain import card_facts, effects, why_not
from tests.engine.positions import position
from tests.service.views.test_drafts import NAMES, positions


def test_a_push_tells_what_of_its_tiles_cannot_be_used() -> None:
    """A3, A6: what is said to be of no use cannot be used at once, nor after the move that uses another tile; what is
    said to be usable can, at once or later in the turn."""
    told = 0
    for state in positions(2, 3, False):
        seat = state.active
        assert seat is not None
        for move in game.legal_moves(state):
            if move[0] != "push" or len(move) > 2:
                continue
            after, activated = game.apply(state, seat, move).state, RULES.pushed(state, move).activates
            idle = why_not.unusable(after, seat, activated)
            verbs = {one[0] for one in game.legal_moves(after)}
            for color, verb in (("brown", "buy"), ("orange", "seal"), ("white", "clear"), ("turquoise", "river")):
                if color in activated and color in idle and idle[color].number == activated.count(color):
                    assert verb not in verbs, (move, color)
            said = [one.text for one in effects.of_move(state, seat, move, NAMES) if one.sign == "idle"]
            assert said == [one.why for one in idle.values()]
            told += len(said)
    assert told > 20


def test_a_push_says_what_is_to_be_got_before_a_tile_can_be_used() -> None:
    """A3, A5, A6: with one tile the Card tile of one gate was said to need two, and that of another, whose Clear tile
    brings the second, nothing: newcomers took it for a contradiction, and wanted to know what brings it."""
    said = set()
    for number, seats in ((2, 3), (3, 3), (4, 3), (3, 2), (6, 2)):
        for state in positions(number, seats, False):
            seat = state.active
            assert seat is not None
            for move in (one for one in game.legal_moves(state) if one[0] == "push" and len(one) == 2):
                after, activated = game.apply(state, seat, move).state, RULES.pushed(state, move).activates
                first = {
                    color: one for color, one in why_not.unusable(after, seat, activated).items() if not one.number
                }
                usable = {one.color for one in RULES.lost_by_ending(after, seat)}
                assert set(first) <= usable, "later in the turn"
                at_once = {one.color: one.at_once for one in RULES.remaining(after, seat)}
                assert all(at_once[color] < activated.count(color) for color in first), "not at once"
                said |= {one.why for one in first.values()}
    assert said >= {
        "A card costs 2 tiles: first use a Clear tile",
        "A seal costs 2 coins: first use a Coin tile",
        "A seal costs 2 coins: first use 2 Coin tiles",
        "2 seals cost 4 coins: first use a Coin tile",
    }, said
    assert any(re.fullmatch("A card costs 2 tiles: first place a seal in (the )?[A-Z].*", one) for one in said), said
    assert any(re.search("card costs 2 tiles: first use a Clear tile and place a seal in", one) for one in said), said
    assert any(re.fullmatch("2 seals cost 4 coins: first place one in (the )?[A-Z].*", one) for one in said), said
    assert not any("nothing" in one for one in said), said
    assert all(": first " in one or ", and you have " in one for one in said), said


def _choosing(card: str, **seat: object) -> str:
    """What a card on offer says of its upper effect."""
    state = position(seats=[{"hand": [], "tiles": {}, **seat}])  # type: ignore[arg-type]
    return card_facts.offered(state, 0, card).partition("\n")[0]


def test_a_card_on_offer_says_how_many_of_what_it_asks_for_are_there() -> None:
    """B4 to B6: a newcomer who had two tiles read "You have one"."""
    assert _choosing("fustian-gray", tiles={"gray": 1}).endswith("You have one.")
    assert _choosing("fustian-gray", tiles={"gray": 2}).endswith("You have 2.")
    assert _choosing("fustian-gray").endswith("You have none.")
    assert _choosing("first_chronicle", coins=0).endswith("You have no coins.")
    assert _choosing("first_chronicle", coins=1).endswith("and no tile.")
    assert _choosing("ulm_sparrow", sparrows=0).endswith("You have no sparrows.")


def test_a_seal_by_card_that_cannot_be_paid_is_no_gain() -> None:
    """B9: the card was gone before its player read that the coin was missing."""

    def said(coins: int, seals: int = 5, **given: object) -> tuple[str, str]:
        seat = {"hand": ["first_chronicle"], "coins": coins, "seals": seals}
        state = position(seats=[seat], **given)  # type: ignore[arg-type]
        found = effects.of_move(state, 0, ("play", "first_chronicle", "top"), NAMES)
        [(text, sign)] = [one for one in found if one.text.startswith("a seal for")]
        return text, sign

    for phase in ({}, {"phase": "push", "drawn": "gray"}):
        assert said(0, **phase) == ("a seal for exactly 1 coin, and you have 0 coins", "idle")
        assert said(1, **phase) == ("a seal for exactly 1 coin", "gain")
        text, sign = said(1, seals=0, **phase)
        assert sign == "idle"
        assert text.startswith("a seal for exactly 1 coin: "), text


def test_points_for_a_push_say_whose_they_are() -> None:
    """N4: +2 VP stood at a gate without a word of the city guard."""
    state = position(
        phase="push",
        drawn="gray",
        grid=["gray gray white", "gray white orange", "white orange brown"],
        seats=[{"descendants": ["city_guard"]}],
    )
    found = [effects.of_move(state, 0, move, NAMES) for move in game.legal_moves(state) if move[0] == "push"]
    texts = {one.text for told in found for one in told if "VP" in one.text}
    assert texts == {"+2 VP (City Guard: a new line of three)"}
