"""Several writers at once, and the same request twice."""

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest

from server.service.accounts import tokens
from server.service.archive import verification
from server.service.common import idempotency
from server.service.common.errors import Conflict, ServiceError
from server.service.lists import game_page
from server.service.play import pause, turns
from server.service.seating import creating, joining, rematches
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, make_player
from tests.service.timed import start
from tests.tables import Game, Move, Reply, Seat, Snapshot
from tests.together import at_once


def test_of_two_writers_one_wins(match: Start) -> None:
    game = match()
    for _ in range(5):
        seat = game.active
        ply = game.ply(seat)
        pushes = [text for text in game.legal(seat) if text.startswith("push ")][:4]
        answers = at_once([partial(game.play, seat, text, ply=ply) for text in pushes])
        assert Counter(answer if isinstance(answer, int) else "won" for answer in answers) == {
            "won": 1,
            409: len(pushes) - 1,
        }
        game.play_turn()
    plies = game.store.ask(lambda: [row.ply for row in Move.select().order_by(Move.ply)])
    assert plies == list(range(1, len(plies) + 1))
    assert list(verification.verify_all(game.store)) == []


def test_last_seat_is_taken_once(store: Store) -> None:
    ann = make_player(store, "Ann")
    page = creating.create(store, ann, 2, "A game", None, "", [], False, NOW)
    others = [make_player(store, f"Player {number}") for number in range(4)]
    answers = at_once([lambda other=other: joining.join(store, other, page["id"], "", None, NOW) for other in others])
    assert sorted(answer for answer in answers if isinstance(answer, int)) == [409] * 3
    assert store.ask(lambda: Seat.select().where(Seat.player.is_null(False)).count()) == 2


def test_two_who_offer_a_rematch_at_once_play_it(match: Start) -> None:
    game = match()
    game.play(game.active, "resign")
    offer = [partial(rematches.offer, game.store, player, game.id, NOW) for player in game.players]
    one, other = at_once(offer)
    assert one["id"] == other["id"]
    assert game_page.page(game.store, one["id"], game.players[0])["status"] == "running"
    assert [offer[seat]()["id"] for seat in (0, 1)] == [one["id"]] * 2


def test_one_player_does_not_take_two_seats_at_once(store: Store) -> None:
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    page = creating.create(store, ann, 4, "A game", None, "", [], False, NOW)
    answers = at_once([lambda: joining.join(store, ben, page["id"], "", None, NOW)] * 4)
    assert sorted(answer for answer in answers if isinstance(answer, int)) == [409] * 3


def test_leaving_joining_and_starting_agree(store: Store) -> None:
    """The last seats are taken and given back at once: a game that has started has all its players and seeds."""
    for _ in range(6):
        ann, ben, cay, dan = (make_player(store, name) for name in ("Ann", "Ben", "Cay", "Dan"))
        game_id = creating.create(store, ann, 3, "A game", None, "a", [], False, NOW)["id"]
        joining.join(store, ben, game_id, "b", None, NOW)
        left, *joined = at_once(
            [
                lambda ben=ben, game_id=game_id: joining.leave(store, ben, game_id, NOW),
                lambda cay=cay, game_id=game_id: joining.join(store, cay, game_id, "c", None, NOW),
                lambda dan=dan, game_id=game_id: joining.join(store, dan, game_id, "d", None, NOW),
            ]
        )
        page = game_page.page(store, game_id, None)
        seated = [place["player"] for place in page["players"] if place]
        if left == 409:  # the first to come started the game
            assert page["status"] == "running"
            assert ben.id in seated
            assert sorted(answer == 409 for answer in joined) == [False, True]
        else:
            assert ben.id not in seated
            assert (page["status"], len(seated)) == ("running", 3)
        assert seated == list(dict.fromkeys(seated))
    assert list(verification.verify_all(store)) == []


