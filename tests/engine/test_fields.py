"""The fields of a state stand in one place, the declarations of its classes: whatever spells them out has them all."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

import pytest

from server.engine.ulm1 import shapes
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import In, Player, State, Turn
from server.engine.ulm1.view import view
from server.engine.which import ENGINE
from tests.engine.positions import SEED, position

pytestmark = pytest.mark.skipif(ENGINE == "compiled", reason="a compiled class does not tell how it was declared")

UNWRITTEN = {"seed", "rules"}
WHOLE = position(3, tower="free_seal", pending=[{"kind": "barge", "max": 2}, {"kind": "choose", "offer": ["siege"]}])
CLASSES = {
    State: (WHOLE, shapes.StateForm, shapes.View, {"ruleset"}),
    Player: (WHOLE.players[0], shapes.PlayerForm, shapes.PlayerView, set()),
    Turn: (WHOLE.turn, shapes.TurnForm, shapes.TurnForm, set()),
}
"""Class → one of it, its JSON form, its form in a view, what is in the JSON form beside its fields."""
EACH = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)


def said(cls: type) -> dict[str, tuple[In | None, str]]:
    """Field → its place in the JSON form if it is not under its own name, and who sees it."""
    found: dict[str, tuple[In | None, str]] = {}
    for name, hint in typing.get_type_hints(cls, include_extras=True).items():
        marks = getattr(hint, "__metadata__", ())
        place = next((mark for mark in marks if isinstance(mark, In)), None)
        found[name] = place, next((mark for mark in marks if isinstance(mark, str)), "all")
    return found


def key(name: str, place: In | None) -> str:
    return place.group if place else name


@EACH
def test_slots_are_the_fields(cls: type) -> None:
    assert cls.__slots__ == tuple(said(cls)) == tuple(field.name for field in dataclasses.fields(cls))


@EACH
def test_a_copy_has_every_field(cls: type) -> None:
    """A field that `copy` forgets is not set in the copy; one that two positions share must not change."""
    one = CLASSES[cls][0]
    twin = one.copy()
    for name in said(cls):
        old, new = getattr(one, name), getattr(twin, name)
        if name in ("players", "turn"):
            assert new is not old
        else:
            assert new == old
        if isinstance(old, list) and name != "scores":
            assert new is not old, name


@EACH
def test_the_json_form_has_every_field(cls: type) -> None:
    """`to_dict` and `from_dict`: what is written under the field's name is read back into it."""
    one, form, _, beside = CLASSES[cls]
    data = one.to_dict()
    assert set(data) == {key(name, place) for name, (place, _) in said(cls).items()} - UNWRITTEN | beside
    assert set(data) == form.__required_keys__
    for name, (place, _) in said(cls).items():
        if place:
            assert data[place.group][place.key] == getattr(one, name)
    again = RULES.state_from_dict(data, SEED) if cls is State else cls.from_dict(data)
    assert again.to_dict() == data
    assert all(hasattr(again, name) for name in said(cls))


@EACH
def test_the_view_has_what_is_declared(cls: type) -> None:
    """Nothing of what nobody sees, the size of piles, all of what is open."""
    form = CLASSES[cls][2]
    beside = CLASSES[cls][3]
    shown = view(WHOLE, 1)
    data: dict[str, Any] = {State: shown, Player: shown["players"][0], Turn: shown["turn"]}[cls]
    expected = {key(name, place) for name, (place, sight) in said(cls).items() if sight in ("all", "partly")}
    sizes = {f"{name}_size" for name, (_, sight) in said(cls).items() if sight in ("size", "own")}
    own = {name for name, (_, sight) in said(cls).items() if sight == "own"}
    assert set(data) == expected - UNWRITTEN | sizes | beside
    assert set(form.__required_keys__) == set(data)
    assert set(form.__optional_keys__) == own
    if cls is Player:
        assert set(shown["players"][1]) == set(data) | own
