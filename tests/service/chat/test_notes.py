"""Private notes: one's own, and nobody else's."""

from server.service.archive import replay_lists, replays, sandboxes
from server.service.chat import notes, notice_wishes
from server.service.lists import game_lists, game_page
from server.service.play import turns
from server.service.seating import creating, joining
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.service.conftest import NOW, make_player

SECRET = "Ben saves for the nave"


def test_who_sits_there_next_finds_no_note(store):
    ann, ben, cleo = (make_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    game = creating.create(store, ann, 3, "A game", {}, "", [], False, NOW)["id"]
    joining.join(store, ben, game, "", None, NOW)
    notes.put(store, game, ben, SECRET)
    joining.leave(store, ben, game, NOW)
    joining.join(store, cleo, game, "", None, NOW)
    assert notes.get(store, game, cleo) == {"note": ""}


def test_a_note_is_in_nothing_that_others_read(match):
    m = match(2)
    notes.put(m.store, m.id, m.players[0], SECRET)
    for player in (*m.players, None):
        assert SECRET not in repr(game_page.page(m.store, m.id, player))
        assert SECRET not in repr(game_page.log(m.store, m.id, player))
        assert SECRET not in repr(game_lists.listing(m.store, player))
    m.play(0, "resign")
    for player in (*m.players, None):
        assert SECRET not in repr(replays.record(m.store, m.id, player))
        assert SECRET not in repr(replays.timeline(m.store, m.id, player))
        assert SECRET not in repr(replay_lists.listing(m.store, player))
    assert notes.get(m.store, m.id, m.players[0]) == {"note": SECRET}


def test_in_a_sandbox_note_and_wish_are_the_owners_whoever_is_to_move(store):
    ensure_example(store, NOW)
    ann = make_player(store, "Ann")
    game = sandboxes.branch(store, ann, EXAMPLE_ID, 40, None, None, None, NOW)["id"]
    notes.put(store, game, ann, SECRET)
    notice_wishes.change(store, game, ann, {"mail": "mute"})
    eyes = set()
    while len(eyes) < 3:
        page = game_page.page(store, game, ann)
        eyes.add(page["seat"])
        assert notes.get(store, game, ann) == {"note": SECRET}
        assert notice_wishes.read(store, game, ann)["mail"] == "mute"
        legal = game_page.legal_moves(store, game, ann)
        move = "end" if "end" in legal["moves"] else legal["moves"][0]
        turns.play(store, game, ann, legal["ply"], [move], None, NOW)
