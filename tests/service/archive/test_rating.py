"""Ratings: which games count, in which order, and that whoever computes them anew gets the same to the last digit."""

import json
import random
from datetime import timedelta
from typing import Any

import pytest

from server.cli import main
from server.engine import rulesets
from server.service.accounts import profiles
from server.service.accounts.players import Player, player_by_id
from server.service.admin import twins
from server.service.archive import rating, verification
from server.service.common import audit_log
from server.service.common.errors import Forbidden
from server.service.common.naming import SHOWN_FIRST, Title
from server.service.contests import deals
from server.service.erasure import deletion
from server.service.games import loading
from server.service.games.model import Seat
from server.service.games.rated import BEGUN, COUNTED
from server.service.lists import game_page, ratings
from server.service.play import hints
from server.service.seating import creating, joining, taking_over
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import NOW, Clock, Match, make_player

LATER = NOW + timedelta(days=1)


def rated_player(store: Store, name: str, **wishes: bool) -> Player:
    player = make_player(store, name)
    profiles.update_profile(store, player, {"preferences": {"rated": True, **wishes}}, NOW)
    found = player_by_id(store, player.id)
    assert found is not None
    return found


def start(store: Store, *players: Player, clock: Clock | None = None, **how: Any) -> Match:
    """A game of these players, begun."""
    given = {"private": False, **how}
    page = creating.create(store, players[0], len(players), "A game", None, "", [], now=NOW, **given)
    for player in players[1:]:
        joining.join(store, player, page["id"], "", page["invitation"], NOW)
    return Match(store, page["id"], list(players), clock or Clock())


def finish(game: Match, rounds: int = 2) -> None:
    """Some rounds, and then all but one resign."""
    for _ in range(rounds * len(game.players)):
        game.play_turn()
    while game.to_move is not None:
        game.play(game.active, "resign")


def state_of(store: Store, game_id: str) -> str | None:
    found: str | None = sql.value(store, "SELECT rated FROM game WHERE id = ?", game_id)
    return found


def put_games(store: Store, players: list[Player], number: int, rng: random.Random) -> None:
    """Finished games as rows alone, in any order, some of one second."""
    with store.write():
        for place in range(number):
            size = rng.choice((2, 3, 4))
            who: list[Player | str] = rng.sample([*players, "journeyman", "journeyman", "apprentice"], size)
            ranks = [rng.randint(1, size) for _ in who]
            ended = utc(NOW + timedelta(seconds=rng.randrange(number)))
            tower, game_id = rng.random() < 0.5, f"g{rng.randrange(10**9)}x{place}"
            sql.insert(
                store, "game", id=game_id, name="", status="finished", ruleset=f"ulm/{1 + place % 2}", options="{}",
                seats=size, private=False, server_seed="", commitment="", ply=9, public_ply=9, version=1,
                origin="played", created_at=utc(NOW), finished_at=ended, tower=tower, rated=BEGUN,
                result=json.dumps({"scores": [{"rank": rank} for rank in ranks], "winners": []}),
            )  # fmt: skip
            for seat, one in enumerate(who):
                player, bot = (None, one) if isinstance(one, str) else (one.id, None)
                sql.insert(
                    store, "seat", game_id=game_id, seat=seat, player_id=player, bot=bot, name="x", client_seed=""
                )


def everything(store: Store) -> list[tuple[Any, ...]]:
    return sorted(
        map(tuple, sql.rows(store, "SELECT variant, seats, COALESCE(player_id, bot, ''), mu, sigma, games FROM rating"))
    )


