"""What the numbers of a letter stand for, when it is answered."""

from __future__ import annotations

from server.engine.replaying import end_of
from server.engine.ulm1.notation import Move
from server.service.accounts import links
from server.service.games import loading, move_log, stored_log
from server.service.games.model import Table
from server.service.views import move_choices
from server.storage.database import Store


def stand(store: Store, table: Table, claims: links.Claims) -> bool:
    """Whether the position that a letter with these claims (`links.turn_token`) showed was not taken back since; in the
    running transaction."""
    row = claims.get("row")
    return row is None or row in (one.id for one in stored_log.standing(store, table.id, claims["at"], claims["at"]))


def numbered(store: Store, table: Table, seat: int, claims: links.Claims) -> list[Move]:
    """The moves that the letter offers, in the order of their numbers; none when its position was taken back.

    In the running transaction; of the position it reads nothing that the letter did not show.
    """
    if not stand(store, table, claims):
        return []
    ply = claims.get("at", claims["ply"])
    if ply == table.ply and table.to_move == seat:
        state = table.position
    else:
        state, _hidden = end_of(loading.first_state(store, table), move_log.log(store, table, last=ply))
    if state.ply != ply or state.active != seat:
        return []
    return [table.rules.parse_move(text) for text in move_choices.numbered(state, seat)]
