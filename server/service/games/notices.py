"""Whom the moves and messages of a game concern, and what they are told. How they hear of it, nothing here knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.engine.ulm1.turn import DRAW
from server.service.games.model import SANDBOX, Table
from server.service.outbox.news import Kind, News, game_key


def of_moves(table: Table, before: int | None) -> list[News]:
    """What the moves noted in `table` mean to its players.

    `before` is the seat that was to move when the transaction began, None when the game starts with it. News: the game
    has started, it is your turn, your turn was played for you, the game is over.
    """
    if table.origin == SANDBOX:  # who plays alone need not be told
        return []
    news = [*_started(table, before), *_played_for(table, before), *_over(table)]
    turn = _turn(table, before)
    if turn is not None and not of_turns(news):
        news.append(turn)
    return news


def of_turns(news: Sequence[News]) -> list[News]:
    """Those of `news` that call to a turn: their mails hold its link."""
    return [one for one in news if one.kind == "turn" or (one.kind == "started" and one.data)]


def of_message(table: Table, number: int, seat: int) -> list[News]:
    """Message `number`, which the player of `seat` wrote, for the others at the table."""
    return [
        _news(table, "message", player, number, None, {"message": number})
        for other, player in _people(table)
        if other != seat
    ]


def _news(
    table: Table, kind: Kind, player: str, subject: int, ply: int | None, data: Mapping[str, object] | None = None
) -> News:
    """`subject` is the number in its key: the ply, or the message's."""
    return News(kind, player, game_key(kind, table.id, subject, player), table.id, ply, data or {})


def _people(table: Table) -> list[tuple[int, str]]:
    """Seats and players, where there is a player."""
    return [(place.seat, place.player) for place in table.places if place.player is not None]


def _started(table: Table, before: int | None) -> list[News]:
    if before is not None:
        return []
    news = []
    for seat, player in _people(table):
        if table.status == "running" and seat == table.to_move:
            # The first to move is told both at once; to that player it is the notice of that turn.
            news.append(_news(table, "started", player, 0, table.position.ply, {"turn": True}))
        else:
            news.append(_news(table, "started", player, 0, 0))
    return news


def _turn(table: Table, before: int | None) -> News | None:
    if table.status != "running" or table.to_move is None:
        return None
    place = table.places[table.to_move]
    if table.same_turn(before) or place.player is None or place.autopilot:
        return None
    ply = table.position.ply  # the server stops where a person's turn begins
    return _news(table, "turn", place.player, ply, ply)


def _played_for(table: Table, before: int | None) -> list[News]:
    """A turn that the server finished because its time was over.

    Neither the blind draw that it makes for everybody nor the later turns of a seat that it plays until the player
    comes back are told: those begin after the move of somebody else. Where the game ends with it, the letter about the
    end says so.
    """
    if table.status != "running":
        return []
    if table.stood_in is not None:
        seat, ply = table.stood_in
        late = table.places[seat].player
        return [] if late is None else [_news(table, "played_for_you", late, ply, ply)]
    if table.by_job:
        return []
    for entry in table.entries:
        if entry.automatic and entry.move != DRAW and entry.seat == before:
            player, ply = table.places[entry.seat].player, entry.ply - 1
            return [] if player is None else [_news(table, "played_for_you", player, ply, ply)]
    return []


def _over(table: Table) -> list[News]:
    if table.status not in ("finished", "abandoned"):
        return []
    ply = table.position.ply
    return [_news(table, "over", player, ply, ply) for _seat, player in _people(table)]
