"""What all operations are made of: a request by its method and path, and lists page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from ulm_client import types
from ulm_client.steps import Items, Steps, ask, pages, request

BASE = "/api/v1"


class Drawing(TypedDict, total=False):
    """How a board is drawn (docs/board.md)."""

    ply: int
    theme: types.BoardTheme
    size: int
    layout: types.BoardLayout
    language: types.Language


class Writing(TypedDict, total=False):
    """How a board is written (docs/board.md)."""

    ply: int
    width: int
    full: bool
    ascii: bool
    language: types.Language


class Calls:
    """Sends requests, and waits out what passes for `patience` seconds."""

    patience: float

    def _ask(self, method: str, path: str, values: Mapping[str, Any] | None = None, **more: Any) -> Steps[Any]:
        return ask(request(method, BASE + path, values or {}, **more), self.patience)

    def _pages(self, path: str, values: Mapping[str, Any] | None = None) -> Items[Any]:
        """Lists are read to their end, in pages as large as there are."""
        return pages(request("GET", BASE + path, {"page_size": 100, **(values or {})}), self.patience)
