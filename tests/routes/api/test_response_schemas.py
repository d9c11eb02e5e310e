"""The schemas of answers are made from the types of what the service returns."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

import pytest

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.routes.api import response_schemas


class Inner(TypedDict):
    """Lies in `Outer`."""

    number: int


class Outer(TypedDict):
    """A field of each kind."""

    name: Annotated[str, "What it is called."]
    color: Annotated[str, JsonSchema(enum=("red", "blue"))] | None
    at: Annotated[UtcTime | None, "When."]
    inner: Annotated[Inner | None, "One."]
    many: list[Inner]
    by_name: dict[str, float]
    either: Inner | bool
    any: Any
    shown: Annotated[dict[str, int], Inner]
    perhaps: NotRequired[Annotated[bool, JsonSchema(type=["boolean", "null"])]]


def test_each_kind_of_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_schemas, "ANSWERS", (Outer,))
    monkeypatch.setattr(response_schemas, "NAMES", {Inner: "Part"})
    found = response_schemas.components({})
    part = {"$ref": "#/components/schemas/Part"}
    assert found["Part"] == {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
    assert found["Outer"]["required"] == sorted(Outer.__annotations__.keys() - {"perhaps"})
    assert found["Outer"]["properties"] == {
        "name": {"type": "string", "description": "What it is called."},
        "color": {"type": ["string", "null"], "enum": ["red", "blue", None]},
        "at": {"type": ["string", "null"], "format": "date-time", "example": "2026-11-21T09:30:00Z",
               "description": "When."},
        "inner": {"anyOf": [part, {"type": "null"}], "description": "One."},
        "many": {"type": "array", "items": part},
        "by_name": {"type": "object", "additionalProperties": {"type": "number"}},
        "either": {"anyOf": [part, {"type": "boolean"}]},
        "any": {},
        "shown": part,
        "perhaps": {"type": ["boolean", "null"]},
    }  # fmt: skip
