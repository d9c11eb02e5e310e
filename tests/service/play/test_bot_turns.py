"""Bots that need time: what they are told, that each turn is played once, and what becomes of it when they fail."""

import random
import threading
from datetime import timedelta
from functools import partial

import pytest

from bots import offers, turn
from server.bot_workers.process import ThinkingError
from server.engine.ulm2 import RULES
from server.service.common.errors import Conflict
from server.service.lists import game_page
from server.service.play import bot_turns, timeouts, turns
from server.service.play.bot_turns import DueTurn, Submitted
from server.service.seating import creating, rematches
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.service.bots_here import Here
from tests.service.conftest import NOW, make_player
from tests.service.play.bot_games import LATER, against, due, end_turn, plies, rows, wired, worlds


def test_twin_worlds_give_the_same_sight_and_the_same_moves(store: Store) -> None:
    """Two games that differ in what the bot may not see: its question is the same to the last letter."""

    for seed in (3, 4):
        games = []
        for world in worlds(holder=0):
            game = against(store, "journeyman", seed=seed)
            end_turn(game)
            with store.write():  # both bots have played the same until here
                sql.execute(store, "UPDATE bot_turn SET secret = ?", "cd" * 32)
            wired(store).play_due()
            end_turn(game)
            game.edit(world)
            due(store, "keeper")  # that the job of the other game leaves it alone
            games.append(game)
        with store.write():
            sql.execute(store, "UPDATE bot_turn SET secret = ?, lease_owner = ?", "ab" * 32, "one")
        questions = [bot_turns.question(store, "one", DueTurn(game.id, 1, 0)) for game in games]
        assert questions[0] is not None
        assert questions[0] == questions[1]
        for bot in ("random", "apprentice", "journeyman"):
            told = {tuple(turn.answer(asked.question, offers.known()[bot].bot())) for asked in questions if asked}
            assert len(told) == 1
        with store.write():
            sql.execute(store, "DELETE FROM game")


def test_what_a_bot_decided_before_a_crash_it_decides_again(store: Store) -> None:
    game = against(store, "journeyman")
    end_turn(game)
    first = bot_turns.question(store, "one", due(store))
    bot_turns.release(store, "one", DueTurn(game.id, 1, 0))
    again = bot_turns.question(store, "two", due(store, "two"))
    assert first == again
    bot = offers.known()["random"].bot()
    assert turn.answer(first.question, bot) == turn.answer(again.question, bot)
    secret = first.question.secret
    given = [(secret, 1, 7), (secret, 1, 8), (secret, 0, 7), (b"another", 1, 7), (secret, 1, 7)]
    drawn = [turn.chance(*one).random() for one in given]
    assert len(set(drawn)) == 4
    assert drawn[0] == drawn[4]
    assert sql.row(store, "SELECT server_seed FROM game")[0] != first.question.secret.hex()


def test_a_resignation_while_it_thinks(store: Store, settings: Settings) -> None:
    """What was thought about a position that is no longer there is refused, and the bot is asked anew."""
    game = against(store, None, "journeyman")
    end_turn(game)
    end_turn(game)
    found = due(store)
    asked = bot_turns.question(store, "one", found)
    moves = Here().plainly(asked.question)
    turns.play(store, game.id, game.players[1], game.ply(1), ["resign"], None, NOW)
    assert bot_turns.submit(store, "one", found, asked.ply, moves, NOW) is Submitted.STALE
    newer = bot_turns.question(store, "one", found)
    assert newer.ply == asked.ply + 1
    bot_turns.release(store, "one", found)
    wired(store).play_due()
    assert game.to_move == 0
    # The last one who plays against it resigns: the game is over, and nothing is due.
    end_turn(game)
    found = due(store)
    asked = bot_turns.question(store, "one", found)
    game.play(0, "resign")
    assert rows(store) == []
    assert bot_turns.question(store, "one", found) is None
    assert bot_turns.submit(store, "one", found, asked.ply, moves, NOW) is Submitted.LOST


