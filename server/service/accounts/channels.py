"""Where a player's news go beside mail: browsers that take pushes, webhooks; and the secret of their feeds."""

from __future__ import annotations

import json
import re
import secrets
from base64 import urlsafe_b64decode
from binascii import Error as NotBase64
from datetime import datetime, timedelta
from typing import Annotated, Literal, TypedDict, cast
from urllib.parse import urlsplit

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.language import gettext as _
from server.service.accounts.players import Player, player_by_id, require_in
from server.service.common import audit_log, checks, db_rate_limits, idempotency
from server.service.common.errors import Conflict, NotFound, bad_field
from server.service.common.ids import address_token
from server.service.common.quotas import CHANNELS_A_DAY, DAY
from server.service.outbox import channel_queue, push_keys
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SHAPES = ("json", "discord", "slack", "matrix", "ntfy")
"""What a webhook is sent: our own form, signed; or what one of these services takes."""
CHANNELS_MAX = 10
"""How many channels of a kind a player may have."""
LOGGED = 10
"""So many deliveries of a channel are shown."""
ADDRESS_MAX = 1000
OFF_AFTER = timedelta(days=3)
"""A channel where nothing arrived for so long is off, until a trial arrives there."""
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.:\[\]_-]+(/[!-~]*)?")


class ShownDelivery(TypedDict):
    """What became of one piece of news."""

    kind: str
    game: str | None
    state: Annotated[str, JsonSchema(enum=["pending", "sending", "sent", "skipped", "dead"])]
    at: Annotated[UtcTime, "When it was done, or is to be tried."]
    error: Annotated[str | None, "Why it failed the last time, or is not sent."]


class ShownChannel(TypedDict):
    """A browser or a webhook; what is secret of it is not shown."""

    id: str
    kind: Annotated[str, JsonSchema(enum=["push", "webhook"])]
    name: Annotated[str, "The browser, or the host of the address."]
    shape: Annotated[str | None, "What a webhook is sent.", JsonSchema(enum=SHAPES)]
    address: Annotated[str | None, "Of a webhook."]
    created_at: Annotated[UtcTime, "When it was made."]
    failing_since: Annotated[UtcTime | None, "Since when nothing has arrived; after three days it is off."]
    deliveries: Annotated[list[ShownDelivery], "The newest first."]


class NewChannel(ShownChannel):
    """A webhook that was just made."""

    signing_secret: Annotated[str | None, "By which bodies of the shape json are signed."]


_OWN = """
    SELECT id, kind, address, secret, settings, created_at, failing_since FROM channel
    WHERE player_id = ? AND kind IN ('push', 'webhook') ORDER BY id"""
_LOG = """
    SELECT kind, game_id AS game, state, coalesce(done_at, due_at) AS at, error FROM delivery
    WHERE channel_id = ? ORDER BY id DESC LIMIT ?"""


def listing(store: Store, player: Player) -> list[ShownChannel]:
    """The player's channels, oldest first, with what went there."""
    with store.read():
        return [_shown(store, row) for row in sql.dicts(store, _OWN, player.id)]


def _shown(store: Store, row: sql.ByName) -> ShownChannel:
    settings, hook = json.loads(row["settings"]), row["kind"] == "webhook"
    return {
        "id": str(row["id"]),
        "kind": row["kind"],
        "name": settings.get("name") or urlsplit(row["address"]).hostname or "",
        "shape": settings.get("shape"),
        "address": row["address"] if hook else None,
        "created_at": row["created_at"],
        "failing_since": row["failing_since"],
        "deliveries": cast("list[ShownDelivery]", sql.dicts(store, _LOG, row["id"], LOGGED)),
    }


def signing_secrets(store: Store, player: Player) -> dict[str, str]:
    """The secrets by which what goes to the player's own programs is signed, by channel."""
    found = sql.dicts(store, _OWN, player.id)
    return {str(row["id"]): row["secret"] for row in found if json.loads(row["settings"]).get("shape") == "json"}


