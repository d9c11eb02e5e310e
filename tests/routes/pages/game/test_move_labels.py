"""What the buttons of moves about cards say: the card by its name, and the tile that is given for it."""

import re

from server.engine.ulm1.rules import RULES
from server.routes.pages.game import move_pictures
from server.service.explain import move_choices
from tests.engine.positions import position


def labels(**seat):
    state = position(seats=[seat], activated="gray")
    options = [option for group in move_choices.groups(state, 0) for option in group.options]
    return {one.move: str(move_pictures.label(one, RULES)) for one in options if one.move.startswith("play")}


def test_a_card_is_called_by_its_name_and_its_tile_is_shown():
    """B4: "Nave (Coin/Clear)" was taken for the name, and two buttons that differ by what is paid said the same."""
    found = labels(hand=["nave-1"], tiles={"gray": 1, "white": 1})
    assert {move: re.findall("#t-([a-z]+)", said) for move, said in found.items()} == {
        "play nave-1 top gray": ["gray"],
        "play nave-1 top white": ["white"],
        "play nave-1 table": [],
    }
    seen = {move: re.sub(r'<span class="sr">.*?</span>|<[^>]+>', "", said) for move, said in found.items()}
    assert seen["play nave-1 table"] == "Lay Nave on the table"
    assert seen["play nave-1 top gray"].strip() == "Play the top half of Nave"
    assert 'class="sr"> (Coin or Clear)' in found["play nave-1 table"], (
        "who hears the page is told which of three it is"
    )


def test_a_card_without_a_tile_is_called_as_it_was():
    found = labels(hand=["city_wall"], tiles={})
    assert found["play city_wall table"] == "Lay City Wall on the table"
