"""Guests: accounts of no more than a name, and the lists of the first page."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from server.service.accounts import access, account_opening, profiles, tokens
from server.service.archive import kept_records, replays, sandboxes
from server.service.chat import messages
from server.service.common.errors import NotFound, TooManyRequests, Unprocessable
from server.service.lists import game_lists, game_page
from server.service.play import turns as play_turns
from server.service.seating import creating, guests, joining
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage import sql
from tests.service.conftest import NOW, make_player
from tests.tables import Game, Player, Snapshot
from tests.tables import Move as MoveRow

MONTH, YEAR = timedelta(days=31), timedelta(days=365)


def forget(store, later: timedelta) -> int:
    """What the job does then."""
    return guests.clean_up(store, NOW + later, NOW + later - YEAR, NOW + later)


def guest(store, name: str | None = None, machine: str = "10.0.0.1", most: int = 100, **wishes):
    return guests.open_account(store, name, machine, most, NOW, wishes or None)


# Accounts of no more than a name


def test_a_network_brings_in_only_so_many_guests_an_hour(store) -> None:
    for _ in range(3):
        guest(store, machine="2001:db8::1", most=3)
    with pytest.raises(TooManyRequests):
        guest(store, machine="2001:db8::ffff:2", most=3)  # the same household
    guest(store, machine="2001:db8:0:1::1", most=3)
    guest(store, machine="10.0.0.9", most=3)
    later = guests.open_account(store, "Late", "2001:db8::1", 3, NOW + timedelta(hours=1))
    assert later.name == "Late"
    assert store.ask(lambda: Player.select().count()) == 6


# Forgetting those who never came back


def test_guests_who_never_played_are_forgotten_with_their_games(store) -> None:
    idle = guest(store)
    game = guests.play(store, idle, 3, NOW)
    alone = guest(store)
    assert forget(store, timedelta()) == 0
    assert forget(store, MONTH) == 2
    with store.read():
        assert Player.select().where(Player.id.in_([idle.id, alone.id])).count() == 0
        assert Game.select().where(Game.id == game).count() == 0
        assert MoveRow.select().where(MoveRow.game == game).count() == 0
        assert Snapshot.select().where(Snapshot.game == game).count() == 0


def test_whoever_played_wrote_or_sits_with_others_is_not_forgotten(store) -> None:
    ensure_example(store, NOW)
    player = guest(store, "Played")
    game = guests.play(store, player, 2, NOW)
    page = game_page.page(store, game, player)
    play_turns.play(
        store, game, player, page["ply"], game_page.legal_moves(store, game, player)["moves"][:1], None, NOW
    )

    host = make_player(store, "Has a token")
    at_table = guest(store, "Sits with others")
    shared = creating.create(store, host, 2, None, None, "", [], False, NOW)["id"]
    joining.join(store, at_table, shared, "", None, NOW)
    waits = guest(store, "Waits")
    creating.create(store, waits, 2, None, None, "", [], False, NOW)
    writes = guest(store, "Writes")
    messages.post(store, guests.play(store, writes, 2, NOW), writes, "hello?", NOW)
    addressed = guest(store, "Has an address")
    profiles.update_profile(store, addressed, {"email": "x@example.org"}, NOW)
    gives = guest(store, "Gives a record")
    kept_records.keep(store, gives, replays.record(store, EXAMPLE_ID) | {"name": "x"}, NOW)
    assert forget(store, MONTH) == 0
    assert store.ask(lambda: Player.select().count()) == 7


def test_a_token_that_nobody_uses_keeps_an_account_for_a_year(store) -> None:
    made = account_opening.create_player(store, "Program", None, NOW)
    other = account_opening.create_player(store, "Used", None, NOW)
    by_a_page = guest(store)
    token = tokens.create(store, by_a_page, "for a program", NOW)
    tokens.create(store, by_a_page, "another", NOW - YEAR)
    assert forget(store, MONTH) == 0
    assert access.authenticate(store, other["token"], NOW + MONTH) is not None
    assert forget(store, YEAR + timedelta(days=1)) == 2
    assert store.ask(lambda: [player.id for player in Player.select()]) == [other["id"]]
    assert access.authenticate(store, made["token"], NOW + YEAR) is None
    assert access.authenticate(store, token["token"], NOW + YEAR) is None


def test_who_sits_down_while_guests_are_looked_for_is_not_forgotten(store, monkeypatch) -> None:
    host, idle = make_player(store, "Host"), guest(store, "Comes back")
    game = creating.create(store, host, 2, None, None, "", [], False, NOW)["id"]
    rows = sql.rows

    def then_sit_down(*asked):
        found = rows(*asked)
        monkeypatch.setattr(sql, "rows", rows)
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(joining.join, store, idle, game, "", None, NOW).result()
        return found

    monkeypatch.setattr(sql, "rows", then_sit_down)
    assert forget(store, MONTH) == 0
    assert game_page.page(store, game, idle)["seat"] == 1


# Which games are in which list


def ids(store, player, which: str, **more) -> list[str]:
    return [game["id"] for game in game_lists.home(store, player, which, NOW, **more)[0]]


def test_games_are_listed_by_what_they_are_to_somebody(store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    ensure_example(store, NOW)
    running = creating.create(store, ann, 2, "Running", None, "", [], False, NOW)["id"]
    joining.join(store, ben, running, "", None, NOW)
    to_move = (ann, ben)[game_page.page(store, running, None)["to_move"]]
    waiting = ben if to_move is ann else ann
    mine = creating.create(store, ann, 3, "Ann's", None, "", [], False, NOW)["id"]
    secret = creating.create(store, ann, 2, "Private", None, "", [], True, NOW)["id"]
    solo = guests.play(store, guest(store), 2, NOW)
    sandbox = sandboxes.branch(store, ann, EXAMPLE_ID, 40, None, None, None, NOW)["id"]

    assert ids(store, to_move, game_lists.TURNS) == [running]
    assert ids(store, waiting, game_lists.TURNS) == []
    assert ids(store, waiting, game_lists.RUNNING) == [running]
    assert ids(store, to_move, game_lists.RUNNING) == []
    assert set(ids(store, ann, game_lists.SEATED)) == {mine, secret}
    assert ids(store, ann, game_lists.SANDBOXES) == [sandbox]
    assert ids(store, ben, game_lists.SANDBOXES) == []
    assert ids(store, ann, game_lists.OPEN) == []
    assert ids(store, ben, game_lists.OPEN) == ids(store, None, game_lists.OPEN) == [mine]
    assert ids(store, None, game_lists.WATCH) == [running]
    assert ids(store, ann, game_lists.WATCH) == []
    assert solo not in ids(store, None, game_lists.WATCH)
    assert ids(store, ann, game_lists.OVER) == []
    joining.leave(store, ann, mine, NOW)
    assert ids(store, None, game_lists.OPEN) == []
    for which in game_lists.LISTS:
        for player in (None, ben):
            if player is not None or which in game_lists.FOR_ALL:
                assert secret not in ids(store, player, which)
                assert sandbox not in ids(store, player, which)


def test_lists_of_somebody_are_for_nobody_else(store) -> None:
    for which in (*game_lists.OWN, "", "all", "turns'"):
        with pytest.raises(NotFound):
            game_lists.home(store, None, which, NOW)


def test_what_is_urgent_comes_first(store) -> None:
    ann = make_player(store, "Ann")
    hours = {"none": None, "week": 168, "day": 24}
    made = {
        name: creating.create(
            store, ann, 2, name, None, "", ["random"], False, NOW, clock=None if long is None else {"turn_hours": long}
        )["id"]
        for name, long in hours.items()
    }
    turns = ids(store, ann, game_lists.TURNS)
    assert [game for game in (made["day"], made["week"], made["none"]) if game in turns] == turns
    assert len(turns) == 3


def test_seats_for_bots_and_people_in_any_order(store) -> None:
    """A None among the bots leaves a seat free."""
    ann = make_player(store, "Ann")
    page = creating.create(store, ann, 4, None, None, "", [None, "steady"], False, NOW)
    assert [place and place["bot"] for place in page["players"]] == [None, None, "steady", None]
    assert page["players"][1] is page["players"][3] is None
    with pytest.raises(Unprocessable):
        creating.create(store, ann, 2, None, None, "", [None, "steady"], False, NOW)
