"""Games that were resigned at once: found by who sat there alone, and taken away after a while."""

from datetime import timedelta
from typing import Any

import pytest

from server.notify import jobs
from server.service.accounts.players import Player
from server.service.archive import kept_records, replay_lists, replays, statistics
from server.service.common.errors import NotFound
from server.service.erasure import deletion
from server.service.lists import game_lists, game_page
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player
from tests.tables import Game, Move, Reply


def found_by(store: Store, player: Player | None) -> set[str]:
    """The games that every list of finished games shows to somebody."""
    lists: list[Any] = [game_lists.listing(store, player, status="finished")[0]]
    for listing in (game_lists.listing, replay_lists.listing):
        lists += [listing(store, player)[0], listing(store, player, member="x")[0]]
        lists += [] if player is None else [listing(store, player, member=player.id)[0]]
    if player is not None:
        lists.append(game_lists.home(store, player, game_lists.OVER, NOW)[0])
    return {game["id"] for one in lists for game in one}


def test_what_was_resigned_at_once_is_found_by_who_sat_there_alone(match: Start, store: Store) -> None:
    """571 games, made and resigned in 6 s by one connection, filled the lists."""
    made = []
    for seed in range(4):
        game = match(seed=seed)
        game.play(game.active, "resign")
        made.append(game)
    assert found_by(store, None) == found_by(store, make_player(store, "Zoe")) == set()
    assert statistics.totals(store)["games"] == 0
    for game in made:
        for player in game.players:
            assert found_by(store, player) == {game.id}
            assert replays.record(store, game.id, player)["result"]
        assert game_page.page(store, game.id, None)["status"] == "finished"
        assert replay_lists.summary(store, game.id)["id"] == game.id


@pytest.mark.parametrize(("seats", "turns", "listed"), [(2, 1, False), (2, 2, True), (3, 2, False), (3, 3, True)])
def test_it_was_played_when_as_many_turns_were_ended_as_there_are_seats(
    match: Start, store: Store, seats: int, turns: int, listed: bool
) -> None:
    game = match(seats=seats)
    for _ in range(turns):
        game.play_turn()
    while game.to_move is not None:
        game.play(game.active, "resign")
    assert (game.id in found_by(store, None)) == listed
    assert statistics.totals(store)["games"] == int(listed)


def test_they_are_taken_away_with_all_that_hangs_on_them(match: Start, store: Store) -> None:
    gone, played, running = match(seed=1), match(seed=2), match(seed=3)
    gone.play(gone.active, "resign", key="k")
    for _ in range(2):
        played.play_turn()
    played.play(played.active, "resign")
    given = {**replays.record(store, gone.id), "note": "a copy"}
    kept = kept_records.keep(store, make_player(store, "Zoe"), given, NOW)["id"]
    assert kept not in found_by(store, None)
    later = NOW + jobs.UNPLAYED_KEPT
    assert deletion.unplayed_games(store, later - jobs.UNPLAYED_KEPT) == 0
    assert replay_lists.summary(store, gone.id)
    assert deletion.unplayed_games(store, later + timedelta(hours=1) - jobs.UNPLAYED_KEPT) == 1
    for look in (game_page.page, replay_lists.summary):
        with pytest.raises(NotFound):
            look(store, gone.id, gone.players[0])
    with store.read():
        assert Move.select().where(Move.game == gone.id).count() == Reply.select().count() == 0
        assert {row.id for row in Game.select()} == {played.id, running.id, kept}
