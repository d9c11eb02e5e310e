"""What a webhook is sent: our own JSON, signed, or what Discord, Slack, Matrix and ntfy take.

Signatures are those of https://www.standardwebhooks.com: HMAC-SHA256 over id, time and body, for which there are
libraries. Words that players chose stand in bodies as words: they make no link text, no mention and no markup."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from server.notify.outward import Request

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Notice:
    """What a channel tells: one piece of news, in the words of its player's language."""

    id: str  # the same each time that it is sent
    kind: str
    game: str | None
    title: str
    text: str
    url: str  # of the game's page, for who is signed in
    stop_url: str  # where one press ends news of this game by this channel; "" where it is about none
    labels: tuple[str, str]  # of the ways to the two addresses
    at: str  # when it happened, text in UTC
    waiting: int  # in how many games it is the player's turn


def signed(secret: str, notice_id: str, timestamp: int, body: bytes) -> str:
    """The signature of a body, as it stands in `webhook-signature`."""
    made = hmac.new(secret.encode(), b".".join([notice_id.encode(), str(timestamp).encode(), body]), hashlib.sha256)
    return f"v1,{b64encode(made.digest()).decode()}"


def _body(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _links(notice: Notice) -> list[tuple[str, str]]:
    """The ways from a notice: to its game, and to where one press ends news of it."""
    return [one for one in zip(notice.labels, (notice.url, notice.stop_url), strict=True) if one[1]]


def _json(notice: Notice, address: str, secret: str, timestamp: int) -> Request:
    body = _body(
        {
            "type": notice.kind,
            "timestamp": notice.at,
            "data": {
                "game": notice.game,
                "title": notice.title,
                "text": notice.text,
                "url": notice.url,
                "stop_url": notice.stop_url,
                "games_waiting": notice.waiting,
            },
        }
    )
    headers = {
        **_JSON,
        "webhook-id": notice.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signed(secret, notice.id, timestamp, body),
    }
    return Request(address, body, headers)


def _discord(notice: Notice, address: str, _secret: str, _timestamp: int) -> Request:
    title, text = (re.sub(r"([\\*_~`|>#\[\]()@<:-])", r"\\\1", one) for one in (notice.title, notice.text))
    lines = [f"**{title}**", text, *(f"[{label}](<{url}>)" for label, url in _links(notice))]
    return Request(address, _body({"content": "\n".join(lines), "allowed_mentions": {"parse": []}}), _JSON)


def _slack(notice: Notice, address: str, _secret: str, _timestamp: int) -> Request:
    title, text = (
        one.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for one in (notice.title, notice.text)
    )
    lines = [title, text, *(f"<{url}|{label}>" for label, url in _links(notice))]
    return Request(address, _body({"text": "\n".join(lines)}), _JSON)


def _matrix(notice: Notice, address: str, secret: str, _timestamp: int) -> Request:
    """The home server knows each by its id: what is sent twice stands in the room once."""
    parts = urlsplit(address)
    room, number = (quote(one, safe="") for one in (parts.path.strip("/"), notice.id))
    url = f"{parts.scheme}://{parts.netloc}/_matrix/client/v3/rooms/{room}/send/m.room.message/{number}"
    lines = [notice.title, notice.text, *(f"{label}: {url}" for label, url in _links(notice))]
    body = _body({"msgtype": "m.text", "body": "\n".join(lines)})
    return Request(url, body, {**_JSON, "Authorization": f"Bearer {secret}"}, "PUT")


def _ntfy(notice: Notice, address: str, secret: str, _timestamp: int) -> Request:
    parts = urlsplit(address)
    buttons = [{"action": "view", "label": label, "url": url} for label, url in _links(notice)]
    told = {"title": notice.title, "message": notice.text, "click": notice.url, "actions": buttons}
    body = _body({"topic": parts.path.strip("/"), **told})
    more = {"Authorization": f"Bearer {secret}"} if secret else {}
    return Request(f"{parts.scheme}://{parts.netloc}/", body, {**_JSON, **more})


SHAPES: dict[str, Callable[[Notice, str, str, int], Request]] = {
    "json": _json,
    "discord": _discord,
    "slack": _slack,
    "matrix": _matrix,
    "ntfy": _ntfy,
}
"""What makes the request, of a notice, the address, the secret and the time of sending (seconds since 1970)."""
