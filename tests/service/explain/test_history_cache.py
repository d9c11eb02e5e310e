"""What is kept of a told game: the story is the same with it and without it, and it holds what all may know."""

import random

import pytest

from server.engine.ulm2 import RULES
from server.service.explain import history
from server.service.explain.history import pasts
from server.service.games import loading
from server.service.play import turns as play_turns

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def told(match, seat):
    with match.store.read():
        game = loading.for_reader(match.store, match.id, None if seat is None else match.players[seat])
        return history.tell(match.store, game, seat)


def plain(found):
    return (found.moves, found.turns, found.turn_began, found.own_turn_ended, [one.sentences for one in found.moves])


def afresh(match, seat):
    """The story as a process tells it that knows nothing yet."""
    kept = pasts.pop((match.store.number, match.id), None)
    try:
        return told(match, seat)
    finally:
        if kept is not None:
            pasts[match.store.number, match.id] = kept


def check(match):
    for seat in (*range(len(match.players)), None):
        assert plain(told(match, seat)) == plain(afresh(match, seat))


def choose(rng, legal):
    """Any verb, then any of its moves; the end of the turn not too soon."""
    verbs = sorted({move.split()[0] for move in legal} - ({"end"} if rng.random() < 0.6 else set())) or ["end"]
    verb = rng.choice(verbs)
    return rng.choice([move for move in legal if move.split()[0] == verb])


@SQLITE
@pytest.mark.parametrize("seed", range(3))
def test_it_tells_what_a_replay_from_the_beginning_tells(match, seed):
    m, rng = match(3, auto_draw=seed != 1, seed=seed + 5), random.Random(seed)
    for _ in range(60):
        seat = m.active
        m.play(seat, choose(rng, m.legal(seat)))
        if rng.random() < 0.5:
            check(m)
        if rng.random() < 0.3:
            undo(m, seat, rng)
            check(m)
    check(m)
    m.play(1, "resign")
    check(m)
    m.play(2, "resign")
    assert m.page(0)["status"] == "finished"
    check(m)


def undo(m, seat, rng):
    """Take back what can be taken back, if anything can."""
    found = told(m, seat)
    turn = found.this_turn() if m.to_move == seat else []
    if turn and not turn[-1].reveals and turn[-1].seat == seat:
        play_turns.undo(m.store, m.id, m.players[seat], turn[-1].ply - 1, m.clock())


def test_only_the_turn_under_way_is_played_again(match, monkeypatch):
    m = match(2)
    for _ in range(6):
        m.play_turn()
    told(m, 0)
    calls = []
    real = RULES.advance
    monkeypatch.setitem(vars(RULES), "advance", lambda *args: (calls.append(1), real(*args)))
    found = told(m, 0)
    assert len(calls) == len(found.this_turn()) < len(found.moves)


def test_a_hidden_draw_is_not_kept(match):
    m = match(2)
    for _ in range(3):
        m.play_turn()
    seat = m.active
    assert [one.move for one in told(m, seat).this_turn()] == ["draw"]
    kept = pasts[m.store.number, m.id]
    assert kept.ply == m.ply(1 - seat) == m.ply(None)
    assert kept.happened[-1].move == ("end",)
    assert told(m, 1 - seat).this_turn() == told(m, None).this_turn() == []
