"""What caches may keep: ETags over what the caller sees, 304, `Cache-Control`. A tag tells no secret."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, request

from server.routes.http.context import store
from server.routes.http.problem_details import raise_error

_REVALIDATE = "private, no-cache"
FOREVER = "max-age=31536000, immutable"
"""In Cache-Control, for what never changes."""


def conditional(view: Callable[..., Response]) -> Callable[..., Response]:
    """Return the view with an ETag over the bytes of its answer (if it set none itself) and with 304."""

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Response:
        response = view(*args, **kwargs)
        if response.status_code != 200:
            return response
        _tag(response)
        response.headers.setdefault("Cache-Control", _REVALIDATE)
        # What is seen depends on who asks: a shared cache must not mix them.
        response.vary.add("Authorization")
        etag, _ = response.get_etag()
        return _not_modified(response) if etag and known_to_caller(etag) else response

    return wrapper


def _tag(response: Response) -> str | None:
    """Give the answer a tag over its bytes if it has none; return it."""
    if "ETag" not in response.headers:
        response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    return response.get_etag()[0]


def matched(view: Callable[..., Response], read: Callable[..., Response], name: Callable[[], str]) -> Any:
    """Return a view that does nothing but answer 412 where `If-Match` names another tag than `read`, the view that
    reads what is changed, has now; it takes the parameters of the path. Changes by one `name` exclude one another."""

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Response:
        def check() -> None:
            if not request.if_match.contains(_tag(read(**kwargs)) or ""):
                message = "Read it again and decide anew: it has changed since you read what If-Match names."
                raise_error(412, message)

        if "If-Match" not in request.headers:
            return view(*args, **kwargs)
        check()
        with store().only_if(check, name()):
            return view(*args, **kwargs)

    return wrapper


def known_to_caller(etag: str) -> bool:
    """Return whether the request's If-None-Match names this tag (weak comparison, RFC 9110)."""
    return request.if_none_match.contains_weak(etag)


def _not_modified(response: Response) -> Response:
    unchanged = Response(status=304)
    del unchanged.headers["Content-Type"]
    for name in ("ETag", "Cache-Control", "Vary", "Link", "X-Pagination"):
        if name in response.headers:
            unchanged.headers[name] = response.headers[name]
    return unchanged


def kept(response: Response, forever: bool) -> Response:
    """Let caches keep the answer: for ever, or asking each time. Shared ones only what was given without a token."""
    scope = "private" if "Authorization" in request.headers else "public"
    response.headers["Cache-Control"] = f"{scope}, {FOREVER if forever else 'no-cache'}"
    return response
