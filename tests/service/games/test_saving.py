"""What a move writes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable

import pytest

from server.service.common.errors import Unprocessable
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import Match


def written(store: Store, act: Callable[[], object]) -> list[str]:
    """The columns of the game's row that a call names in an UPDATE, and with "seat." before them those of seats that
    lists ask for."""
    said: list[str] = []
    with store.connection() as database:
        connection: sqlite3.Connection = database.connection()
        connection.set_trace_callback(said.append)
        try:
            act()
        finally:
            connection.set_trace_callback(None)
    [statement] = [one for one in said if one.startswith("UPDATE game SET")]
    of_seats = " ".join(one for one in said if one.lstrip().startswith("UPDATE seat SET"))
    listed = [f"seat.{name}" for name in ("listed", "created_at", "finished_at") if f"{name} = (" in of_seats]
    return re.findall(r"(\w+) = ", statement.partition(" WHERE ")[0]) + listed


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_move_writes_no_column_that_it_does_not_change(store: Store, match: Callable[..., Match]) -> None:
    game = match(auto_draw=False)
    seat = game.active
    assert written(store, lambda: game.play(seat, "draw")) == ["ply", "version"]  # hidden: the public ply stays
    push = next(move for move in game.legal(seat) if move.startswith("push"))
    assert written(store, lambda: game.play(seat, push)) == ["ply", "public_ply", "version"]
    with pytest.raises(Unprocessable):
        game.play(seat, "push Z9")
    while "end" not in game.legal(seat):
        game.play(seat, game.legal(seat)[0])
    ended = written(store, lambda: game.play(seat, "end"))
    assert "to_move" in ended
    assert not {"status", "result", "finished_at", "seat.listed", "seat.finished_at"} & set(ended)
    with store.read():
        assert sql.row(store, "SELECT status, to_move FROM game") == ("running", game.to_move)
    final = written(store, lambda: game.play(game.active, "resign"))
    assert {"status", "result", "finished_at", "unplayed", "winner_total"} <= set(final)
    assert final[-2:] == ["seat.listed", "seat.finished_at"]
    with store.read():
        seats = sql.rows(store, "SELECT s.listed, s.created_at, s.finished_at FROM seat s")
        [game_row] = sql.rows(store, "SELECT status, created_at, finished_at FROM game")
    assert set(seats) == {game_row}
