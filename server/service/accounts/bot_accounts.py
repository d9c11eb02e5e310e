"""Accounts of programs: owned by an ordinary account, without address, playing by the API with a token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import access, account_opening, bot_rules
from server.service.accounts.bot_rules import BotRules
from server.service.accounts.players import Player, player_by_id, require_in
from server.service.common import audit_log, checks, db_rate_limits, idempotency
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.service.common.quotas import BOTS_A_DAY, DAY
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

BOTS_MAX = 5
"""How many bots an account may own."""
HANDLE = re.compile(r"(?!(?:verify|statistics)$)[a-z][a-z0-9]{1,23}")
TAIL = " (bot)"
NAME_MAX = 40
"""Characters of a bot's name, before the tail."""
SCOPES = ("read", "play")
SEEN = DAY
"""A bot that used its token within so long is offered in the forms."""
OFFERED_MAX = 30


class BotAccount(NamedTuple):
    """A bot's account."""

    player: str
    handle: str
    name: str
    owner: str
    owner_name: str
    rules: BotRules
    created_at: str


class ShownBot(TypedDict):
    """A bot's account as everybody reads it."""

    player: Annotated[str, "The id of its account."]
    handle: Annotated[str, "By which it is seated, with its @."]
    name: str
    owner: Annotated[str, "What its owner is called."]
    rules: BotRules
    playing: Annotated[int, "Its games that are not over."]
    created_at: Annotated[UtcTime, "When it was made."]


class NewBot(ShownBot):
    """A bot that was just made, or has another token; that is shown this once."""

    token: str


_COLUMNS = """
    SELECT b.player_id, b.handle, p.name, b.owner_id, o.name, b.who, b.rules, b.created_at
    FROM bot_account b JOIN player p ON p.id = b.player_id JOIN player o ON o.id = b.owner_id"""
_PLAYING = """
    SELECT COUNT(*) FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.status IN ('open', 'running')"""
_TAKING = "b.who <> 'nobody' AND p.banned_at IS NULL"
_LISTED = _COLUMNS + f" WHERE {_TAKING} ORDER BY b.handle LIMIT ? OFFSET ?"
_NUMBER = f"SELECT COUNT(*) FROM bot_account b JOIN player p ON p.id = b.player_id WHERE {_TAKING}"  # noqa: S608
_OFFERED = f"""
    WHERE {_TAKING} AND (b.owner_id = ? OR (b.who = 'everybody' AND EXISTS (
        SELECT 1 FROM token t WHERE t.player_id = b.player_id AND t.revoked_at IS NULL AND t.last_used_at >= ?)))
    ORDER BY CASE WHEN b.owner_id = ? THEN 0 ELSE 1 END, b.handle LIMIT ?"""  # noqa: S608


def _read(row: sql.Row) -> BotAccount:
    player, handle, name, owner, owner_name, who, rules, created_at = row
    return BotAccount(player, handle, name, owner, owner_name, bot_rules.read(who, rules), created_at)


def find(store: Store, handle: str, locked: bool = False) -> BotAccount | None:
    """The bot of a handle (without its @), inside a transaction; `locked` against others who seat it."""
    if not HANDLE.fullmatch(handle):
        return None
    if locked:
        sql.row(store, sql.locking(store, "SELECT player_id FROM bot_account WHERE handle = ?"), handle)
    found = sql.row(store, _COLUMNS + " WHERE b.handle = ?", handle)
    return None if found is None else _read(found)


def is_bot(store: Store, player_id: str) -> bool:
    """Whether this account is a bot's; inside a transaction."""
    return sql.row(store, "SELECT 1 FROM bot_account WHERE player_id = ?", player_id) is not None


def require_person(store: Store, player: Player) -> None:
    """Raise `Forbidden` for a bot's account: this is for people. Inside a transaction."""
    if is_bot(store, player.id):
        raise Forbidden(_("this is for people: a bot plays where it is seated, and does nothing else"))


def hands(store: Store, player_ids: Iterable[str]) -> list[str]:
    """Whose eyes look through each of these accounts: the owner's through a bot's, else their own."""
    statement = "SELECT owner_id FROM bot_account WHERE player_id = ?"
    return [(sql.row(store, statement, player_id) or (player_id,))[0] for player_id in player_ids]


def is_closed(store: Store, player_id: str) -> bool:
    """Whether the operator has banned the account, and with it its bots; inside a transaction."""
    return sql.row(store, "SELECT 1 FROM player WHERE id = ? AND banned_at IS NOT NULL", player_id) is not None


def playing(store: Store, player_id: str) -> int:
    """In how many games that are not over a bot sits; inside a transaction."""
    return sql.value(store, _PLAYING, player_id) or 0


def _shown(store: Store, bot: BotAccount) -> ShownBot:
    return {
        "player": bot.player,
        "handle": f"@{bot.handle}",
        "name": bot.name,
        "owner": bot.owner_name,
        "rules": bot.rules,
        "playing": playing(store, bot.player),
        "created_at": bot.created_at,
    }


def of_owner(store: Store, owner: Player) -> list[ShownBot]:
    """The bots of an account, by handle."""
    with store.read():
        found = sql.rows(store, _COLUMNS + " WHERE b.owner_id = ? ORDER BY b.handle", owner.id)
        return [_shown(store, _read(row)) for row in found]


