"""What the page of a player tells, to whom."""

from datetime import timedelta
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.accounts.players import Player, player_by_id
from server.service.archive import player_pages, replay_lists, statistics
from server.service.common.errors import NotFound, Unprocessable
from server.service.lists import game_lists
from server.service.seating import guests
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, make_player
from tests.tables import Seat


def wish(store: Store, player: Player, **wanted: Any) -> None:
    profiles.update_profile(store, player, {"preferences": wanted}, NOW)


def found(store: Store, name: str, reader: Player | None = None) -> list[str]:
    return [one["player"] for one in player_pages.find(store, name, reader)]


def listed(store: Store, of: Player, reader: Player | None) -> tuple[int, int, int, int]:
    """How many games every way to ask for somebody's gives: games, replays, wins, statistics."""
    filters = replay_lists.Filters(member=of.id)
    return (
        game_lists.listing(store, reader, None, of.id)[1].number,
        replay_lists.listing(store, reader, **filters)[1].number,
        replay_lists.listing(store, reader, member=of.id, winner=of.id)[1].number,
        statistics.totals(store, reader, **filters)["games"],
    )


def end(m: Match) -> None:
    """End the game with a turn of each, so that seat 0 wins."""
    for _ in m.players:
        m.play_turn()
    m.play(1, "resign")


@pytest.fixture
def table(store: Store, match: Start) -> tuple[Player, Player, Player]:
    """Ann, Ben and a stranger: Ann and Ben have finished a public and a private game."""
    open_game = match(2, options={"tower": True, "rotate_start": False})
    end(open_game)
    ann, ben = open_game.players
    secret = match(2, private=True)
    with store.write():
        for seat, player in ((0, ann), (1, ben)):
            Seat.update(player=player.id).where((Seat.game == secret.id) & (Seat.seat == seat)).execute()
    secret.players = [ann, ben]
    end(secret)
    return ann, ben, make_player(store, "Stranger")


def games(page: player_pages.PlayerPage) -> dict[tuple[str, str], tuple[int, int]]:
    return {(one["variant"], one["against"]): (one["games"], one["won"]) for one in page["results"]}


def test_private_games_count_for_those_alone_who_sat_there(store: Store, table: Any) -> None:
    ann, ben, stranger = table
    for reader in (None, stranger):
        assert games(player_pages.page(store, ann.id, reader)) == {("advanced", "people"): (1, 1)}
    seen = player_pages.page(store, ann.id, ben)
    assert games(seen) == {("advanced", "people"): (1, 1), ("basic", "people"): (1, 1)}
    assert seen["together"] == {"games": 2, "won": 0, "lost": 2}
    assert player_pages.page(store, ann.id, ann)["together"] is None
    assert player_pages.page(store, ann.id, stranger)["together"] is None


def test_who_wishes_not_to_be_found_is_nobody_to_strangers_by_any_way(store: Store, table: Any) -> None:
    ann, ben, stranger = table
    assert found(store, "player 0", stranger)
    before = listed(store, ann, stranger)
    assert before == (1, 1, 1, 1)
    wish(store, ann, private=True)
    for reader in (None, stranger):
        for unknown in (ann.id, "nobody"):
            with pytest.raises(NotFound, match="there is no such player"):
                player_pages.page(store, unknown, reader)
        assert ann.id not in found(store, "player", reader)
        assert listed(store, ann, reader) == (0, 0, 0, 0)
        # The other one's games are there, but are not said to be with her.
        assert replay_lists.listing(store, reader, member=ann.id, winner=ben.id)[1].number == 0
        assert listed(store, ben, reader)[1] == 1
    assert listed(store, ann, ann) == (2, 2, 2, 1)
    assert listed(store, ann, ben) == (2, 2, 2, 1)
    seen = player_pages.page(store, ann.id, ben)
    assert (seen["private"], seen["together"]) == (True, {"games": 2, "won": 0, "lost": 2})
    wish(store, ann, private=False)
    assert listed(store, ann, stranger) == before


def test_who_has_played_in_private_alone_is_found_by_those_who_sat_there(store: Store, match: Start) -> None:
    ann, ben = match(2, private=True).players
    stranger = make_player(store, "Stranger")
    assert found(store, "PLAYER 0", ben) == [ann.id]
    assert found(store, "player 0", stranger) == found(store, "player 0") == []
    assert found(store, "Stranger") == []
    assert found(store, "lay", ben) == []
    with pytest.raises(Unprocessable, match="at least 2"):
        found(store, " a ", ben)


def test_another_name_is_found_at_once_and_in_any_writing(store: Store, table: Any) -> None:
    ann, ben, _stranger = table
    profiles.update_profile(store, ann, {"name": "Ölga \uff21nn"}, NOW)
    assert found(store, "öLGA a", ben) == found(store, "O\u0308lga Ann") == [ann.id]
    assert ann.id not in found(store, "Player 0")


def test_usual_hours_are_told_in_the_readers_zone_and_of_games_that_they_see(store: Store, match: Start) -> None:
    m = match(2, private=True)
    hour = 0
    while m.to_move is not None:  # each round at half past nine, ten, eleven or twelve
        m.clock.now = NOW + timedelta(days=hour // 4, hours=hour % 4)
        m.play_turn()
        if m.to_move is not None:
            m.play_turn()
        hour += 1
    ann, ben = m.players
    stranger = make_player(store, "Stranger")
    assert player_pages.page(store, ann.id, stranger)["hours"] is None
    hours = player_pages.page(store, ann.id, ben)["hours"]
    assert hours is not None
    assert (hours[3], hours[4]) == (80, 20)
    wish(store, ben, time_zone="Asia/Tokyo")  # nine hours later
    again = player_by_id(store, ben.id)
    there = player_pages.page(store, ann.id, again)
    assert (there["hours"], there["time_zone"]) == (hours[5:] + hours[:5], "Asia/Tokyo")


def test_a_bot_of_the_house_has_a_page_with_what_its_reader_played(store: Store) -> None:
    ann = make_player(store, "Ann")
    game = guests.play(store, ann, 2, NOW)
    with store.write():
        sql.execute(store, "UPDATE game SET status = 'finished' WHERE id = ?", game)
        sql.execute(store, "UPDATE seat SET listed = 'finished', won = ? WHERE game_id = ? AND seat = 1", True, game)
        sql.execute(store, "UPDATE seat SET listed = 'finished' WHERE game_id = ? AND seat = 0", game)
    shown = player_pages.page(store, "apprentice", ann)
    assert (shown["name"], shown["bot"], shown["results"]) == ("Apprentice", "apprentice", [])
    assert shown["together"] == {"games": 1, "won": 0, "lost": 1}
    assert player_pages.page(store, "apprentice", None)["together"] is None
    assert games(player_pages.page(store, ann.id, None)) == {("basic", "bots"): (1, 0)}
