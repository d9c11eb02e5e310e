"""What happened, as one seat may read it."""

from __future__ import annotations

from server.engine.ulm1.rules import RULES
from server.service.explain import game_words, history
from server.service.games import loading
from server.service.lists import game_page


def tell(match, seat):
    with match.store.read():
        game = loading.for_reader(match.store, match.id, None if seat is None else match.players[seat])
        return history.tell(match.store, game, seat)


def test_since_the_own_turn_and_in_this_one(match):
    m = match(3)
    first = m.active
    m.play_turn()
    m.play_turn()
    m.play_turn()
    assert m.active == first
    before = tell(m, first)
    assert {told.seat for told in before.since_own_turn()} == {seat for seat in range(3) if seat != first}
    assert [told.move for told in before.this_turn()] == ["draw"]
    m.play(first, m.legal(first)[0])
    after = tell(m, first)
    assert after.since_own_turn() == before.since_own_turn()
    assert [told.seat for told in after.this_turn()] == [first, first]
    assert after.between(before.moves[-1].ply)[0].sentences[0].startswith("You ")
    assert after.turn_began == before.turn_began > after.own_turn_ended


def test_it_says_what_the_log_says(match):
    m = match(2)
    for _ in range(4):
        m.play_turn()
    for seat in (0, 1, None):
        log = game_page.log(m.store, m.id, None if seat is None else m.players[seat])
        told = tell(m, seat).moves
        assert [(one.ply, one.seat, one.move) for one in told] == [
            (move["ply"], move["seat"], move["move"]) for move in log["moves"]
        ]


def test_what_a_card_is_only_its_player_reads(match, offer):
    m = match(offer.seats, seed=offer.seed)
    m.follow(offer.moves)
    seat = m.active
    cards = [game_words.card(RULES, card) for card in m.page(seat)["view"]["pending"][-1]["offer"]]
    others = [s for s in range(offer.seats) if s != seat]
    own = " ".join(tell(m, seat).moves[-1].sentences)
    assert cards[0] in own
    for other in [*others, None]:
        text = " ".join(sentence for told in tell(m, other).moves[-1:] for sentence in told.sentences)
        assert not any(card in text for card in cards)


def test_a_resignation_is_told(match):
    m = match(3)
    out = next(seat for seat in range(3) if seat != m.active)
    m.play(out, "resign")
    assert "Player" in tell(m, m.active).moves[-1].sentences[0]
    assert tell(m, m.active).moves[-1].move == "resign"
