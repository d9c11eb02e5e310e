"""How deep JSON may be nested: what is read may later be written, and writing goes by recursion."""

from __future__ import annotations

from collections.abc import Iterator

from server.engine.canonical import Json

DEPTH = 40
"""How deep the lists and objects of a record may be nested; one written by this project has six levels."""


def walk(value: Json) -> Iterator[tuple[Json, int]]:
    """Every value in parsed JSON, the whole of it first, and how many lists and objects it lies in.

    The keys of an object are for who is given the object to look at. Goes by a list of its own, so that no depth hurts
    it; a list or an object is entered only when the next value is asked for.
    """
    left = [(value, 0)]
    while left:
        value, depth = left.pop()
        yield value, depth
        if isinstance(value, dict):
            left += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list):
            left += [(item, depth + 1) for item in value]


def too_deep(value: Json, most: int = DEPTH) -> bool:
    """Whether parsed JSON is nested more than `most` deep."""
    return any(depth >= most and isinstance(inner, (dict, list)) for inner, depth in walk(value))
