"""What is not possible is told with the reason for which the engine refuses it."""

from __future__ import annotations

from server.service.explain import move_choices
from tests.engine.positions import position


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
