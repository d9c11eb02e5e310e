"""What is written about the moves of a finished game: by those who sat there, and by others where they allow it.

Whoever may see the replay may read it; each says about which ply it is, so that a reader is shown none of later ones.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts, contacts, stored_bytes
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.chat import messages
from server.service.common import audit_log, db_rate_limits
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.service.common.quotas import COMMENTS_AN_HOUR, COMMENTS_OF_GAME, HOUR
from server.service.games import loading
from server.service.games.model import Game
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


class Comment(TypedDict):
    """What somebody wrote about a move."""

    id: int
    ply: Annotated[int, "The move that it is about; 0: the set-up."]
    seat: Annotated[int | None, "Where its author sat; null: not in this game."]
    player: Annotated[str | None, "Id; null of who has left."]
    name: Annotated[str | None, "null of who has left."]
    text: str
    at: Annotated[UtcTime, "When it was written."]


class Comments(TypedDict):
    """What is written about a finished game."""

    others: Annotated[bool, "Whether those may write who did not sit there."]
    refusal: Annotated[str | None, "Why the caller may not write; null: the caller may."]
    comments: Annotated[list[Comment], "In the order of the game: those on later moves tell what is to come."]


_SAID = """
    SELECT m.id, m.ply, m.seat, m.player_id, p.name, m.text, m.created_at
    FROM comment m LEFT JOIN player p ON p.id = m.player_id WHERE"""
_OF_GAME = f"""
    {_SAID} m.game_id = ? AND p.banned_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM contact c WHERE c.player_id = ? AND c.other_id = m.player_id AND c.kind <> 'friend')
    ORDER BY m.ply, m.id"""  # noqa: S608
_ALLOWED = "SELECT others_comment FROM game WHERE id = ?"
_SAME = "SELECT id FROM comment WHERE game_id = ? AND ply = ? AND player_id = ? AND text = ?"


def listing(store: Store, game_id: str, player: Player | None) -> Comments:
    """What `player` reads: without what those wrote whom they do not read, and who is banned. Raises `NotFound`."""
    with store.read():
        game = replays.find(store, game_id, player)
        rows = sql.rows(store, _OF_GAME, game.id, "" if player is None else player.id)
        return {
            "others": _others_may(store, game),
            "refusal": _why_not(store, game, player),
            "comments": [_shown(game, row) for row in rows],
        }


def _shown(game: Game, row: sql.Row) -> Comment:
    number, ply, seat, player_id, name, text, at = row
    called = name if seat is None else game.author(seat, player_id)
    return {"id": number, "ply": ply, "seat": seat, "player": player_id, "name": player_id and called, "text": text,
            "at": at}  # fmt: skip


def _others_may(store: Store, game: Game) -> bool:
    """As those who sat there have said; where no person did, who could be asked, everybody."""
    allowed = sql.value(store, _ALLOWED, game.id)
    asked = any(seat.player is not None and seat.is_person for seat in game.seats)
    return not game.private and (not asked if allowed is None else bool(allowed))


def _why_not(store: Store, game: Game, player: Player | None) -> str | None:
    """Why somebody may not write who may read."""
    if player is None:
        return _("sign in to write about games")
    if game.seat_of(player) is not None:
        return None
    seated = [seat.player for seat in game.seats]
    if not _others_may(store, game) or contacts.kept_away_by(store, player.id, seated):
        return _("only those who sat in this game write about it")
    if player.email_confirmed_at is None:
        return _("confirm your mail address first: then you may write about games of others")
    return None


def _locked(store: Store, game_id: str, player: Player) -> Game:
    """The finished game, before any player's row: so does everybody who stores a row that refers to both."""
    sql.value(store, sql.locking(store, "SELECT id FROM game WHERE id = ?"), game_id)
    return replays.find(store, game_id, player)


def post(store: Store, game_id: str, player: Player, ply: int, text: object, now: datetime) -> Comment:
    """Write about a move; the same of the same move once. Raises `NotFound`, `Forbidden`, `Unprocessable`, `Conflict`
    (there are too many), `TooManyRequests`, `TooLarge`."""
    checked = messages.check(text)
    with store.write():
        game = _locked(store, game_id, player)
        if not 0 <= ply <= game.ply:
            raise bad_field("ply", _("the moves of this game are 0 to %(last)s", last=game.ply))
        refusal = _why_not(store, game, player)
        if refusal is not None:
            raise Forbidden(refusal)
        number = sql.value(store, _SAME, game.id, ply, player.id, checked)
        if number is None:
            if (sql.value(store, "SELECT COUNT(*) FROM comment WHERE game_id = ?", game.id) or 0) >= COMMENTS_OF_GAME:
                full = _("there are too many comments on this game: no more can be written")
                raise Conflict(full, kind="limit-reached")
            often = _(
                "you have written %(number)s comments in this hour: try again in the next", number=COMMENTS_AN_HOUR
            )
            db_rate_limits.require(store, "comment", player.id, COMMENTS_AN_HOUR, HOUR, now, often)
            stored_bytes.count(store, player, stored_bytes.MESSAGE + stored_bytes.size_of(checked))
            row = {"game_id": game.id, "ply": ply, "seat": game.seat_of(player), "player_id": player.id}
            number = sql.insert_numbered(store, "comment", **row, text=checked, created_at=utc(now))
        return _one(store, game, str(number))


def allow(store: Store, game_id: str, player: Player, others: bool) -> None:
    """Let others than those who sat there write, or not any more. Raises `NotFound`, `Forbidden` (a bot, or who did not
    sit there), `Conflict` (a private game)."""
    with store.write():
        game = _locked(store, game_id, player)
        game.require_seat(player)
        bot_accounts.require_person(store, player)
        if game.private:
            raise Conflict(_("this game is private: nobody else sees it"))
        sql.execute(store, "UPDATE game SET others_comment = ? WHERE id = ?", others, game_id)


def may_remove(seat: int | None, one: Comment, player: Player) -> bool:
    """Whether the player, who sat on that seat, may take a comment away: one's own, and of who did not sit there."""
    return one["player"] == player.id or (seat is not None and one["seat"] is None)


def remove(store: Store, game_id: str, player: Player, number: str) -> None:
    """Take a comment away; its text is nowhere then. Raises `NotFound`, `Forbidden`."""
    with store.write():
        game = _locked(store, game_id, player)
        one = _one(store, game, number)
        if not may_remove(game.seat_of(player), one, player):
            raise Forbidden(_("a comment is taken away by its author, or by those who sat there when others wrote it"))
        _take_away(store, one)


def remove_as_operator(store: Store, game_id: str, number: str, now: datetime) -> Comment:
    """The same on behalf of the operator; returns what it was. Raises `NotFound`."""
    with store.write():
        game = loading.for_change(store, game_id)
        one = _one(store, game, number)
        _take_away(store, one)
        audit_log.note(store, "operator_removed_comment", now, one["player"], game=game_id, comment=one["id"])
    return one


def _one(store: Store, game: Game, number: str) -> Comment:
    found = sql.row(store, f"{_SAID} CAST(m.id AS VARCHAR(20)) = ? AND m.game_id = ?", number, game.id)
    if found is None:
        raise NotFound(_("there is no such comment: it may have been taken away"))
    return _shown(game, found)


def _take_away(store: Store, one: Comment) -> None:
    sql.execute(store, "DELETE FROM comment WHERE id = ?", one["id"])
    if one["player"] is not None:
        stored_bytes.give_back(store, one["player"], stored_bytes.MESSAGE + stored_bytes.size_of(one["text"]))
