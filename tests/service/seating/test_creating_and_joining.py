"""Making a game, taking seats, leaving; bots; private games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from server.engine import seeds
from server.engine.ulm1.rules import RULES
from server.service.archive import verification
from server.service.common.errors import Conflict, Forbidden, NotFound, Unprocessable
from server.service.lists import game_lists, game_page
from server.service.lists.list_pages import NONE
from server.service.play import turns
from server.service.seating import creating, joining
from server.storage.database import Store
from server.storage.models.games import Game, Seat
from tests.service.conftest import NOW, Match, make_player


def create(store: Store, player: Any, seats: int = 2, **changes: Any) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "name": "A game",
        "options": None,
        "client_seed": "",
        "bots": None,
        "private": False,
        "now": NOW,
    }
    return creating.create(store, player, seats, **{**arguments, **changes})


def test_open_game_shows_its_commitment_and_no_seed(store: Store) -> None:
    ann = make_player(store, "Ann")
    page = create(store, ann, 3, options={"tower": True}, client_seed="luck")
    with store.read():
        game = Game.get()
    assert page["commitment"] == seeds.commitment(bytes.fromhex(game.server_seed))
    assert game.server_seed not in str(page)
    assert "luck" not in str(page)
    assert (page["status"], page["seat"], page["ply"], page["view"]) == ("open", 0, 0, None)
    assert page["options"] == {"rotate_start": False, "tower": True}
    ann_there = {"seat": 0, "player": ann.id, "name": "Ann", "bot": None, "bot_of": None, "autopilot": False}
    assert page["players"] == [ann_there, None, None]
    assert game_page.page(store, page["id"], ann) == page


def test_game_starts_with_the_last_seat_and_mixes_all_seeds(store: Store) -> None:
    ann, ben = make_player(store, "Ann", auto_draw=False), make_player(store, "Ben", auto_draw=False)
    game_id = create(store, ann, client_seed="a")["id"]
    page = joining.join(store, ben, game_id, "b\u00df", None, NOW)
    assert (page["status"], page["seat"], page["started_at"]) == ("running", 1, "2026-11-21T09:30:00Z")
    with store.read():
        seed = seeds.game_seed(bytes.fromhex(Game.get().server_seed), ["a", "b\u00df"])
    state = RULES.new_game(seed, 2, {})
    assert page["view"]["grid"] == state.to_dict()["grid"]
    assert page["to_move"] == state.active
    with pytest.raises(Conflict):
        joining.join(store, make_player(store, "Cay"), game_id, None, None, NOW)


def test_nobody_bears_the_name_of_another_at_the_table(store: Store) -> None:
    """Log and sentences tell seats apart by name; width and case make no other name."""
    ann = make_player(store, "Ann")
    game_id = create(store, ann, 4)["id"]
    for name in ("ANN", "\uff21nn", "Steady bot"):
        page = joining.join(store, make_player(store, name), game_id, None, None, NOW)
    assert [place["name"] for place in page["players"]] == ["Ann", "ANN (2)", "\uff21nn (3)", "Steady bot"]
    assert game_page.page(store, game_id, ann)["players"] == page["players"]
    page = create(store, make_player(store, "Steady Bot"), 3, bots=["steady", "steady"])
    assert [place["name"] for place in page["players"]] == ["Steady Bot", "steady bot (2)", "steady bot (3)"]


def test_a_player_makes_so_many_games_and_no_more(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    first, second = (create(store, ann, most=2)["id"] for _ in range(2))
    with pytest.raises(Conflict, match="2 unfinished games"):
        create(store, ann, most=2)
    create(store, ben, most=2)
    joining.leave(store, ann, first, NOW)
    create(store, ann, most=2)
    joining.join(store, ben, second, None, None, NOW)
    with pytest.raises(Conflict):
        create(store, ann, most=2)
    turns.play(store, second, ann, game_page.page(store, second, ann)["ply"], ["resign"], None, NOW)
    create(store, ann, most=2)


def test_nobody_sits_twice(store: Store) -> None:
    ann = make_player(store, "Ann")
    game_id = create(store, ann)["id"]
    with pytest.raises(Conflict, match="already have a seat in this game"):
        joining.join(store, ann, game_id, None, None, NOW)


def test_leaving_frees_the_seat_and_its_seed(store: Store) -> None:
    ann, ben, cay = (make_player(store, name) for name in ("Ann", "Ben", "Cay"))
    game_id = create(store, ann, 3, client_seed="mine")["id"]
    joining.join(store, ben, game_id, "his", None, NOW)
    joining.leave(store, ann, game_id, NOW)
    page = game_page.page(store, game_id, ben)
    assert page["status"] == "open"
    assert [place and place["name"] for place in page["players"]] == [None, "Ben", None]
    with store.read():
        assert [seat.client_seed for seat in Seat.select().order_by(Seat.seat)] == ["", "his", ""]
    assert joining.join(store, cay, game_id, None, None, NOW)["seat"] == 0
    with pytest.raises(Forbidden):
        joining.leave(store, ann, game_id, NOW)


def test_open_game_without_a_human_is_abandoned(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    game_id = create(store, ann, 3, bots=["random"])["id"]
    joining.leave(store, ann, game_id, NOW)
    assert game_page.page(store, game_id, None)["status"] == "abandoned"
    with pytest.raises(Conflict):
        joining.join(store, ben, game_id, None, None, NOW)


def test_running_game_is_not_left_but_resigned(match: Callable[..., Match]) -> None:
    game = match()
    with pytest.raises(Conflict, match="resign"):
        joining.leave(game.store, game.players[0], game.id, NOW)


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": 1},
        {"seats": 5},
        {"seats": True},
        {"seats": "2"},
        {"options": {"tower": 1}},
        {"options": {"speed": True}},
        {"options": []},
        {"client_seed": "x" * 65},
        {"client_seed": "\0"},
        {"client_seed": "\udfff"},
        {"client_seed": 5},
        {"bots": ["random", "random", "random"]},
        {"bots": ["random", None]},
        {"bots": ["clever"]},
        {"bots": "random"},
        {"bots": [[]]},
        {"private": None},
        {"name": "x" * 61},
        {"name": "\0"},
    ],
)
def test_bad_wishes_are_refused(store: Store, changes: dict[str, Any]) -> None:
    with pytest.raises(Unprocessable):
        create(store, make_player(store, "Ann"), **{"seats": 2, **changes})
    with store.read():
        assert Game.select().count() == 0


def test_private_game_is_unknown_without_its_invitation(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    page = create(store, ann, 2, private=True)
    game_id, invitation = page["id"], page["invitation"]
    assert len(invitation) >= 20
    with pytest.raises(NotFound) as hidden:
        game_page.page(store, game_id, ben)
    with pytest.raises(NotFound) as missing:
        game_page.page(store, "nosuchgame", ben)
    assert hidden.value.message == missing.value.message
    for look in (
        lambda: game_page.log(store, game_id, ben, 0),
        lambda: game_page.legal_moves(store, game_id, ben),
        lambda: joining.join(store, ben, game_id, None, None, NOW),
        lambda: joining.join(store, ben, game_id, None, "wrong", NOW),
        lambda: turns.play(store, game_id, ben, 0, ["draw"], None, NOW),
        lambda: game_page.wait_for_change(store, game_id, ben, None, 0),
        lambda: joining.leave(store, ben, game_id, NOW),
    ):
        with pytest.raises(NotFound):
            look()
    assert game_lists.listing(store, ben, None, None, 1, 20) == ([], NONE)
    assert game_lists.listing(store, None, None, ann.id, 1, 20) == ([], NONE)
    assert game_lists.listing(store, ann, None, None, 1, 20)[1].number == 1
    assert game_page.page(store, game_id, ben, invitation)["invitation"] is None
    page = joining.join(store, ben, game_id, None, invitation, NOW)
    assert page["status"] == "running"
    assert page["invitation"] is None


@pytest.mark.parametrize("game_id", ["", "x" * 33, "a'b", "\0", "\ud800", "a b", None, 5])
def test_no_game_has_a_strange_id(store: Store, game_id: Any) -> None:
    with pytest.raises(NotFound):
        game_page.page(store, game_id, None)


def test_listing_filters_and_pages(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    mine = [create(store, ann)["id"] for _ in range(3)]
    joining.join(store, ben, mine[0], None, None, NOW)
    found, total = game_lists.listing(store, None, "open", None, 1, 1)
    assert (len(found), total.number) == (1, 2)
    assert found[0]["free_seats"] == 1
    assert game_lists.listing(store, ben, None, ben.id, 1, 20)[0][0]["id"] == mine[0]
    assert game_lists.listing(store, ben, None, ben.id, 1, 20)[0][0]["seat"] == 1
    assert {game["id"] for game in game_lists.listing(store, None, None, ann.id, 1, 20)[0]} == set(mine)
    for bad in (("broken", 1, 20), (None, 0, 20), (None, 1, 101)):
        with pytest.raises(Unprocessable):
            game_lists.listing(store, None, bad[0], None, bad[1], bad[2])


@pytest.mark.parametrize("bot", ["random", "steady"])
def test_bots_play_their_turns_and_leave_the_human_to_move(store: Store, bot: str) -> None:
    ann = make_player(store, "Ann")
    page = create(store, ann, 4, bots=[bot] * 3, rng=random.Random(5), options={"tower": True})
    assert page["status"] == "running"
    assert page["to_move"] == 0
    answer = turns.play(store, page["id"], ann, page["ply"], ["resign"], None, NOW, random.Random(6))
    assert answer["view"]["phase"] == "over"
    page = game_page.page(store, page["id"], ann)
    assert page["status"] == "finished"
    assert page["result"]["scores"][0]["rank"] == 4
    assert 0 not in page["result"]["winners"]
    assert list(verification.verify_all(store)) == []
