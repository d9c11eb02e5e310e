"""`/spool`: the mails that were put into files. Sign-in links are among them: the pages are there only while mail is
not configured and the server is not public, for a browser on this machine that asked for it by name, and has opened the
address that the server prints at its start. For whoever comes through a proxy that says nothing of itself looks like
this machine, too."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as WerkzeugResponse

from server.language import current
from server.language import gettext as _
from server.notify import spool
from server.service.common.networks import is_loopback
from server.settings import Settings

PATH = "/spool"
_COOKIE = "ulm_spool"
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_CID = re.compile(r"""(["'(])\s*cid:([^"')\s]+)""", re.IGNORECASE)
_PICTURES = ("image/png", "image/jpeg", "image/gif")


def offered(settings: Settings) -> bool:
    """Whether the pages are there at all: no mail server, no address for the public, no proxy in front."""
    public = bool(settings.base_url) and not is_loopback(urlsplit(settings.base_url).hostname or "")
    return not settings.smtp_url and not public and not settings.proxy_hops


def address(settings: Settings) -> str:
    """Path and key that open the pages. Raises `OSError`."""
    return f"{PATH}?key={spool.key(spool.directory(settings))}"


def register(app: Flask) -> None:
    """Add the pages to `app` where they are offered."""
    settings: Settings = app.extensions["ulm.settings"]
    if not offered(settings):
        return
    blueprint = Blueprint("spool", __name__, template_folder="templates")

    @blueprint.before_request
    def guard() -> WerkzeugResponse | None:
        hosts = (request.remote_addr or "", urlsplit(f"//{request.host}").hostname or "")
        if not all(map(is_loopback, hosts)) or any(name in request.headers for name in _FORWARDED):
            abort(404)
        given, key = request.args.get("key"), spool.key(_directory())
        if not hmac.compare_digest((given or request.cookies.get(_COOKIE, "")).encode(), key.encode()):
            said = _("The mails are shown at the address with a key that the server printed when it was started.")
            return Response(said, 403, mimetype="text/plain")
        return None if given is None else _opened(key)

    @blueprint.get(PATH)
    def index() -> Response:
        return _page("spool/list.html", mails=spool.listing(_directory()), directory=_directory())

    @blueprint.get(f"{PATH}/<name>")
    def mail(name: str) -> Response:
        message = _read(name)
        headers = [(key, str(message[key])) for key in ("From", "To", "Subject", "Date") if message[key] is not None]
        return _page(
            "spool/mail.html",
            name=name,
            headers=headers,
            all_headers=list(message.items()),
            text=_body(message, "plain"),
            has_html=_body(message, "html") is not None,
        )

    @blueprint.get(f"{PATH}/<name>/html")
    def html(name: str) -> Response:
        message = _read(name)
        body = _body(message, "html")
        if body is None:
            abort(404)
        # The mail's own HTML, as far from this page as a browser can keep it: no script, no origin, nothing from
        # elsewhere. Links open beside it.
        policy = (
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
        )
        return Response(
            _with_pictures(body, message),
            mimetype="text/html",
            headers={"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"},
        )

    @blueprint.get(f"{PATH}/<name>.eml")
    def source(name: str) -> Response:
        return Response(
            _read(name).as_bytes(),
            mimetype="message/rfc822",
            headers={"Content-Disposition": f'attachment; filename="{name}.eml"'},
        )

    def _read(name: str) -> EmailMessage:
        message = spool.read(_directory(), name)
        if message is None:
            abort(404)
        return message

    app.register_blueprint(blueprint)


def _opened(key: str) -> WerkzeugResponse:
    answer = redirect(url_for("spool.index"))
    answer.set_cookie(_COOKIE, key, path=url_for("spool.index"), httponly=True, samesite="Lax")
    return answer


def _directory() -> Path:
    settings: Settings = current_app.extensions["ulm.settings"]
    return spool.directory(settings)


def _page(template: str, **values: object) -> Response:
    nonce = secrets.token_urlsafe(16)
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return Response(
        render_template(template, nonce=nonce, language=current(), **values),
        headers={"Content-Security-Policy": policy},
    )


def _body(message: EmailMessage, kind: str) -> str | None:
    """The text or the HTML of a mail; None when it has none."""
    part = message.get_body((kind,))
    try:
        return None if part is None else str(part.get_content())
    except (LookupError, UnicodeError):
        return _("(This part is written in a way that cannot be read here.)")


def _with_pictures(body: str, message: EmailMessage) -> str:
    """The HTML with each `cid:` address replaced by the picture itself, and links that open in a tab of their own."""
    pictures = {}
    for part in message.walk():
        name = str(part.get("Content-ID", "")).strip().strip("<>")
        if name and part.get_content_type() in _PICTURES:
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                pictures[name] = f"data:{part.get_content_type()};base64,{base64.b64encode(data).decode('ascii')}"
    shown = _CID.sub(lambda found: found[1] + pictures.get(found[2], "data:,"), body)
    target = '<base target="_blank">'
    head = re.search(r"<head[^>]*>", shown, re.IGNORECASE)
    return target + shown if head is None else shown[: head.end()] + target + shown[head.end() :]
