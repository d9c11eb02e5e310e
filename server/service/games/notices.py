"""Whom the moves and messages of a game concern, and what they are told. How they hear of it, nothing here knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from server.engine.ulm1.turn import DRAW
from server.service.games.model import SANDBOX, Game, Seat
from server.service.outbox.news import Kind, News, game_key


def of_moves(game: Game, before: int | None) -> list[News]:
    """What the moves noted in `game` mean to its players: the game has started, it is your turn, your turn was played
    for you, the game is over. `before` is the seat that was to move when the transaction began, None at the start."""
    if game.origin == SANDBOX:  # who plays alone need not be told
        return []
    news = [*_started(game, before), *_played_for(game, before), *_over(game)]
    turn = _turn(game, before)
    if turn is not None and not of_turns(news):
        news.append(turn)
    return news


def of_turns(news: Sequence[News]) -> list[News]:
    """Those of `news` that call to a turn: their mails hold its link."""
    return [one for one in news if one.kind == "turn" or (one.kind == "started" and one.data)]


def of_message(game: Game, number: int, seat: int, deaf: Collection[str]) -> list[News]:
    """Message `number`, which the player of `seat` wrote, for the others at the table but who is `deaf` to it."""
    return [
        _news(game, "message", player, number, None, {"message": number})
        for other, player in _people(game)
        if other != seat and player not in deaf
    ]


def of_joining(game: Game, joined: Seat) -> list[News]:
    """Somebody sits down, or takes a seat over: the others hear of it, once of each, unless it starts with that."""
    if game.status == "open" and not any(seat.free for seat in game.seats):
        return []
    return [
        News("joined", player, f"joined:{game.id}:{joined.player}:{player}", game.id, data={"seat": joined.number})
        for other, player in _people(game)
        if other != joined.number
    ]


def of_host(game: Game, host: Seat) -> list[News]:
    """Whoever made the open game has left it: it is `host`'s now."""
    return [] if host.player is None else [_news(game, "host", host.player, 0, None)]


def of_no_start(game: Game) -> list[News]:
    """The game was given up, for it did not start in time."""
    return [_news(game, "not_started", player, 0, None) for _seat, player in _people(game)]


def of_pause(game: Game, number: int | None, by: int | None) -> list[News]:
    """What was noted as `number` about a pause, for all who play but the player of seat `by`; [] where nothing was."""
    if number is None:
        return []
    players, data = game.position.players, {"message": number}
    people = [(seat, player) for seat, player in _people(game) if seat != by and not players[seat].resigned]
    return [_news(game, "pause", player, number, None, data) for _seat, player in people]


def of_proposal(kind: Literal["proposal", "agreed"], game: Game, seats: Collection[int]) -> list[News]:
    """The players of `seats` are asked whether they agree with what is proposed, or hear that all have."""
    found = game.proposal
    if found is None:
        return []
    data = {name: found[name] for name in ("id", "kind", "by", "seat", "hours")}
    return [
        News(kind, player, f"{kind}:{found['id']}:{player}", game.id, data=data)
        for seat, player in _people(game)
        if seat in seats
    ]


def of_replacement(game: Game, number: int, before: str | None) -> list[News]:
    """Somebody else plays for a seat now: `before` hears of it, who sat there."""
    return [] if before is None else [_news(game, "replaced", before, number, None)]


def _news(
    game: Game, kind: Kind, player: str, subject: int, ply: int | None, data: Mapping[str, object] | None = None
) -> News:
    """`subject` is the number in its key: the ply, or the message's."""
    return News(kind, player, game_key(kind, game.id, subject, player), game.id, ply, data or {})


def _people(game: Game) -> list[tuple[int, str]]:
    """Seats and players, where there is a player."""
    return [(seat.number, seat.player) for seat in game.seats if seat.player is not None]


def _started(game: Game, before: int | None) -> list[News]:
    if before is not None:
        return []
    news = []
    for seat, player in _people(game):
        if game.status == "running" and seat == game.to_move:
            # The first to move is told both at once; to that player it is the notice of that turn.
            news.append(_news(game, "started", player, 0, game.position.ply, {"turn": True}))
        else:
            news.append(_news(game, "started", player, 0, 0))
    return news


def _turn(game: Game, before: int | None) -> News | None:
    if game.status != "running" or game.to_move is None:
        return None
    seat = game.seats[game.to_move]
    if game.same_turn(before) or seat.player is None or seat.autopilot:
        return None
    ply = game.position.ply  # the server stops where a person's turn begins
    return _news(game, "turn", seat.player, ply, ply)


def _played_for(game: Game, before: int | None) -> list[News]:
    """A turn that the server finished because its time was over, unless the letter about the end says so."""
    if game.status != "running":
        return []
    if game.stood_in is not None:
        seat, ply = game.stood_in
        late = game.seats[seat].player
        return [] if late is None else [_news(game, "played_for_you", late, ply, ply)]
    if game.by_job:
        return []
    for entry in game.entries:
        if entry.automatic and entry.move != DRAW and entry.seat == before:
            player, ply = game.seats[entry.seat].player, entry.ply - 1
            return [] if player is None else [_news(game, "played_for_you", player, ply, ply)]
    return []


def _over(game: Game) -> list[News]:
    if game.status not in ("finished", "abandoned"):
        return []
    ply = game.position.ply
    return [_news(game, "over", player, ply, ply) for _seat, player in _people(game)]
