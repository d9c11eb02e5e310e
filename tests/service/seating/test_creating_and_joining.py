"""Making a game, taking seats, leaving; bots; private games."""

from datetime import timedelta
from typing import Any

import pytest

from server.engine import seeds
from server.engine.ulm2 import RULES
from server.service.common import idempotency
from server.service.common.errors import Conflict, Forbidden, NotFound
from server.service.erasure import deletion
from server.service.games.model import OPEN_FOR
from server.service.lists import game_lists, game_page
from server.service.play import timeouts, turns
from server.service.seating import creating, joining
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import NOW, Start, give_address, make_player
from tests.tables import Game, Mail, Seat


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
    game = store.ask(lambda: Game.get())
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
    seed = store.ask(lambda: seeds.game_seed(bytes.fromhex(Game.get().server_seed), ["a", "b\u00df"]))
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


def test_leaving_frees_the_seat_and_its_seed(store: Store) -> None:
    ann, ben, cay = (make_player(store, name) for name in ("Ann", "Ben", "Cay"))
    game_id = create(store, ann, 3, client_seed="mine")["id"]
    joining.join(store, ben, game_id, "his", None, NOW)
    joining.leave(store, ann, game_id, NOW)
    page = game_page.page(store, game_id, ben)
    assert page["status"] == "open"
    assert [place and place["name"] for place in page["players"]] == [None, "Ben", None]
    assert store.ask(lambda: [seat.client_seed for seat in Seat.select().order_by(Seat.seat)]) == ["", "his", ""]
    assert joining.join(store, cay, game_id, None, None, NOW)["seat"] == 0
    with pytest.raises(Forbidden):
        joining.leave(store, ann, game_id, NOW)


def test_who_has_left_a_private_game_sees_it_no_more_by_the_key_that_made_it(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    once = idempotency.asked("key", ann, "a game")
    made = create(store, ann, 3, private=True, asked=once)
    joining.join(store, ben, made["id"], "", made["invitation"], NOW)
    assert create(store, ann, 3, private=True, asked=once)["id"] == made["id"]
    joining.leave(store, ann, made["id"], NOW)
    with pytest.raises(NotFound):
        create(store, ann, 3, private=True, asked=once)


def test_running_game_is_not_left_but_resigned(match: Start) -> None:
    game = match()
    with pytest.raises(Conflict, match="resign"):
        joining.leave(game.store, game.players[0], game.id, NOW)


# --- who stays away before the start ---------------------------------------------------------------------------------


def told(store: Store, *kinds: str) -> list[tuple[str, str | None]]:
    """(kind, player) of the mails of these kinds, in the order of writing."""
    mails = store.ask(lambda: list(Mail.select().order_by(Mail.id)))
    return [(mail.kind, mail.player_id) for mail in mails if mail.kind in kinds]


def test_a_host_who_goes_hands_the_game_on(store: Store) -> None:
    """By leaving as by deleting the account; who has it may fill it with bots then."""
    ann, ben, cay = (give_address(store, make_player(store, name), f"{name}@example.org") for name in ("A", "B", "C"))
    game_id = create(store, ann, 4)["id"]
    for player in (ben, cay):
        joining.join(store, player, game_id, "", None, NOW)
    joining.leave(store, ann, game_id, NOW)
    assert game_page.page(store, game_id, ben)["creator"] == ben.id
    deletion.delete_account(store, ben, NOW)
    assert game_page.page(store, game_id, cay)["creator"] == cay.id
    assert told(store, "joined", "host") == [
        ("joined", ann.id),
        ("joined", ann.id),
        ("host", cay.id),
    ]  # fmt: skip - Ben's mails went with him
    with pytest.raises(Forbidden):
        joining.fill_with_bots(store, ann, game_id, "random", NOW)
    assert joining.fill_with_bots(store, cay, game_id, "random", NOW)["status"] == "running"
    alone = create(store, ann)["id"]
    joining.leave(store, ann, alone, NOW)
    assert game_page.page(store, alone, ann)["status"] == "abandoned"


def test_who_sits_down_again_and_again_is_told_of_once(store: Store) -> None:
    ann, ben = (give_address(store, make_player(store, name), f"{name}@example.org") for name in ("Ann", "Ben"))
    game_id = create(store, ann, 3)["id"]
    for _ in range(3):
        joining.join(store, ben, game_id, "", None, NOW)
        joining.leave(store, ben, game_id, NOW)
    assert told(store, "joined") == [("joined", ann.id)]


def test_an_open_game_ends_by_a_date_and_says_so(store: Store) -> None:
    ann, ben = (give_address(store, make_player(store, name), f"{name}@example.org") for name in ("Ann", "Ben"))
    game_id, last = create(store, ann, 3)["id"], NOW + OPEN_FOR
    page = joining.join(store, ben, game_id, "", None, NOW)
    [listed] = game_lists.listing(store, ben, "open")[0]
    assert page["start_by"] == listed["start_by"] == utc(last)
    assert timeouts.run_clocks(store, last - timedelta(seconds=1)) == 0
    with pytest.raises(Conflict, match="had to start"):
        joining.join(store, make_player(store, "Cay"), game_id, "", None, last)
    assert timeouts.run_clocks(store, last) == 1
    page = game_page.page(store, game_id, ben)
    assert (page["status"], page["start_by"]) == ("abandoned", None)
    assert sorted(told(store, "not_started")) == sorted(("not_started", one.id) for one in (ann, ben))
    started = joining.join(store, ben, create(store, ann)["id"], "", None, NOW)
    assert timeouts.run_clocks(store, last) == 0
    assert game_page.page(store, started["id"], ann)["status"] == "running"