def add_webhook(
    store: Store,
    player: Player,
    shape: object,
    address: object,
    token: object,
    now: datetime,
    plain: bool = False,
    asked: idempotency.Asked | None = None,
) -> NewChannel:
    """Send news of the player's games to an address, and a trial at once. `shape` is one of `SHAPES`, `token` what the
    service there wants to see (""), `plain`: there are addresses that may be reached without TLS. What was `asked` for
    before is not made again.

    Raises `Unprocessable`, `Conflict` beyond `CHANNELS_MAX`, `TooManyRequests`, `AccessEndedError`."""
    if not isinstance(shape, str) or shape not in SHAPES:
        raise bad_field("shape", _("give one of %(names)s", names=", ".join(SHAPES)))
    given = _address(address, plain)
    secret = checks.text("token", token, 500).strip()
    if not re.fullmatch("[!-~]*", secret):
        raise bad_field("token", _("a token has neither spaces nor accents"))
    path = urlsplit(given).path.strip("/")
    if shape == "matrix" and (not secret or not re.fullmatch("![^/]+", path)):
        raise bad_field(
            "address",
            _("give https://, the home server, a slash and the room’s ID, which begins with !, and a token"),
        )
    if shape == "ntfy" and not re.fullmatch("[-_A-Za-z0-9]{1,64}", path):
        raise bad_field("address", _("give the address of a topic, such as https://ntfy.sh/my-topic"))
    if shape == "json":
        secret = f"whsec_{secrets.token_urlsafe(24)}"
    number = _add(store, player, "webhook", given, secret, {"shape": shape}, now, asked)
    made = next((one for one in listing(store, player) if one["id"] == str(number)), None)
    if made is None:
        raise _no_such()
    return {**made, "signing_secret": signing_secrets(store, player).get(made["id"])}


def _address(address: object, plain: bool) -> str:
    """An address as it is stored. Where it leads is looked at each time that something is sent there."""
    given = checks.text("address", address, ADDRESS_MAX).strip()
    try:
        good = _ADDRESS.fullmatch(given) and urlsplit(given).hostname and urlsplit(given).port != 0
    except ValueError:
        good = False
    if not good or not (plain or given.startswith("https:")):
        raise bad_field("address", _("give an address that begins with https://"))
    return given


def add_push(
    store: Store, player: Player, address: object, p256dh: object, auth: object, name: str, now: datetime
) -> None:
    """Push news to a browser, and a trial at once: what it gave of itself, and its `name`. It goes with the session of
    `player`, if they came by one. Raises as `add_webhook`."""
    if not push_keys.available():
        raise Conflict(_("this server sends no pushes"))
    given = _address(address, plain=False)
    keys = {"p256dh": _key("p256dh", p256dh, 65), "auth": _key("auth", auth, 16)}
    settings = {"name": name[:80], "p256dh": keys["p256dh"]}
    _add(store, player, "push", given, keys["auth"], settings, now)


def _key(field: str, value: object, length: int) -> str:
    text = checks.text(field, value, 200)
    try:
        if len(urlsafe_b64decode(text + "=" * (-len(text) % 4))) == length:
            return text
    except (NotBase64, ValueError):
        pass
    raise bad_field(field, _("give what the browser’s subscription says"))


