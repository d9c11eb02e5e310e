"""Moves: the order of checks, all or nothing, resignation, undo, preview, the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.routes.http.problem_details import status_of
from server.service.archive import verification
from server.service.common.errors import Forbidden, NotFound, ServiceError, Unprocessable
from server.service.lists import game_page
from server.service.play import turns
from tests.service.conftest import NOW, Match, Situation, make_player
from tests.tables import Move, Snapshot

Start = Callable[..., Match]


def refusal(call: Callable[[], Any]) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value


def moves_stored(game: Match) -> list[tuple[int, int, str]]:
    with game.store.read():
        rows = Move.select().where(Move.undone_at.is_null()).order_by(Move.ply)
        return [(row.ply, row.seat, row.move) for row in rows]


def test_checks_come_in_order(match: Start) -> None:
    game = match(3)
    active, ply = game.active, game.ply(game.active)
    waiting_seat = (active + 1) % 3
    outsider = make_player(game.store, "Outsider")

    def play(player: Any, at: Any, moves: Any, game_id: str = game.id) -> ServiceError:
        return refusal(lambda: turns.play(game.store, game_id, player, at, moves, None, NOW))

    assert isinstance(play(game.players[active], ply, ["push N1"], "missing"), NotFound)
    assert isinstance(play(outsider, 99, ["nonsense"]), Forbidden)
    wrong = play(game.players[waiting_seat], 99, ["draw", "nonsense"])
    assert (type(wrong), wrong.errors["index"]) == (Unprocessable, 1)
    stale = play(game.players[waiting_seat], 99, ["draw"])
    assert (stale.kind, stale.errors) == ("stale-ply", {"ply": game.ply(waiting_seat)})
    assert isinstance(play(game.players[waiting_seat], game.ply(waiting_seat), ["draw"]), Forbidden)
    assert isinstance(play(game.players[active], ply, ["money"]), Unprocessable)


def test_batch_is_all_or_nothing_before_a_reveal(match: Start) -> None:
    game = match()
    seat, stored, page = game.active, moves_stored(game), game.page(game.active)
    refused = refusal(lambda: game.play(seat, "push N1", "push N2"))
    assert isinstance(refused, Unprocessable)
    assert refused.errors["index"] == 1
    assert refused.errors["move"] == "push N2"
    assert refused.errors["rule"]
    assert refused.errors["message"]
    assert 0 < len(refused.errors["legal"]) <= 12
    assert moves_stored(game) == stored
    assert game.page(seat) == page
    answer = game.play(seat, "push N1", "end")
    assert answer["applied"] == 2
    assert moves_stored(game)[: len(stored) + 2][-2:] == [
        (stored[-1][0] + 1, seat, "push N1"),
        (stored[-1][0] + 2, seat, "end"),
    ]


def test_nothing_follows_the_end_of_the_own_turn(match: Start) -> None:
    game = match()
    refused = refusal(lambda: game.play(game.active, "push N1", "end", "draw"))
    assert refused.errors["index"] == 2
    assert "turn is over" in refused.message
    assert refused.errors["legal"] == []


def test_resignation_after_the_end_leaves_the_next_player_their_draw(match: Start) -> None:
    game = match(3)
    seat = game.active
    game.play(seat, "push N1", "end", "resign")
    with game.store.read():
        assert [row.move for row in Move.select().order_by(Move.id)][-2:] == ["resign", "draw"]
    assert game.page(game.active)["phase"] == "push"


def test_resignation_out_of_turn_and_the_end_of_the_game(match: Start) -> None:
    game = match(3)
    active = game.active
    first, second = [seat for seat in range(3) if seat != active]
    answer = game.play(first, "resign")
    assert answer["applied"] == 1
    assert game.active == active
    again = refusal(lambda: game.play(first, "resign"))
    assert status_of(again) == 422
    game.play(second, "resign")
    page = game.page(None)
    assert (page["status"], page["to_move"], page["phase"]) == ("finished", None, "over")
    assert page["result"]["winners"] == [active]
    assert page["finished_at"] is not None
    over = refusal(lambda: game.play(active, "push N1"))
    assert (status_of(over), "over" in over.message) == (409, True)
    assert list(verification.verify_all(game.store)) == []


# --- undo ---------------------------------------------------------------------------------------------------------


def test_undo_takes_back_own_moves_and_keeps_their_rows(match: Start) -> None:
    game = match()
    seat = game.active
    before = game.page(seat)
    game.play(seat, "push N1")
    answer = turns.undo(game.store, game.id, game.players[seat], before["ply"], game.clock())
    assert answer == {"ply": before["ply"], "view": before["view"]}
    assert game.page(seat) == before
    with game.store.read():
        assert Move.select().where(Move.undone_at.is_null(False)).count() == 1
    game.play(seat, "push S2")
    assert [move["move"] for move in game_page.log(game.store, game.id, game.players[seat], 0)["moves"]][
        -1
    ] == "push S2"
    assert list(verification.verify_all(game.store)) == []


def test_undo_goes_not_beyond_a_reveal_or_another_turn(match: Start) -> None:
    game = match()
    first = game.active
    game.play(first, "push N1")
    game.play(first, "end")
    seat = game.active
    ply = game.ply(seat)
    player = game.players[seat]

    def undo(to: Any, who: Any = player) -> ServiceError:
        return refusal(lambda: turns.undo(game.store, game.id, who, to, NOW))

    assert "nothing to take back" in undo(ply).message
    assert status_of(undo(ply + 1)) == 409
    revealed = undo(ply - 1)
    assert (status_of(revealed), "revealed" in revealed.message) == (422, True)
    assert status_of(undo(0)) == 422
    assert status_of(undo(-1)) == 422
    assert status_of(undo("0")) == 422
    assert status_of(undo(0, game.players[first])) == 403
    assert status_of(undo(0, make_player(game.store, "Outsider"))) == 403


def test_undo_does_not_take_back_what_another_seat_did(match: Start) -> None:
    game = match(3)
    seat = game.active
    ply = game.ply(seat)
    game.play(seat, "push N1")
    game.play((seat + 1) % 3, "resign")
    refused = refusal(lambda: turns.undo(game.store, game.id, game.players[seat], ply, NOW))
    assert "another seat" in refused.message


def test_undo_before_the_draw_leaves_the_draw_to_the_player(match: Start, patrician: Situation) -> None:
    """T4: a card played before the draw can be taken back, so the server does not draw after it."""
    game = match(patrician.seats, seed=patrician.seed)
    game.follow(patrician.moves)
    seat = game.active
    before = game.page(seat)
    assert before["phase"] == "draw"
    answer = game.play(seat, "play patrician table")
    assert answer["view"]["phase"] == "draw"
    assert game.legal(seat).count("draw") == 1
    turns.undo(game.store, game.id, game.players[seat], before["ply"], NOW)
    assert game.page(seat) == before


# --- preview ------------------------------------------------------------------------------------------------------


def test_preview_stores_nothing_and_shows_what_play_would(match: Start) -> None:
    game = match()
    seat = game.active
    ply, stored = game.ply(seat), moves_stored(game)
    shown = turns.preview(game.store, game.id, game.players[seat], ply, ["push N1"])
    assert moves_stored(game) == stored
    assert game.ply(seat) == ply
    assert shown == game.play(seat, "push N1")


def test_preview_stops_before_a_reveal(match: Start) -> None:
    game = match(auto_draw=False)
    seat = game.active
    player = game.players[seat]
    assert turns.preview(game.store, game.id, player, 0, ["draw", "push N1"]) == {
        "applied": 0,
        "ply": 0,
        "view": game.page(seat)["view"],
    }


# --- the cache ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [None, "", "{}", "[]", '{"ruleset": "ulm/0"}', "null", "old"])
def test_a_snapshot_that_is_lost_stale_or_unreadable_is_recomputed(match: Start, state: str | None) -> None:
    game = match(3, options={"tower": True})
    for _ in range(2):
        game.play_turn()
    with game.store.read():
        old = Snapshot.select().dicts().get()
    game.play(game.active, next(text for text in game.legal(game.active) if text.startswith("push ")))
    pages = [game.page(seat) for seat in (0, 1, 2, None)]
    with game.store.write():
        if state is None:
            Snapshot.delete().execute()
        elif state == "old":
            Snapshot.update(ply=old["ply"], state=old["state"], before=old["before"]).execute()
        else:
            Snapshot.update(state=state).execute()
    assert [game.page(seat) for seat in (0, 1, 2, None)] == pages
    game.play_turn()
    assert list(verification.verify_all(game.store)) == []
    with game.store.read():
        assert Snapshot.select().count() == 1


def test_one_move_takes_few_statements(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    game = match()
    seat, ply = game.active, game.ply(game.active)
    asked: list[str] = []
    execute = game.store.database.execute_sql

    def count(statement: str, *arguments: Any, **options: Any) -> Any:
        asked.append(statement)
        return execute(statement, *arguments, **options)

    monkeypatch.setattr(game.store.database, "execute_sql", count)
    game.play(seat, "push N1", ply=ply)
    queries = [text for text in asked if text.strip().split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")]
    assert len(queries) <= 5, queries