def test_however_they_are_counted_the_ratings_are_the_same_to_the_last_digit(store: Store) -> None:
    rng = random.Random(6)
    players = [rated_player(store, name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    put_games(store, players, 60, rng)
    assert rating.rate(store, NOW + timedelta(seconds=80), 1000) > 0
    while rating.rate(store, LATER, rng.randrange(1, 9)):
        pass
    found = everything(store)
    assert sum(row[-1] for row in found) > 100
    assert list(rating.differences(store)) == []
    with store.write():
        sql.execute(store, "DELETE FROM rated_result")
        sql.execute(store, "DELETE FROM rating")
        sql.execute(store, "UPDATE game SET rated = 'begun' WHERE rated = 'counted'")
    rating.rate(store, LATER, 1000)
    assert everything(store) == found


def test_an_account_that_is_deleted_changes_nobody_elses_numbers(store: Store) -> None:
    players = [rated_player(store, name) for name in ("Ann", "Ben", "Cleo")]
    put_games(store, players, 20, random.Random(2))
    rating.rate(store, LATER, 1000)
    before = [row[3:] for row in everything(store)]
    deletion.delete_account(store, players[0], LATER)
    assert list(rating.differences(store)) == []
    assert sorted(row[3:] for row in everything(store)) == sorted(before)
    assert players[0].id not in {one["player"] for one in ratings.ranking(store, "basic", 2)}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE rated_result SET mu = mu + 1 WHERE number = 3 AND seat = 1",
        "UPDATE rating SET sigma = sigma - 1 WHERE id = (SELECT MIN(id) FROM rating)",
        "UPDATE rated_result SET place = place + 1 WHERE number = 2 AND seat = 0",
        "UPDATE seat SET player_id = NULL, bot = 'master' WHERE id = (SELECT MIN(id) FROM seat)",
        "DELETE FROM rated_result WHERE number = 5",
    ],
)
def test_one_digit_that_differs_is_found(store: Store, settings: Settings, damage: str) -> None:
    put_games(store, [rated_player(store, "Ann"), rated_player(store, "Ben")], 8, random.Random(3))
    rating.rate(store, LATER, 1000)
    assert list(rating.differences(store)) == []
    with store.write():
        sql.execute(store, damage)
    assert list(rating.differences(store))


def test_a_game_counts_when_all_have_wished_it_before(store: Store) -> None:
    ann, ben, guest = rated_player(store, "Ann"), rated_player(store, "Ben"), make_player(store, "Guest")
    counted, unrated = start(store, ann, ben, rules=rulesets.rules_for("ulm/1")), start(store, ann, guest)
    private, hinted = start(store, ann, ben, private=True), start(store, ann, ben, hints=True)
    early = start(store, ann, ben)
    profiles.update_profile(store, guest, {"preferences": {"rated": True}}, NOW)
    for game in (counted, unrated, private, hinted):
        finish(game)
    finish(early, 1)
    assert rating.rate(store, early.clock.now, 100) == 0, "it has just ended"
    assert rating.rate(store, LATER, 100) == 2
    states = [state_of(store, game.id) for game in (counted, unrated, private, hinted, early)]
    assert states == [COUNTED, None, BEGUN, None, None]
    [first, second] = ratings.ranking(store, "basic", 2)
    assert (first["points"], second["points"], first["games"]) == (1658, 1342, 1)
    assert (first["place"], first["provisional"]) == (None, True), "nothing is known after one game"
    with store.write():
        sql.execute(store, "UPDATE game SET private = ? WHERE id = ?", False, private.id)
    assert rating.rate(store, LATER, 100) == 1, "what all may see at last counts then"
    assert [one["games"] for one in ratings.ranking(store, "basic", 2)] == [2, 2], "ulm/1 and ulm/2 count together"
    assert [one for one in verification.verify_all(store) if one.what == "ratings"] == []


