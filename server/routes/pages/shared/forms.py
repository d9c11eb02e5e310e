"""Forms of pages: their fields, the guard before whatever changes something, and what a refusal says to people."""

from __future__ import annotations

from hashlib import sha256
from typing import TypeVar
from urllib.parse import urlsplit

from flask import request
from werkzeug.wrappers import Response

from server.language import gettext as _
from server.language import sentence
from server.routes.http.browser_session import cookie_name, cookie_path, is_secure
from server.routes.http.context import now, settings
from server.routes.http.problem_details import headers_of
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.service.common import idempotency
from server.service.common.errors import Forbidden, ServiceError

HERE_COOKIE = "ulm_here"
"""Sent with forms of our own pages alone: for browsers that do not tell otherwise where a form comes from."""
NOBODY = "nobody"
"""Who may do nothing but look has no secret: forms for strangers (sign in, look) are bound to this."""
DIGITS_MAX = 9
"""A longer number is none that anything here counts."""


def text_field(name: str, longest: int = 4000) -> str:
    """A field of the form, "" when it is not there."""
    return request.form.get(name, "")[:longest]


def whole(text: str) -> int | None:
    """A whole number as people write it, None for anything else."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX else None


def once(player: Player) -> idempotency.Asked | None:
    """What a form asks for, by the name that its page gave it: sent again as it is, it is done once; filled in
    otherwise, it is another. None where it has no name."""
    key = text_field("key", 32)
    what = sha256(repr(sorted(one for one in request.form.items() if one[0] != "form")).encode()).hexdigest()
    return idempotency.asked(f"{key}.{what}" if key else None, player, request.endpoint)


def guard(secret: str, beginning: bool = False) -> None:
    """Let a form through that came from one of our pages, made for the holder of `secret`. Raises `Forbidden`.

    A page here sends no Referer, so browsers give `null` as the origin of its forms: then they tell otherwise where
    the form came from, and the token in the form has to be right in any case.

    `beginning` is for forms that begin a session: anybody can have a token for these, and who sends them for somebody
    else puts another session in the place of theirs, which may be all that a guest has. Over plain HTTP browsers do not
    tell where a form came from: there the page has to have been here.
    """
    origin = request.headers.get("Origin", "null")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    unknown = origin == "null" and "Sec-Fetch-Site" not in request.headers and not _came_from_here()
    if (
        site not in ("same-origin", "none")
        or (origin != "null" and origin not in _origins())
        or (beginning and unknown)
    ):
        raise Forbidden(_("This form was sent from another site: open the page here and try once more."))
    if not sessions.check_form(request.form.get("form"), secret, now()):
        raise Forbidden(_("This page is too old or was not made here. Open it again and try once more."))


def form_token(secret: str) -> str:
    """What a page has to put into its forms; another every minute, so that nobody guesses it from compressed pages."""
    return sessions.form_token(secret, now())


def mark_browser(response: Response) -> None:
    """Let a browser that tells nothing of where its forms come from bring along that it has been here."""
    if "Sec-Fetch-Site" not in request.headers and not _came_from_here():
        response.set_cookie(
            cookie_name(HERE_COOKIE), "1", path=cookie_path(), secure=is_secure(), httponly=True, samesite="Strict"
        )


def _came_from_here() -> bool:
    return cookie_name(HERE_COOKIE) in request.cookies


def _origins() -> set[str]:
    here, public = urlsplit(request.host_url), urlsplit(settings().public_url)
    return {f"{parts.scheme}://{parts.netloc}" for parts in (here, public)}


Answer = TypeVar("Answer", bound=Response)


def reasons(refusal: ServiceError) -> dict[str, str]:
    """Why something was refused: a sentence for each field, or one for all of the form under ""."""
    details = {name: why[0] for name, why in (refusal.errors or {}).items() if isinstance(why, list) and why}
    if not details:
        return {"": sentence(refusal.message)}
    return {name: sentence(str(why)) for name, why in details.items()}


def reason(refusal: ServiceError) -> str:
    """The first of `reasons`, where the field's name stands beside it or there is but one."""
    return next(iter(reasons(refusal).values()))


def refused(response: Answer, refusal: ServiceError) -> Answer:
    """The page that says what was refused, with the headers of the refusal."""
    response.headers.update(headers_of(refusal))
    return response
