"""Parts of pages that come again as they were: written once, and kept by all that they show: 1.7 instead of
3.1 ms of the processor for a page (`python -m benchmarks pages`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache, cached
from flask import current_app, request
from markupsafe import Markup

from server import language

Made = TypeVar("Made", bound=Callable[..., Markup])


def kept(most: int) -> Callable[[Made], Made]:
    """Keep `most` of the parts that a function makes. Safe between threads; what was not asked for longest goes.

    Its first argument names all that a part is made of, and the others follow from that: whoever gets a kept part
    would have been given the same. Parts of each language are apart, and of each place where the application lies.
    """
    return cached(LRUCache(most), _name, Lock())  # type: ignore[return-value]


def _name(made_of: Hashable, *_others: Any) -> Hashable:
    # Addresses begin with what the application lies under: a server other than ours may say so with each request.
    return (language.current(), request.script_root, made_of)


def render(template: str, **values: Any) -> Markup:
    """The part with this template; without what Flask adds (request, session, g), on which nothing kept may depend."""
    made = current_app.jinja_env.get_template(f"pages/{template}.html").render(values)
    return Markup(made)  # noqa: S704 - a template made it
