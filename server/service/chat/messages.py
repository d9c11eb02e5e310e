"""What the players of a game write to each other. Only they read it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import contacts, stored_bytes
from server.service.accounts.players import Player
from server.service.common import change_signal, checks, db_rate_limits, idempotency
from server.service.common.errors import bad_field
from server.service.common.quotas import HOUR, MESSAGES_AN_HOUR
from server.service.games import loading, notices
from server.service.games.model import Game
from server.service.outbox.enqueuing import tell
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

TEXT_MAX = 1000
LINES_MAX = 40
SHOWN = 200
_COPIED = str.maketrans({"\t": " ", "\u00ad": None})  # soft hyphens: what comes along with copied text
_JOINERS = "\u200c\u200d"  # hold some emoji together; Persian and Sinhala cannot be written without


class ShownMessage(TypedDict):
    """A message; `name` is None of who has left."""

    id: int
    seat: Annotated[int, "Whose it is."]
    name: str | None
    text: str
    at: Annotated[UtcTime, "When it was written."]


def check(value: object) -> str:
    """A message as it is stored: some lines of plain text, trimmed. Raises `Unprocessable`."""
    text = lines("text", value, TEXT_MAX, LINES_MAX)
    if not text:
        raise bad_field("text", _("write 1 to %(most)s characters, not %(length)s", most=TEXT_MAX, length=0))
    return text


def lines(field: str, value: object, most: int, most_lines: int) -> str:
    """The same of any field, and of any length; there may be none."""
    text = checks.lines(field, value, most).translate(_COPIED).strip()
    for character in text:
        if not character.isprintable() and character not in "\n" + _JOINERS:
            raise bad_field(field, _("remove the character %(code)s", code=f"U+{ord(character):04X}"))
    if len(text) > most:
        raise bad_field(field, _("write 1 to %(most)s characters, not %(length)s", most=most, length=len(text)))
    if text.count("\n") >= most_lines:
        raise bad_field(field, _("write at most %(lines)s lines", lines=most_lines))
    return text


def post(
    store: Store, game_id: str, player: Player, text: object, now: datetime, key: str | None = None
) -> ShownMessage:
    """Write to the others of a game, who are told by mail; once by `key`. Raises `NotFound`, `Forbidden` (no seat),
    `Unprocessable`, `TooManyRequests`, `TooLarge`."""
    checked = check(text)
    request = idempotency.asked(key, player, "message", checked, game_id=game_id)
    with store.write():
        game = loading.for_change(store, game_id)
        game.require_seated(player)
        first = idempotency.before(store, request)
        if first is not None:
            return _said(store, game, first.kept["id"])
        number = say(store, game, player, checked, now)
        idempotency.keep(store, request, {"id": number}, now)
        return _said(store, game, number)


def say(store: Store, game: Game, player: Player, checked: str, now: datetime) -> int:
    """Store a checked message; its number. Who writes has read what was written before. Raises `Forbidden`,
    `TooManyRequests`, `TooLarge`."""
    seat = game.require_seat(player)
    refusal = _("you have written %(number)s messages in this hour: try again in the next", number=MESSAGES_AN_HOUR)
    db_rate_limits.require(store, "message", f"{game.id} {player.id}", MESSAGES_AN_HOUR, HOUR, now, refusal)
    stored_bytes.count(store, player, stored_bytes.MESSAGE + stored_bytes.size_of(checked))
    row = {"game_id": game.id, "seat": seat, "player_id": player.id, "text": checked, "created_at": utc(now)}
    number = sql.insert_numbered(store, "message", **row)
    sql.execute(store, _READ, number, game.id, player.id, number)
    tell(store, notices.of_message(game, number, seat, contacts.deaf_to(store, player.id)), now)
    change_signal.game_changes(store, game.id)
    return number


_READ = "UPDATE seat SET read_message = ? WHERE game_id = ? AND player_id = ? AND read_message < ?"


def note_read(store: Store, game_id: str, player: Player, number: int) -> None:
    """Note that the player has read all up to message `number`, what happened at the table too. Raises `NotFound`,
    `Forbidden` (no seat)."""
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
    with store.write():
        newest = sql.value(store, "SELECT MAX(id) FROM message WHERE game_id = ?", game_id) or 0
        read = min(number, newest)
        sql.execute(store, _READ, read, game_id, player.id, read)


_SAID = "SELECT m.id, m.seat, m.player_id, m.text, m.created_at FROM message m"
_NEWER = f"{_SAID} WHERE m.game_id = ? AND m.id > ? AND m.kind IS NULL AND {contacts.HEARD} ORDER BY m.id DESC LIMIT ?"


class Found(NamedTuple):
    """A message, or what happened at the table (`kind`, a `table_events.Event`). `player` is None of who has left."""

    seat: int
    player: str | None
    text: str
    kind: str | None


_FIND = f"""
    SELECT m.seat, m.player_id, m.text, m.kind FROM message m
    WHERE m.id = ? AND m.game_id = ? AND {contacts.HEARD}"""  # noqa: S608


def find(store: Store, game_id: str | None, number: int | None, reader: str) -> Found | None:
    """A message, for its mail to a player (by the id); None when it is gone, or its reader does not read it by now."""
    found = sql.row(store, _FIND, number, game_id, reader)
    return None if found is None else Found(*found)


def _said(store: Store, game: Game, number: int) -> ShownMessage:
    """A message as those at the table read it."""
    [found] = sql.rows(store, _SAID + " WHERE m.id = ?", number)
    return _shown(game, found)


def _shown(game: Game, found: sql.Row) -> ShownMessage:
    number, seat, player_id, text, at = found
    return {"id": number, "seat": seat, "name": game.author(seat, player_id), "text": text, "at": at}


def listing(store: Store, game_id: str, player: Player | None, since: int = 0) -> list[ShownMessage]:
    """Messages of a game after number `since`, oldest first, without those of whom the player does not read. Raises
    `NotFound`, `Forbidden`, `Unprocessable`."""
    since = checks.whole("since", since, 0, 2**31 - 1)
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_seated(player)
        reader = "" if player is None else player.id
        found = sql.rows(store, _NEWER, game.id, since, reader, SHOWN)
    return [_shown(game, message) for message in reversed(found)]
