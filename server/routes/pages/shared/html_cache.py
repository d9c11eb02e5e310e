"""Parts of pages that come again as they were: written once, and kept by all that they show."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any

from cachetools import LRUCache
from flask import current_app, request
from markupsafe import Markup

from server import language


class Pieces:
    """Some HTML of this process. Safe between threads; what was not asked for longest goes.

    A part is found again by what it is made of alone: whoever gets a kept one would have been given the same.
    """

    def __init__(self, template: str, most: int) -> None:
        """Parts made by `template` ("": otherwise, see `put`), `most` of them."""
        self._template = template
        self._kept: LRUCache[Hashable, Markup] = LRUCache(most)
        self._lock = Lock()

    def get(self, made_of: Hashable) -> Markup | None:
        """The part that is made of this, in the language in force, if it is kept."""
        with self._lock:
            return self._kept.get(self._key(made_of))

    def make(self, made_of: Hashable, **values: Any) -> Markup:
        """Make it, and keep it; `values` are the template's and must follow from `made_of`."""
        # Without what Flask adds to the values of every page (request, session, g): a part must not depend on it.
        made = current_app.jinja_env.get_template(self._template).render(values)
        return self.put(made_of, Markup(made))  # noqa: S704 - a template made it

    def put(self, made_of: Hashable, made: Markup) -> Markup:
        """Keep a part that no template made."""
        with self._lock:
            self._kept[self._key(made_of)] = made
        return made

    @staticmethod
    def _key(made_of: Hashable) -> Hashable:
        # Addresses begin with what the application lies under: a server other than ours may say so with each request.
        return (language.current(), request.script_root, made_of)
