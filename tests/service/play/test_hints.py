"""What the adviser is told when somebody asks for a hint."""

from datetime import timedelta

from server.service.play import hints
from server.service.play.hints import DueHint
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.service.bots_here import Here
from tests.service.conftest import NOW
from tests.service.play.bot_games import LATER, against, end_turn, wired, worlds


def test_twin_worlds_give_the_same_question(store: Store, settings: Settings) -> None:
    """And so the same hint: a chance of its own follows from a secret that has nothing to do with the game's."""
    asked = []
    for world in worlds(holder=1):
        game = against(store, None, hints=True)
        game.edit(world)
        hints.ask(store, game.players[0], game.id, NOW)
        due = hints.claim(store, NOW, LATER)
        assert (due.game_id, due.seat) == (game.id, 0)
        asked.append(hints.question(store, due._replace(secret="ab" * 32), 1.0))
        hints.answer(store, due, ["end"])
    assert asked[0] is not None
    assert asked[0] == asked[1]


def test_no_hint_is_given_twice_nor_of_a_game_that_is_gone(store: Store, settings: Settings) -> None:
    game = against(store, "apprentice")
    hints.ask(store, game.players[0], game.id, NOW)
    due = hints.claim(store, NOW, LATER)
    assert due is not None
    assert hints.claim(store, NOW, LATER) is None, "it is another process's"
    before = NOW - timedelta(days=2)
    assert hints.claim(store, before, before + (LATER - NOW)) == due, "whose clock was ahead"
    assert hints.claim(store, LATER, LATER) == due, "which has ended"
    with store.write():
        sql.execute(store, "DELETE FROM game")
    assert hints.question(store, due, 1.0) is None
    hints.answer(store, due, ["end"])
    assert wired(store, Here()).play_due() == 0
    assert hints.question(store, DueHint("x", "nothing", 0, "", "ab"), 1.0) is None


def test_a_hint_does_not_wait_for_all_turns(store: Store) -> None:
    for seed in (1, 60):
        end_turn(against(store, "master", seed=seed))
    asking = against(store, None, seed=120, hints=True)
    hints.ask(store, asking.players[0], asking.id, NOW)
    thinker = Here()
    wired(store, thinker).play_due()
    assert [question.bot for question in thinker.asked].index(hints.ADVISER) < len(thinker.asked) - 1
