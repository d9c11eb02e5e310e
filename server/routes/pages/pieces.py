"""Parts of pages that come again as they were: written once, and kept by all that they show."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from flask import render_template, request
from markupsafe import Markup

from server import language


class Pieces:
    """Some HTML of this process. Safe between threads; what was not asked for longest goes.

    A part is found again by what it is made of alone: whoever gets a kept one would have been given the same.
    """

    def __init__(self, template: str, most: int) -> None:
        """Parts made by `template`, `most` of them."""
        self._template, self._most = template, most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Markup] = OrderedDict()

    def get(self, made_of: Hashable) -> Markup | None:
        """The part that is made of this, in the language in force, if it is kept."""
        key = self._key(made_of)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def make(self, made_of: Hashable, **values: Any) -> Markup:
        """Make it, and keep it; `values` are the template's and must follow from `made_of`."""
        made = Markup(render_template(self._template, **values))  # noqa: S704 - a template made it
        with self._lock:
            self._kept[self._key(made_of)] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

    @staticmethod
    def _key(made_of: Hashable) -> Hashable:
        # Addresses begin with what the request says that the application lies under (X-Forwarded-Prefix): nobody may
        # choose where the links on the pages of others lead.
        return (language.current(), request.script_root, made_of)
