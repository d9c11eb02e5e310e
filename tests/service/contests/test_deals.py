"""Deals that many play: alike at every table, sealed until they are revealed."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from server.engine import record as records
from server.engine.rulesets import NEWEST
from server.service.accounts.players import Player
from server.service.archive import (
    analyses,
    archiving,
    comments,
    game_collections,
    replay_lists,
    replays,
    sandboxes,
    statistics,
)
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError
from server.service.common.naming import Title, server_name
from server.service.contests import deals
from server.service.games.model import Seat
from server.service.lists import board_view, game_lists, game_page
from server.service.play import hints
from server.service.seating import rematches
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, fixed_entropy, give_address, make_player

END = NOW + timedelta(hours=14)


def sit(store: Store, deal: deals.Deal, name: str) -> Match:
    """A game of the deal against the apprentice, who is to begin with it at seat 1."""
    player = make_player(store, name)
    seats = [Seat(0, player.id, None, name, "", True), Seat(1, None, "apprentice", server_name("apprentice"), "")]
    with store.write():
        found = deals.find(store, deal.id, locked=True)
        assert found is not None
        game = deals.start_game(store, found, Title("A deal"), seats, NOW, creator=player.id)
    return Match(store, game.id, [player])


@pytest.fixture
def deal(store: Store) -> deals.Deal:
    with store.write():
        return deals.make(store, {"tower": False, "rotate_start": False}, 2, NEWEST, NOW, END, entropy=fixed_entropy(1))


def resign(match: Match) -> None:
    """Two turns, so that the game counts, and no more."""
    turns = 0
    while turns < 2:
        legal = match.legal(0)
        move = next((one for one in ("draw", "end") if one in legal), None)
        move = move or next(one for one in legal if one.split()[0] in ("push", "keep", "pick", "dock"))
        match.play(0, move)
        turns += move == "end"
    match.play(0, "resign")


def test_tables_of_a_deal_begin_alike_and_nothing_says_with_what(store: Store, deal: deals.Deal) -> None:
    one, other = sit(store, deal, "Ann"), sit(store, deal, "Ben")
    assert one.page(0)["ply"] >= 1  # the first tile is drawn
    assert one.page(0)["view"] == other.page(0)["view"]
    assert (one.page(0)["commitment"], deal.seed) == (deal.commitment, None)
    page = one.page(0)
    assert (page["private"], page["sealed"], page["deal"], page["hints"]) == (True, True, deal.id, False)


DOORS: dict[str, Callable[[Store, str, Player], object]] = {
    "record": replays.record,
    "states": lambda store, game, player: replays.states(store, game, player=player),
    "a board with all hands": lambda store, game, player: replays.board_svg(store, game, None, None, player),
    "timeline": replays.timeline,
    "summary": replay_lists.summary,
    "comments": comments.listing,
    "comment": lambda store, game, player: comments.post(store, game, player, 1, "The next card is the nave.", NOW),
    "collection": lambda store, game, player: game_collections.add(
        store, give_address(store, player, "x@example.org"), "", game, None, NOW
    ),
    "analysis": lambda store, game, player: analyses.ask(store, game, player, NOW),
    "sandbox": lambda store, game, player: sandboxes.branch(store, player, game, 1, None, None, None, NOW),
    "sandbox of one's own sight": lambda store, game, player: sandboxes.branch(
        store, player, game, 1, 0, None, None, NOW
    ),
    "hint": lambda store, game, player: hints.ask(store, player, game, NOW),
    "rematch": lambda store, game, player: rematches.offer(store, player, game, NOW),
}
STILL_SHUT = {"hint", "rematch"}  # after it is revealed: the game is over, and a deal is played once


@pytest.mark.parametrize("door", DOORS)
def test_a_sealed_game_opens_no_door_while_it_is_played_or_when_it_is_over(
    store: Store, deal: deals.Deal, door: str
) -> None:
    match = sit(store, deal, "Ann")
    stranger = make_player(store, "Eve")
    for _over in (False, True):
        with pytest.raises((NotFound, Conflict, Forbidden)):
            DOORS[door](store, match.id, match.players[0])
        with pytest.raises(ServiceError):
            DOORS[door](store, match.id, stranger)
        if not _over:
            resign(match)
    if door not in STILL_SHUT:
        deals.reveal(store, deal.id, END)
        assert DOORS[door](store, match.id, match.players[0]) is not None


def test_a_game_that_is_over_tells_no_more_than_while_it_was_played(store: Store, deal: deals.Deal) -> None:
    match = sit(store, deal, "Ann")
    resign(match)
    ann = match.players[0]
    with pytest.raises(NotFound, match="others still play the same deal"):
        replays.record(store, match.id, ann)
    page = match.page(0)
    assert page["status"] == "finished"
    assert "hand" not in page["view"]["players"][1]
    assert "hand" not in board_view.of_game(store, match.id, ann).view["players"][1]
    log = game_page.log(store, match.id, ann)["moves"]
    with store.read():
        row = sql.row(store, "SELECT server_seed FROM game WHERE id = ?", match.id)
    assert row is not None
    assert row[0] not in str([page, log])
    for look in (game_page.page, game_page.log):
        with pytest.raises(NotFound, match="no such game"):
            look(store, match.id, None)
    assert game_lists.listing(store, None)[0] == []
    assert list(replay_lists.export(store, ann)) == []
    assert statistics.count(store, 10) == 0
    assert archiving.archive(store, END + timedelta(days=400), 10).games == 0
    with store.read():
        assert sql.row(store, "SELECT 1 FROM analysis") is None


def test_when_it_is_revealed_what_is_played_is_given_up_and_all_is_open(store: Store, deal: deals.Deal) -> None:
    done, left = sit(store, deal, "Ann"), sit(store, deal, "Ben")
    give_address(store, left.players[0], "ben@example.org")
    resign(done)
    assert deals.reveal(store, deal.id, END)
    assert not deals.reveal(store, deal.id, END)  # once
    record = records.from_dict(replays.record(store, done.id))
    records.verify(record)
    assert (record.server_seed, record.client_seeds) == (fixed_entropy(1)(32), ["", ""])
    page = game_page.page(store, left.id, None)
    assert (page["status"], page["sealed"], page["private"]) == ("abandoned", False, False)
    told = "SELECT COUNT(*) FROM mail WHERE kind = 'over' AND game_id = ?"
    with store.read():
        assert [sql.value(store, told, one.id) for one in (done, left)] == [0, 1]  # Ann has no address
    assert statistics.count(store, 10) == 1
    with store.write(), pytest.raises(RuntimeError, match="is revealed"):
        found = deals.find(store, deal.id, locked=True)
        assert found is not None
        deals.start_game(store, found, Title("Late"), [], END)
