"""Pushes to browsers: encrypted for the browser alone (RFC 8291), and signed for its push service (RFC 8292)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from server.engine.canonical import Json
from server.notify.outward import Request
from server.notify.webhooks import Notice

KEPT = timedelta(days=1)
"""How long a push service keeps what a browser that is off has not fetched; of a game only the newest."""


def request(
    notice: Notice,
    address: str,
    auth: str,
    settings: Mapping[str, Json],
    keys: tuple[str, str],
    contact: str,
    now: datetime,
) -> Request:
    """What a push service is sent. `keys` are the server's own, `contact` is whom the service may write to. Raises
    `ValueError` where the browser's keys are none."""
    from py_vapid import Vapid02  # of the extra: half a second
    from pywebpush import WebPusher

    shown = {
        "id": notice.id,
        "title": notice.title,
        "text": notice.text,
        "url": notice.url,
        "stop": notice.stop_url,
        "tag": notice.game or notice.kind,
        "waiting": notice.waiting,
        "labels": notice.labels,
    }
    data = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
    subscription = {"endpoint": address, "keys": {"p256dh": str(settings["p256dh"]), "auth": auth}}
    body = WebPusher(subscription).encode(data)["body"]
    parts = urlsplit(address)
    ends = int((now + timedelta(hours=12)).timestamp())
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": f"mailto:{contact}", "exp": ends}
    topic = hashlib.sha256(str(shown["tag"]).encode()).hexdigest()[:32]
    headers = {
        **Vapid02.from_string(keys[0]).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Topic": topic,
        "Urgency": "high",
    }
    return Request(address, body, headers)