def listing(store: Store, page: int, page_size: int) -> tuple[list[ShownBot], int]:
    """All bots with an account that take games, by handle, and how many there are."""
    with store.read():
        [(number,)] = sql.rows(store, _NUMBER)
        rows = sql.rows(store, _LISTED, page_size, (page - 1) * page_size)
        return [_shown(store, _read(row)) for row in rows], number


def offered(store: Store, player: Player | None, since: str) -> list[tuple[str, str, str]]:
    """Handle, name and owner of the bots that a form offers to `player`: own ones, then those seen since then."""
    own = "" if player is None else player.id
    rows = sql.rows(store, _COLUMNS + _OFFERED, own, since, own, OFFERED_MAX)
    return [(f"@{row[1]}", str(row[2]), str(row[4])) for row in rows]


def create(
    store: Store,
    owner: Player,
    handle: str,
    name: str | None,
    rules: Mapping[str, object] | None,
    now: datetime,
    asked: idempotency.Asked | None = None,
) -> NewBot:
    """A bot of `owner`, with its token. Raises `Unprocessable`, `Forbidden` (a bot owns none), `Conflict` (too many,
    handle taken, made before under the same key), `TooManyRequests`."""
    if not isinstance(handle, str) or not HANDLE.fullmatch(handle):
        raise bad_field("handle", _("2 to 24 small letters (a-z) and digits, a letter first"))
    called, wanted = _name(name or handle), bot_rules.check(rules or {})
    with store.write():
        # The owner's row stands for the number of bots: who makes one at the same time waits for it.
        require_in(store, owner)
        idempotency.require_first(store, asked)
        require_person(store, owner)
        if (sql.value(store, "SELECT COUNT(*) FROM bot_account WHERE owner_id = ?", owner.id) or 0) >= BOTS_MAX:
            refusal = _("you own %(number)s bots already: delete one first", number=BOTS_MAX)
            raise Conflict(refusal, kind="limit-reached")
        if find(store, handle) is not None:
            raise Conflict(_("there is a bot @%(handle)s already: choose another handle", handle=handle))
        refusal = _("you have made %(number)s bots today: try again tomorrow", number=BOTS_A_DAY)
        db_rate_limits.require(store, "bot", owner.id, BOTS_A_DAY, DAY, now, refusal)
        player = account_opening.add(store, called, now, "owner")
        row = {"player_id": player.id, "owner_id": owner.id, "handle": handle, "created_at": utc(now)}
        sql.insert(store, "bot_account", **row, who=wanted["who"], rules=bot_rules.write(wanted))
        token = _give_token(store, player.id, now)
        idempotency.keep(store, asked, {"id": player.id}, now)
        return {**_shown(store, owned(store, owner, handle)), "token": token}


def owned(store: Store, owner: Player, handle: str) -> BotAccount:
    """A bot of that owner, inside a transaction. Raises `NotFound`."""
    found = find(store, handle)
    if found is None or found.owner != owner.id:
        raise NotFound(_("you own no such bot; GET /api/v1/players/me/bots lists yours"))
    return found


def one(store: Store, owner: Player, handle: str) -> ShownBot:
    """A bot of that owner. Raises `NotFound`."""
    with store.read():
        return _shown(store, owned(store, owner, handle))


def account(store: Store, owner: Player, handle: str) -> Player:
    """The account of a bot of that owner. Raises `NotFound`."""
    with store.read():
        found = player_by_id(store, owned(store, owner, handle).player)
    assert found is not None  # noqa: S101 - the row of the bot refers to it
    return found


def change(store: Store, owner: Player, handle: str, name: str | None, rules: Mapping[str, object] | None) -> ShownBot:
    """Another name for games to come, or other rules; what is not given stays. Raises `NotFound`, `Unprocessable`."""
    with store.write():
        require_in(store, owner)
        bot = owned(store, owner, handle)
        if name is not None:
            called = _name(name)
            statement = "UPDATE player SET name = ?, found_as = ? WHERE id = ?"
            sql.execute(store, statement, called, checks.folded(called), bot.player)
        if rules is not None:
            wanted = bot_rules.check(rules, bot.rules)
            statement = "UPDATE bot_account SET who = ?, rules = ? WHERE player_id = ?"
            sql.execute(store, statement, wanted["who"], bot_rules.write(wanted), bot.player)
        return _shown(store, owned(store, owner, handle))


def renew_token(store: Store, owner: Player, handle: str, now: datetime) -> NewBot:
    """Another token for a bot; the one before ends. Raises `NotFound`."""
    with store.write():
        require_in(store, owner)
        bot = owned(store, owner, handle)
        sql.execute(store, "DELETE FROM token WHERE player_id = ?", bot.player)
        token = _give_token(store, bot.player, now)
        return {**_shown(store, bot), "token": token}


def _give_token(store: Store, player_id: str, now: datetime) -> str:
    audit_log.note(store, "token_made", now, player_id, scopes=" ".join(SCOPES))
    return access.give_token(store, player_id, now, SCOPES)


def _name(given: str) -> str:
    name = checks.name("name", given)
    bare = name.removesuffix(TAIL).strip() or name
    if len(bare) > NAME_MAX:
        raise bad_field("name", _("at most %(number)s characters", number=NAME_MAX))
    return bare + TAIL
