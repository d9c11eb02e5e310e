"""Bodies that are as they should be are seen to be so without marshmallow, and read as it reads them."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.routes.api.schemas.games import MovesSchema, UndoSchema

TEXTS = st.one_of(st.text(max_size=4), st.sampled_from(["push N1", " push N1 ", "", "a\u202eb", "x" * 999]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 1_000_002), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=2)),
    max_leaves=4,
)
MOVES = st.one_of(VALUES, st.lists(TEXTS, max_size=70))


def read(load: Any, body: object) -> object:
    try:
        return load(body)
    except ma.ValidationError as error:
        return error.messages


@given(st.one_of(VALUES, st.fixed_dictionaries({}, optional={"ply": VALUES, "moves": MOVES, "more": VALUES})))
def test_a_body_of_moves_is_read_as_marshmallow_reads_it(body: object) -> None:
    for schema in (MovesSchema(), UndoSchema()):
        assert read(schema.load, body) == read(lambda given, schema=schema: ma.Schema.load(schema, given), body)


def test_a_good_body_never_gets_to_marshmallow(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("not needed")

    schema = MovesSchema()
    monkeypatch.setattr(ma.Schema, "load", refuse)
    body = {"ply": 3, "moves": ["push N1", "end"]}
    found = schema.load(body)
    assert found == body
    assert found is not body
