"""Moves: the order of checks, all or nothing, resignation, undo, preview, the end of a game."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from server.routes.http.problem_details import status_of
from server.service.archive import verification
from server.service.common.errors import Forbidden, NotFound, ServiceError, Unprocessable
from server.service.play import turns
from tests.service.conftest import NOW, Match, Situation, Start, make_player
from tests.tables import Move, Snapshot


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


def test_batch_is_all_or_nothing_before_a_reveal_and_ends_with_the_turn(match: Start) -> None:
    game = match()
    seat, stored, page = game.active, moves_stored(game), game.page(game.active)
    for batch, index, near in ((("push N1", "push N2"), 1, True), (("push N1", "end", "draw"), 2, False)):
        refused = refusal(lambda batch=batch: game.play(seat, *batch))
        assert isinstance(refused, Unprocessable)
        assert (refused.errors["index"], refused.errors["move"]) == (index, batch[index])
        assert refused.errors["rule"]
        assert (0 < len(refused.errors["legal"]) <= 12) is near
    assert moves_stored(game) == stored
    assert game.page(seat) == page
    assert game.play(seat, "push N1", "end")["applied"] == 2
    assert [move for _, _, move in moves_stored(game)[len(stored) :]][:2] == ["push N1", "end"]


def test_resignation_after_the_end_leaves_the_next_player_their_draw(match: Start) -> None:
    game = match(3)
    game.play(game.active, "push N1", "end", "resign")
    assert game.store.ask(lambda: [row.move for row in Move.select().order_by(Move.id)][-2:]) == ["resign", "draw"]
    assert game.page(game.active)["phase"] == "push"


def test_resignation_out_of_turn_and_the_end_of_the_game(match: Start) -> None:
    game = match(3)
    active = game.active
    first, second = [seat for seat in range(3) if seat != active]
    assert game.play(first, "resign")["applied"] == 1
    assert game.active == active
    assert status_of(refusal(lambda: game.play(first, "resign"))) == 422
    game.play(second, "resign")
    page = game.page(None)
    assert (page["status"], page["to_move"], page["phase"]) == ("finished", None, "over")
    assert page["result"]["winners"] == [active]
    assert page["finished_at"] is not None
    over = refusal(lambda: game.play(active, "push N1"))
    assert (status_of(over), "over" in over.message) == (409, True)
    assert list(verification.verify_all(game.store)) == []


def test_undo_takes_back_own_moves_and_keeps_their_rows(match: Start) -> None:
    game = match()
    seat = game.active
    before = game.page(seat)
    game.play(seat, "push N1")
    answer = turns.undo(game.store, game.id, game.players[seat], before["ply"], game.clock())
    assert answer == {"ply": before["ply"], "view": before["view"]}
    assert game.page(seat) == before
    assert game.store.ask(lambda: Move.select().where(Move.undone_at.is_null(False)).count()) == 1
    game.play(seat, "push S2")
    assert moves_stored(game)[-1][2] == "push S2"
    assert list(verification.verify_all(game.store)) == []


def test_undo_goes_not_beyond_a_reveal_or_another_turn_or_seat(match: Start) -> None:
    game = match(3)
    first = game.active
    game.play(first, "push N1", "end")
    seat = game.active
    ply, player, outsider = game.ply(seat), game.players[seat], make_player(game.store, "Outsider")
    for to, who, status, why in (
        (ply, player, 422, "nothing to take back"), (ply + 1, player, 409, ""), (ply - 1, player, 422, "revealed"),
        (0, player, 422, ""), (-1, player, 422, ""), ("0", player, 422, ""), (0, game.players[first], 403, ""),
        (0, outsider, 403, ""),
    ):  # fmt: skip
        refused = refusal(lambda who=who, to=to: turns.undo(game.store, game.id, who, to, NOW))
        assert (status_of(refused), why in refused.message) == (status, True)
    game.play(seat, next(move for move in game.legal(seat) if move.startswith("push")))
    game.play(first, "resign")
    assert "another seat" in refusal(lambda: turns.undo(game.store, game.id, player, ply, NOW)).message


def test_undo_before_the_draw_leaves_the_draw_to_the_player(match: Start, patrician: Situation) -> None:
    """T4: a card played before the draw can be taken back, so the server does not draw after it."""
    game = match(patrician.seats, seed=patrician.seed)
    game.follow(patrician.moves)
    seat = game.active
    before = game.page(seat)
    assert before["phase"] == "draw"
    assert game.play(seat, "play patrician table")["view"]["phase"] == "draw"
    assert game.legal(seat).count("draw") == 1
    turns.undo(game.store, game.id, game.players[seat], before["ply"], NOW)
    assert game.page(seat) == before


def test_preview_stores_nothing_shows_what_play_would_and_stops_before_a_reveal(match: Start) -> None:
    game = match(auto_draw=False)
    seat = game.active
    preview = partial(turns.preview, game.store, game.id, game.players[seat])
    assert preview(0, ["draw", "push N1"]) == {"applied": 0, "ply": 0, "view": game.page(seat)["view"]}
    game.play(seat, "draw")
    stored = moves_stored(game)
    shown = preview(1, ["push N1"])
    assert moves_stored(game) == stored
    assert shown == game.play(seat, "push N1", ply=1)


@pytest.mark.parametrize("state", [None, "", "{}", "[]", '{"ruleset": "ulm/0"}', "null", "old"])
def test_a_snapshot_that_is_lost_stale_or_unreadable_is_recomputed(match: Start, state: str | None) -> None:
    game = match(3, options={"tower": True})
    for _ in range(2):
        game.play_turn()
    old = game.store.ask(lambda: Snapshot.select().dicts().get())
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
    assert game.store.ask(lambda: Snapshot.select().count()) == 1


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
