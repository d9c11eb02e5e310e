"""Lists that go over several pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode


def pages(here: str, given: dict[str, str], total: int, page: int, size: int) -> dict[str, Any]:
    """Where one is in a list of `total`, `size` on a page, for the macro `pager`: `{page, last, before, after}`, the
    latter two being links to `here` that keep the query `given`, or None."""
    rest = {name: value for name, value in given.items() if name != "page"}
    last = max(1, -(-total // size))

    def link(number: int) -> str | None:
        return f"{here}?{urlencode({**rest, 'page': number})}" if 1 <= number <= last and number != page else None

    return {"page": page, "last": last, "before": link(page - 1), "after": link(page + 1)}