def test_of_two_workers_one_has_a_turn_and_the_other_takes_over_when_it_dies(store: Store) -> None:
    game = against(store, "journeyman")
    end_turn(game)
    first = due(store, "one")
    assert bot_turns.claim(store, "two", NOW, LATER) is None
    asked = bot_turns.question(store, "one", first)
    moves = Here().plainly(asked.question)
    assert bot_turns.renew(store, "one", first, LATER)
    second = bot_turns.claim(store, "two", LATER, LATER + timedelta(seconds=15))
    assert second is not None
    assert not bot_turns.renew(store, "one", first, LATER)
    assert bot_turns.submit(store, "one", first, asked.ply, moves, LATER) is Submitted.LOST
    assert bot_turns.failed(store, "one", first) == 0
    assert bot_turns.play_plainly(store, "one", first, LATER) is Submitted.LOST
    assert bot_turns.submit(store, "two", second, asked.ply, moves, LATER) in (Submitted.GOES_ON, Submitted.OVER)
    assert plies(store, game.id) == list(range(1, len(plies(store, game.id)) + 1))


def test_many_workers_play_each_turn_once(store: Store, settings: Settings) -> None:
    games = [against(store, "journeyman", seed=seed) for seed in range(6)]
    for game in games:
        end_turn(game)
    workers = [wired(store, owner=f"w{number}") for number in range(4)]
    threads = [threading.Thread(target=one.play_due) for one in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(store) == []
    for game in games:
        assert game.to_move == 0
        found = plies(store, game.id)
        assert found == list(range(1, len(found) + 1))
        log = game_page.log(store, game.id, None)["moves"]
        assert [entry["move"] for entry in log if entry["seat"] == 1].count("end") == 1


@pytest.mark.parametrize("fault", ["illegal", "crash", "unreadable"])
def test_after_three_failures_the_apprentice_plays(store: Store, caplog, fault: str) -> None:
    def think(question: turn.Question) -> list[str]:
        if fault == "crash":
            raise ThinkingError("its process has ended")
        return ["seal city-hall-1 coins"] if fault == "illegal" else ["nonsense"]

    game = against(store, "journeyman")
    end_turn(game)
    thinker = Here(think)
    wired(store, thinker).play_due()
    assert len(thinker.asked) == 3
    assert len({question.secret for question in thinker.asked}) == 1
    assert game.to_move == 0
    assert rows(store) == []
    assert "the apprentice plays for a bot" in caplog.text


def test_games_of_bots_alone_are_few(store: Store) -> None:
    ann = make_player(store, "Ann")
    make = partial(creating.create, store, ann, 2, None, {}, "", ["random", "random"], False, NOW)
    make()
    make()
    with pytest.raises(Conflict):
        make()


def test_those_for_whom_somebody_waits_come_first(store: Store) -> None:
    ann = make_player(store, "Ben")
    alone = creating.create(store, ann, 2, None, {}, "", ["random", "random"], False, NOW)["id"]
    game = against(store, "journeyman")
    end_turn(game)
    assert due(store).game_id == game.id
    assert due(store, "two").game_id == alone


def waiting(store: Store, number: int) -> list[str]:
    """Games of one player who waits for a bot in each."""
    games = [against(store, "journeyman", "journeyman", seed=seed) for seed in range(1, number + 1)]
    for game in games:
        end_turn(game)
        with store.write():
            creator = games[0].players[0].id
            sql.execute(store, "UPDATE game SET creator_id = ? WHERE id = ?", creator, game.id)
    return [game.id for game in games]


def test_who_waits_for_many_turns_waits_by_turns_with_others(store: Store) -> None:
    many, (one,) = waiting(store, 4), waiting(store, 1)
    assert one in [due(store).game_id for _ in range(2)]
    assert {due(store).game_id for _ in range(3)} < set(many)


def test_games_that_all_people_have_left_come_last(store: Store) -> None:
    game = against(store, "journeyman", "journeyman")
    turns.play(store, game.id, game.players[0], game.ply(0), ["resign"], None, NOW)
    ((_, _, alone, *_),) = rows(store)
    assert alone == 1
    game = against(store, "journeyman", "journeyman", seed=50)
    end_turn(game)  # somebody waits for it, until they leave
    assert [row[2] for row in rows(store) if row[0] == game.id] == [0]
    turns.play(store, game.id, game.players[0], game.ply(0), ["resign"], None, NOW)
    assert [row[2] for row in rows(store)] == [1, 1]


def test_thinking_costs_nobody_time(store: Store, settings: Settings) -> None:
    game = against(store, "journeyman", clock={"turn_hours": 1, "reserve_hours": 2, "on_timeout": "resign"})
    assert game.page(0)["deadline"] is not None
    end_turn(game)
    assert game.page(0)["deadline"] is None
    assert timeouts.run_clocks(store, NOW + timedelta(days=3)) == 0
    wired(store).play_due()
    page = game.page(0)
    assert page["deadline"] is not None
    assert page["reserve_seconds"] == [7200, None]


def test_who_comes_back_while_the_stand_in_is_asked_plays_their_own_turn(store: Store, settings: Settings) -> None:
    game = against(store, None, clock={"turn_hours": 1, "reserve_hours": 0})
    now = NOW
    for _ in range(2):
        now += timedelta(hours=2)
        assert timeouts.run_clocks(store, now) == 1  # Ann's turn
        late = Here()
        wired(store, late).play_due()
        assert {question.bot for question in late.asked} == {"journeyman"}
        end_turn(game, now)
    assert (game.page(1)["players"][0]["autopilot"], game.page(1)["thinking"]) == (True, True)
    found = due(store)
    timeouts.come_back(store, game.players[0], game.id)
    assert bot_turns.question(store, "one", found) is None
    assert rows(store) == []
    assert game.legal(0) != []


def test_a_rematch_replaces_a_bot_that_is_gone(store: Store) -> None:
    game = against(store, "journeyman", "random")
    with store.write():
        sql.execute(store, "UPDATE seat SET bot = 'gone-away', name = 'Gone', name_kind = NULL WHERE bot = 'random'")
    game.play(0, "resign")
    with store.write():
        sql.execute(store, "UPDATE game SET status = 'finished'")
    page = rematches.offer(store, game.players[0], game.id, NOW)
    assert [place and place["bot"] for place in page["players"]] == [None, "journeyman", "apprentice"]


def test_a_budget_is_shared_by_the_decisions_of_a_turn() -> None:
    """Each gets a part of what is left, so that they cannot take longer than all of it together."""
    times, seen = iter(range(10_000)), []

    class Spender:
        def choose(self, sight, rng: random.Random):
            seen.append(sight.seconds)
            return next((move for move in sight.legal if move[0] == "end"), sight.legal[0])

    state = RULES.new_game(bytes(32), 2, {"tower": False, "rotate_start": False})
    assert state.active is not None
    view = RULES.view(state, state.active)
    while len(seen) < 3:
        question = turn.Question("spender", view, (), b"1", 10.0)
        moves = turn.answer(question, Spender(), lambda: next(times) / 10)
        for move in moves:
            state = RULES.apply(state, state.active, RULES.parse_move(move)).state
        assert state.active is not None
        view = RULES.view(state, state.active)
    assert all(0 < seconds <= 4.0 for seconds in seen)


def test_the_rest_of_a_late_turn_is_the_stand_ins(store: Store, settings: Settings) -> None:
    """While it is asked the late player plays nothing, the others learn nothing of a hidden draw, and no clock runs."""
    game = against(store, None, clock={"turn_hours": 1, "reserve_hours": 0})
    late, other = game.active, 1 - game.active
    before, seen = game.page(late), game.page(other)
    assert seen["ply"] < before["ply"], "the server has drawn, and nobody else sees it"
    now = NOW + timedelta(hours=2)
    assert timeouts.run_clocks(store, now) == 1
    assert timeouts.run_clocks(store, now + timedelta(days=3)) == 0
    page = game.page(other)
    assert {name for name in page if page[name] != seen[name]} == {"thinking", "deadline", "reserve_seconds"} - (
        {"reserve_seconds"} if page["reserve_seconds"] == seen["reserve_seconds"] else set()
    )
    assert (page["thinking"], page["deadline"], page["players"][late]["autopilot"]) == (True, None, False)
    push = next(move for move in game.legal(late) if move.startswith("push"))
    with pytest.raises(Conflict, match="plays the rest of this turn"):
        turns.play(store, game.id, game.players[late], before["ply"], [push], None, now)
    with pytest.raises(Conflict, match="plays the rest of this turn"):
        turns.undo(store, game.id, game.players[late], before["ply"] - 1, now)
    thinker = Here()
    wired(store, thinker).play_due()
    assert {question.bot for question in thinker.asked} == {"journeyman"}
    page = game.page(late)
    assert (page["to_move"], page["thinking"], rows(store)) == (other, False, [])
    # The next turn is the player's own, with all of its time.
    end_turn(game, now)
    page = game.page(late)
    assert (page["to_move"], page["thinking"]) == (late, False)
    assert page["deadline"] is not None