def test_taking_back_and_playing_on_agree(match: Start) -> None:
    """Of a move taken back and one on top of it, sent at once, one is refused; the log has no gap."""
    game = match()
    outcomes = set()
    for _ in range(8):
        seat = game.active
        start = game.ply(seat)
        game.play(seat, next(text for text in game.legal(seat) if text.startswith("push ")))
        undone, played = at_once(
            [
                lambda seat=seat, start=start: turns.undo(game.store, game.id, game.players[seat], start, NOW),
                partial(game.play, seat, "end", ply=start + 1),
            ]
        )
        outcomes.add((isinstance(undone, int), isinstance(played, int)))
        if isinstance(played, int):
            assert (played, game.ply(seat)) == (409, start)
        else:
            assert undone in (403, 409, 422)
            assert game.active != seat
        game.play_turn()
    assert outcomes <= {(True, False), (False, True)}
    assert list(verification.verify_all(game.store)) == []


def test_tokens_made_at_once_keep_to_their_number(store: Store) -> None:
    ann = make_player(store, "Ann")
    for _ in range(tokens.TOKENS_MAX - 2):
        tokens.create(store, ann, "", NOW)
    answers = at_once([lambda: tokens.create(store, ann, "", NOW)] * 4)
    assert sorted(answer for answer in answers if isinstance(answer, int)) == [409] * 3
    assert len(tokens.listing(store, ann)) == tokens.TOKENS_MAX


def test_doubled_ply_is_refused_by_the_database_itself(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    game = match()
    seat, ply = game.active, game.ply(game.active)
    with game.store.read():
        row, snapshot = Game.select().dicts().get(), Snapshot.select().dicts().get()
    game.play(seat, "push N1")
    with game.store.write():  # as if the second writer had read before the first one wrote
        Game.update(ply=row["ply"], public_ply=row["public_ply"], to_move=row["to_move"]).execute()
        Snapshot.update(ply=snapshot["ply"], state=snapshot["state"], before=snapshot["before"]).execute()
    with pytest.raises(Conflict):
        game.play(seat, "push S2", ply=ply)


# --- Idempotency-Key ----------------------------------------------------------------------------------------------


def kept_as(game: Match, seat: int, key: str) -> str:
    request = idempotency.asked(key, game.players[seat], game_id=game.id)
    return request.name


def test_repeat_at_the_same_time_plays_once(match: Start) -> None:
    game = match()
    seat, ply = game.active, game.ply(game.active)
    answers = at_once([lambda: game.play(seat, "push N1", ply=ply, key="one")] * 4)
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["applied"] == 1


def test_old_answers_are_forgotten(match: Start) -> None:
    game = match()
    seat = game.active
    game.play(seat, "push N1", key="one")
    game.clock.now += timedelta(days=8)
    game.play(seat, "end", key="two")
    assert game.store.ask(lambda: [reply.name for reply in Reply.select()]) == [kept_as(game, seat, "two")]


def test_newest_answers_are_kept_up_to_a_bound(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal is stored too: a flood of refused requests may not fill the disk."""
    monkeypatch.setattr(idempotency, "REPLIES_MAX", 3)
    game = match()
    for number in range(6):
        for seat in (0, 1):
            with pytest.raises(ServiceError):
                game.play(seat, "end", ply=99, key=f"{seat}-{number}")
    names = game.store.ask(lambda: [reply.name for reply in Reply.select().order_by(Reply.id)])
    assert names == [kept_as(game, seat, f"{seat}-{number}") for number in (3, 4, 5) for seat in (0, 1)]


def test_few_of_them_are_refusals(match: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "REFUSALS_MAX", 2)
    game = match()
    seat = game.active
    game.play(seat, "push N1", key="played")
    for number in range(5):
        with pytest.raises(ServiceError):
            game.play(seat, "end", ply=99, key=f"refused-{number}")
    names = game.store.ask(lambda: [reply.name for reply in Reply.select().order_by(Reply.id)])
    assert names == [kept_as(game, seat, key) for key in ("played", "refused-3", "refused-4")]


def test_votes_for_a_pause_at_the_same_time_are_all_counted(store: Store) -> None:
    game = start(store, seats=4)
    pages = at_once([partial(pause.vote, store, player, game.id, game.now) for player in game.players])
    assert all(isinstance(page, dict) for page in pages)
    assert game.page(None)["pause_votes"] == [0, 1, 2, 3]
    assert (game.page(None)["paused"], game.deadline()) == (True, None)
