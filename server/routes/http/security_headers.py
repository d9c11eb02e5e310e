"""Headers of every answer unless its view sets others; added below Flask, which saves a twentieth of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_FRAMES = "x-frame-options"
_FRAMED = "ulm.framed"
_HEADERS = {
    # Whatever says nothing of caches is for this moment and this reader only: tokens, hands, answers to moves.
    "Cache-Control": "no-store",
    # What a page may load is nothing, unless its route says otherwise (the API page does).
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",  # addresses may hold an invitation
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_ADDED = [(name.lower(), (name, value)) for name, value in _HEADERS.items()]
# This host alone: what else its domain serves, nobody here knows.
_BY_HTTPS = [*_ADDED, ("strict-transport-security", ("Strict-Transport-Security", "max-age=31536000"))]


def allow_frames() -> None:
    """Let other sites show the answer to this request in a frame."""
    request.environ[_FRAMED] = True


def missing(environ: WSGIEnvironment, given: list[tuple[str, str]], https: bool) -> list[tuple[str, str]]:
    """Return those of these headers that an answer has not been `given`; `https`: the public address has it."""
    chosen = {name.lower() for name, _ in given}
    if _FRAMED in environ:
        chosen.add(_FRAMES)
    return [header for name, header in (_BY_HTTPS if https else _ADDED) if name not in chosen]