def _add(
    store: Store,
    player: Player,
    kind: Literal["push", "webhook"],
    address: str,
    secret: str,
    settings: dict[str, str],
    now: datetime,
    asked: idempotency.Asked | None = None,
) -> int:
    session = player.door[1] if kind == "push" and player.door is not None and player.door[0] == "session" else None
    with store.write():
        require_in(store, player)
        told = idempotency.before(store, asked)
        if told is not None:
            return int(str(told.kept["id"]))
        if kind == "push":  # a browser is one player's at a time, and once
            sql.execute(store, "DELETE FROM channel WHERE kind = 'push' AND address = ?", address)
        count = "SELECT count(*) FROM channel WHERE player_id = ? AND kind = ?"
        if (sql.value(store, count, player.id, kind) or 0) >= CHANNELS_MAX:
            refusal = _("you have %(number)s of these already: remove one first", number=CHANNELS_MAX)
            raise Conflict(refusal, kind="limit-reached")
        refusal = _("you have added %(number)s channels today: try again tomorrow", number=CHANNELS_A_DAY)
        db_rate_limits.require(store, "channel", player.id, CHANNELS_A_DAY, DAY, now, refusal)
        row = {"player_id": player.id, "kind": kind, "address": address, "secret": secret}
        row |= {"settings": json.dumps(settings), "created_at": utc(now), "failing_since": utc(now)}
        number = sql.insert_numbered(store, "channel", **row, session=session)
        audit_log.note(store, "channel_added", now, player.id, kind=kind)
        channel_queue.put_test(store, number, now)
        idempotency.keep(store, asked, {"id": number}, now)
        return number


def _require(store: Store, player: Player, channel_id: str) -> int:
    """The number of a channel of the player, in the running transaction. Raises `NotFound`."""
    require_in(store, player)
    for row in sql.dicts(store, _OWN, player.id):
        if str(row["id"]) == channel_id:
            return int(row["id"])
    raise _no_such()


def _no_such() -> NotFound:
    return NotFound(_("you have no such channel; GET /api/v1/players/me/channels lists them"))


def try_out(store: Store, player: Player, channel_id: str, now: datetime) -> None:
    """Send a trial, one a minute at most; `listing` tells what became of it. Raises `NotFound`."""
    with store.write():
        channel_queue.put_test(store, _require(store, player, channel_id), now)


def remove(store: Store, player: Player, channel_id: str, now: datetime) -> None:
    """Send nothing there any more, nor what is on its way. Raises `NotFound`."""
    with store.write():
        sql.execute(store, "DELETE FROM channel WHERE id = ?", _require(store, player, channel_id))
        audit_log.note(store, "channel_removed", now, player.id)


def remove_push(store: Store, player: Player, address: str) -> None:
    """The same for a browser of this player that says so itself; where there is none, nothing."""
    with store.write():
        require_in(store, player)
        statement = "DELETE FROM channel WHERE player_id = ? AND kind = 'push' AND address = ?"
        sql.execute(store, statement, player.id, address)


def feed_secret(store: Store, player: Player) -> str | None:
    """The end of the addresses of the player's feeds; None while there are none."""
    found: str | None = sql.value(store, _FEED, player.id)
    return found


_FEED = "SELECT secret FROM channel WHERE player_id = ? AND kind = 'feed'"


def renew_feeds(store: Store, player: Player, now: datetime) -> str:
    """Give the player's feeds addresses, new ones where there are some: those lead nowhere from then on."""
    with store.write():
        require_in(store, player)
        sql.execute(store, "DELETE FROM channel WHERE player_id = ? AND kind = 'feed'", player.id)
        row = {"player_id": player.id, "kind": "feed", "address": "", "secret": address_token(), "settings": "{}"}
        sql.insert_numbered(store, "channel", **row, created_at=utc(now))
        audit_log.note(store, "feeds_renewed", now, player.id)
    return row["secret"]


_OF_FEED = """
    SELECT p.id FROM channel c JOIN player p ON p.id = c.player_id
    WHERE c.kind = 'feed' AND c.secret = ? AND p.banned_at IS NULL"""


def of_feed(store: Store, secret: str) -> Player:
    """Whose feeds have this end of an address. Raises `NotFound`."""
    with store.read():
        player = player_by_id(store, sql.value(store, _OF_FEED, secret))
    if player is None:
        raise NotFound(_("this address leads nowhere: it was renewed, or copied in part"))
    return player
