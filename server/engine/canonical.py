"""JSON: canonical text (record.md §4), and a walk through what somebody's text holds."""

import json
from collections.abc import Iterator
from typing import Any

Json = Any  # Any: what somebody's JSON text may hold, until it is checked

# Made once, and without the search for circles, which plain data cannot have.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, check_circular=False).encode


def canonical_json(data: object) -> str:
    """Return JSON with sorted keys, no white space, ASCII only. `data` must be a tree: a circle is not looked for."""
    return _encode(data)


def walk(value: Json) -> Iterator[tuple[Json, int]]:
    """Yield every value in parsed JSON, outermost first, and how many lists and objects it lies in; at any depth."""
    left = [(value, 0)]
    while left:
        value, depth = left.pop()
        yield value, depth
        if isinstance(value, dict):
            left += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list):
            left += [(item, depth + 1) for item in value]
