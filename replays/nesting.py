"""How deep JSON may be nested: what is read may later be written, and writing goes by recursion."""

from __future__ import annotations

from collections.abc import Mapping

DEPTH = 40
"""How deep the lists and objects of a record may be nested; one written by this project has six levels."""


def too_deep(value: object, most: int = DEPTH) -> bool:
    """Whether parsed JSON is nested more than `most` deep. Goes level by level, so that no depth hurts it."""
    level: list[object] = [value]
    for _ in range(most):
        inner: list[object] = []
        for item in level:
            if isinstance(item, Mapping):
                inner += [below for below in item.values() if isinstance(below, (dict, list))]
            elif isinstance(item, list):
                inner += [below for below in item if isinstance(below, (dict, list))]
        if not inner:
            return False
        level = inner
    return True
