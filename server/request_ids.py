"""Which request is being answered, or has caused what is being done: its id stands in its log lines, and in the rows of
what it leaves to others. It tells nothing by itself, and stands in no mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_present: ContextVar[str | None] = ContextVar("ulm_request", default=None)


def present() -> str | None:
    """The id of the request that this thread works for; None where none has asked."""
    return _present.get()


@contextmanager
def caused_by(request: str | None) -> Iterator[None]:
    """Within the block this thread does what that request has caused."""
    token = _present.set(request)
    try:
        yield
    finally:
        _present.reset(token)
