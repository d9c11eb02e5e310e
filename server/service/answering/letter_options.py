"""What the numbers of a letter stand for, when it is answered."""

from __future__ import annotations

from server.engine.replaying import end_of
from server.engine.ulm1.notation import Move
from server.service.accounts import links
from server.service.table import loading, move_log
from server.service.table.model import Table
from server.service.views import move_choices
from server.storage import sql
from server.storage.database import Store

_STANDS = "SELECT 1 FROM move WHERE id = ? AND game_id = ? AND ply = ? AND undone_at IS NULL"


def numbered(store: Store, table: Table, seat: int, claims: links.Claims) -> list[Move]:
    """The moves that the letter with these claims (`links.turn_token`) offers, in the order of their numbers; none when
    the position that it showed was taken back since.

    In the running transaction; of the position it reads nothing that the letter did not show.
    """
    ply, row = claims.get("at", claims["ply"]), claims.get("row")
    if row is not None and sql.row(store, _STANDS, row, table.id, ply) is None:
        return []
    if ply == table.ply and table.to_move == seat:
        state = table.position
    else:
        state, _hidden = end_of(loading.first_state(store, table), move_log.log(store, table, last=ply))
    if state.ply != ply or state.active != seat:
        return []
    return [table.rules.parse_move(text) for text in move_choices.numbered(state, seat)]
