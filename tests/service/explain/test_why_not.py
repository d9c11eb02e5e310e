"""Which of the tiles that a push activates can be used, and what cards on offer do, as the buttons tell it."""

from server.engine.ulm1 import game
from server.engine.ulm2 import RULES
from server.service.explain import effects, move_choices, why_not
from tests.engine.positions import position
from tests.service.views.test_drafts import NAMES, positions


def test_a_push_tells_what_of_its_tiles_cannot_be_used_and_what_is_to_be_got_first() -> None:
    """A3, A5, A6: what is said to be of no use cannot be used at once; what is to be got first makes tiles usable later
    in the turn. (One gate's Card tile was said to need two tiles, and nothing where a Clear tile brings the second.)"""
    said, told = set(), 0
    for number, seats in ((2, 3), (3, 3), (4, 3), (3, 2), (6, 2)):
        for state in positions(number, seats, False):
            seat = state.active
            assert seat is not None
            for move in (one for one in game.legal_moves(state) if one[0] == "push" and len(one) == 2):
                after, activated = game.apply(state, seat, move).state, RULES.pushed(state, move).activates
                idle = why_not.unusable(after, seat, activated)
                verbs = {one[0] for one in game.legal_moves(after)}
                for color, verb in (("brown", "buy"), ("orange", "seal"), ("white", "clear"), ("turquoise", "river")):
                    if color in idle and idle[color].number == activated.count(color):
                        assert verb not in verbs, (move, color)
                first = {color: one.why for color, one in idle.items() if not one.number}
                assert set(first) <= {one.color for one in RULES.lost_by_ending(after, seat)}, "later in the turn"
                at_once = {one.color: one.at_once for one in RULES.remaining(after, seat)}
                assert all(at_once[color] < activated.count(color) for color in first), "not at once"
                said |= set(first.values())
                if number == 2:
                    texts = [one.text for one in effects.of_move(state, seat, move, NAMES) if one.sign == "idle"]
                    assert texts == [one.why for one in idle.values()]
                    told += len(texts)
    assert told > 20
    assert said >= {
        "A card costs 2 tiles: first use a Clear tile",
        "A seal costs 2 coins: first use a Coin tile",
        "A seal costs 2 coins: first use 2 Coin tiles",
        "2 seals cost 4 coins: first use a Coin tile",
    }, said
    assert all(": first " in one or ", and you have " in one for one in said), said


def test_a_seal_by_card_that_cannot_be_paid_is_no_gain() -> None:
    """B9: the card was gone before its player read that the coin was missing."""

    def said(coins: int, seals: int = 5, **given: object) -> tuple[str, str]:
        seat = {"hand": ["first_chronicle"], "coins": coins, "seals": seals}
        state = position(seats=[seat], **given)  # type: ignore[arg-type]
        found = effects.of_move(state, 0, ("play", "first_chronicle", "top"), NAMES)
        [one] = [one for one in found if one.text.startswith("a seal for")]
        return one.text, one.sign

    for phase in ({}, {"phase": "push", "drawn": "gray"}):
        assert said(0, **phase) == ("a seal for exactly 1 coin, and you have 0 coins", "idle")
        assert said(1, **phase) == ("a seal for exactly 1 coin", "gain")
        text, sign = said(1, seals=0, **phase)
        assert sign == "idle"
        assert text.startswith("a seal for exactly 1 coin: "), text


def told(seat: dict[str, object] | None = None, **given: object) -> dict[str, list[tuple[str, str, str]]]:
    state = position(seats=[{"coins": 0, "tiles": {}, "hand": [], **(seat or {})}], **given)  # type: ignore[arg-type]
    return {group.kind: [tuple(one) for one in group.impossible] for group in move_choices.groups(state, 0)}


def test_what_an_action_lacks_is_said_with_its_rule() -> None:
    assert told({"coins": 1}, activated="orange")["seals"] == [("Seal", "The seal costs 2 coins, and you have 1", "A5")]
    assert told(activated="white")["actions"] == [("Clear", "No tile lies outside", "A2")]
    assert told({"hand": ["siege"]}, free_play=False)["play"][0][::2] == ("Play a card", "B8")
    assert told({"hand": ["fustian-gray"]})["play"][0][1:] == (
        "The top half of Fustian asks for a Coin tile, and you have none",
        "B7",
    )
    pushing = told({"sparrows": 0}, phase="push", drawn="gray", outer={"N2": "white"})
    assert pushing["push"] == [("N2, S2", "Column 2 is blocked: a tile lies in N2", "K4")]
    assert pushing["swap"] == [("Swap the tile", "It costs 1 sparrow, and you have none", "L2")]
    seals = told({"coins": 2}, activated="orange", quarters={"tillage": [1] * 4})["seals"]
    assert [one[2] for one in seals] == ["A5", "D5"]
    assert seals[0][0] == "Seal"  # the reason names the quarter