def test_a_game_in_which_somebody_was_helped_does_not_count(store: Store) -> None:
    ann, ben, cleo = (rated_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    handed = start(store, ann, ben)
    handed.players[1] = cleo
    with store.write():
        taking_over.give_seat(store, loading.for_change(store, handed.id), 1, cleo, NOW)
    finish(handed)
    alone = creating.create(store, ann, 2, None, None, "", ["apprentice"], False, NOW)
    assert alone["rated"] == BEGUN
    hints.ask(store, ann, alone["id"], NOW)
    taken_back, own = start(store, ann, ben), start(store, ann, ben)
    finish(own)
    with store.write():
        over = "status = 'finished', finished_at = ?, result = '{}' WHERE id = ?"
        sql.execute(store, f"UPDATE game SET {over}", utc(NOW), alone["id"])
        sql.execute(store, f"UPDATE game SET taken_back = 1, {over}", utc(NOW), taken_back.id)
        sql.insert(
            store, "bot_account", player_id=ben.id, owner_id=ann.id, handle="b", who="owner", rules="{}", created_at=""
        )
    assert game_page.page(store, taken_back.id, ann)["rated"] is None
    rating.rate(store, LATER, 100)
    states = [state_of(store, game) for game in (handed.id, alone["id"], taken_back.id, own.id)]
    assert states == [None] * 4
    assert ratings.ranking(store, "basic", 2) == []


def test_nobody_sees_the_rating_of_who_wishes_none_or_is_private(store: Store) -> None:
    ann, ben, cleo = (rated_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    put_games(store, [ann, ben, cleo], 30, random.Random(5))
    rating.rate(store, LATER, 1000)
    kinds = [(one["variant"], one["seats"]) for one in ratings.of_player(store, ann.id, None)]
    assert kinds
    profiles.update_profile(store, ann, {"preferences": {"rated": False}}, NOW)
    profiles.update_profile(store, ben, {"preferences": {"private": True}}, NOW)
    for variant, seats in kinds:
        shown = {one["player"] for one in ratings.ranking(store, variant, seats)}
        assert not shown & {ann.id, ben.id}
    assert {who for who, _variant, _seats in ratings.of_several(store, [ann.id, ben.id, cleo.id])} == {cleo.id}
    assert ratings.of_player(store, ann.id, cleo) == ratings.of_player(store, ben.id, None) == []
    assert ratings.of_player(store, ben.id, ben) != []
    assert ratings.of_player(store, "journeyman", None)[0]["course"]


def test_a_game_may_be_for_players_of_some_ratings_alone(store: Store) -> None:
    ann, ben, guest = rated_player(store, "Ann"), rated_player(store, "Ben"), make_player(store, "Guest")
    page = creating.create(store, ann, 2, None, None, "", [], False, NOW, rating={"min": 1501, "max": None})
    for player, why in (
        (ben, "at least 1501 points, and who has no rating yet has 1500"),
        (guest, "switched their rating on"),
    ):
        with pytest.raises(Forbidden, match=why):
            joining.join(store, player, page["id"], "", None, NOW)
    other = creating.create(store, ann, 2, None, None, "", [], False, NOW, rating={"min": 1400, "max": 1500})
    joining.join(store, ben, other["id"], "", None, NOW)
    assert state_of(store, other["id"]) == BEGUN


def test_pairs_from_one_network_are_listed_for_the_operator(store: Store, settings: Settings, capsys: Any) -> None:
    ann, ben, cleo = (rated_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    put_games(store, [ann, ben, cleo], 60, random.Random(1))
    rating.rate(store, LATER, 1000)
    with store.write():
        for player, address in ((ann, "203.0.113.7"), (ben, "203.0.113.9"), (cleo, "198.51.100.1")):
            audit_log.called_from(address)
            audit_log.note(store, "sign_in", NOW, player.id)
    audit_log.called_from(None)
    [pair] = twins.listing(store)
    assert {pair["player"], pair["other"]} == {ann.id, ben.id}
    assert pair["network"] == "203.0.113.0/24"
    environ = {"ULM_DATABASE_URL": settings.database}
    assert main(["ratings", "twins"], environ) == 0
    assert main(["ratings", "verify"], environ) == 0
    told = capsys.readouterr().out
    assert "from 203.0.113.0/24" in told
    assert "games recomputed for their ratings: all as stored." in told


@pytest.mark.parametrize(
    ("day", "bot", "counts"), [(None, None, BEGUN), ("2026-11-21", None, None), ("2026-11-21", "master", BEGUN)]
)
def test_what_is_played_by_a_deal_counts_but_of_the_day_that_of_bots_alone(
    store: Store, day: str | None, bot: str | None, counts: str | None
) -> None:
    """People could have played that before, as guests; of the bots it is told how strong they are."""
    ann, ben = rated_player(store, "Ann"), rated_player(store, "Ben")
    seats = [Seat(0, ann.id, None, "Ann", ""), Seat(1, ben.id, None, "Ben", "")]
    if bot is not None:
        seats = [Seat(0, None, bot, "A bot", ""), Seat(1, None, "journeyman", "Another", "")]
    with store.write():
        deal = deals.make(store, {"tower": False, "rotate_start": False}, 2, rulesets.NEWEST, NOW, LATER, day=day)
        game = deals.start_game(store, deal, Title(kind=SHOWN_FIRST), seats, NOW)
    assert (game.rated, state_of(store, game.id)) == (counts, counts)
