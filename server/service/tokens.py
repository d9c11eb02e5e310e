"""The tokens of a player: one for each device or program, each of which can be revoked by itself."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from server.language import gettext as _
from server.service import audit, checks, sql
from server.service.accounts import Entropy, Player, new_token, token_hash
from server.service.errors import Conflict, NotFound
from server.storage.database import Store
from server.storage.models import Player as Account
from server.storage.models import Token, utc

TOKENS_MAX = 20
"""How many tokens of a player may be valid at the same time."""

ID_LENGTH = 16
"""A token's public id is the beginning of its hash: it tells neither the token nor how many others there are."""


def listing(store: Store, player: Player) -> list[dict[str, Any]]:
    """The player's valid tokens, oldest first: `{id, name, created_at, last_used_at}`; never the tokens themselves."""
    with store.read():
        return [_shown(row) for row in _valid(player)]


def create(
    store: Store, player: Player, name: str, now: datetime, entropy: Entropy = secrets.token_bytes
) -> dict[str, Any]:
    """A further token; returns what `listing` shows and the `token` itself, this once.

    What was revoked before is deleted. Raises `Unprocessable` for a name that cannot be, `Conflict` when the player has
    `TOKENS_MAX` already.
    """
    name = checks.name("name", name, 0)
    token = new_token(entropy)
    with store.write():
        # The player's row stands for the number of tokens: who makes one at the same time waits for it.
        store.for_update(Account.select(Account.id).where(Account.id == player.id)).get()
        if _valid(player).count() >= TOKENS_MAX:
            raise Conflict(_("you have %(number)s tokens already: revoke one that you do not need first",
                             number=TOKENS_MAX), kind="limit-reached")
        Token.delete().where((Token.player == player.id) & Token.revoked_at.is_null(False)).execute()
        row = Token.create(player=player.id, hash=token_hash(token), name=name, created_at=utc(now))
        audit.note(store, "token_made", now, player.id, token=row.hash[:ID_LENGTH])
        return {**_shown(row), "token": token}


def rename(store: Store, player: Player, token_id: str, name: str) -> dict[str, Any]:
    """Call one of the player's tokens something else; returns what `listing` shows of it.

    Raises `Unprocessable` for a name that cannot be, `NotFound`.
    """
    name = checks.name("name", name, 0)
    with store.write():
        row = _named(list(store.for_update(_valid(player))), token_id)
        row.name = name
        row.save()
        return _shown(row)


def revoke(store: Store, player: Player, token_id: str, now: datetime) -> None:
    """Make one of the player's tokens invalid for ever.

    Raises `NotFound`, and `Conflict` for the last valid one of a player who cannot sign in by mail: without any, nobody
    could reach the account again.
    """
    with store.write():
        rows = list(store.for_update(_valid(player)))
        row = _named(rows, token_id)
        if len(rows) == 1 and sql.row(store, _MAILED, player.id) is None:
            raise Conflict(
                _("this is your only token: make another one, or confirm a mail address to sign in with, before you "
                  "revoke it")
            )
        row.revoked_at = utc(now)
        row.save()
        audit.note(store, "token_revoked", now, player.id, token=token_id)


_MAILED = "SELECT 1 FROM player WHERE id = ? AND email_confirmed_at IS NOT NULL AND mail_stopped_at IS NULL"


def _named(rows: list[Token], token_id: str) -> Token:
    for row in rows:
        if row.hash[:ID_LENGTH] == token_id:
            return row
    raise NotFound(_("you have no such token; GET /api/v1/players/me/tokens lists those that are valid"))


def _valid(player: Player) -> Any:
    mine = (Token.player == player.id) & Token.revoked_at.is_null()
    return Token.select().where(mine).order_by(Token.id)


def _shown(row: Token) -> dict[str, Any]:
    return {
        "id": row.hash[:ID_LENGTH],
        "name": row.name,
        "created_at": row.created_at,
        "last_used_at": row.last_used_at,
    }
