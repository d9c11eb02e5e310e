"""The master: what it weighs, how it plays on, and when it stops to think."""

import random
from collections.abc import Iterator

from bots.determinise import Worlds
from bots.features import turns_left
from bots.journeyman import obvious, ranked
from bots.master import WIDE, Foresight, Master, chance_to_win, played_on
from bots.search import NEVER, Searcher, key
from bots.sight import Sight
from bots.value import shipped
from server.engine.ulm1.notation import Move
from tests.bots.positions import positions, sight


def hard_choices(players: int, word: str, every: int) -> Iterator[tuple[Sight, Worlds, list[tuple[float, Move]]]]:
    """Positions that need a thought: sight, what is hidden dealt anew, and the journeyman's moves."""
    for state, log in positions(players, True, word, every):
        seen = sight(state, log)
        if obvious(seen) is None:
            worlds, rng = Worlds(seen), random.Random(4)
            yield seen, worlds, ranked(worlds, seen.legal, shipped(players), WIDE, rng)


def test_moves_that_are_weighed_lead_to_different_turns():
    """The best one is among them, none promises far less, and no two come to the same end."""
    bot, several = Master(Foresight(gap=4.0)), 0
    for _, worlds, promised in hard_choices(2, "weighed", 11):
        world = worlds.one(random.Random(5))
        found = bot.worth_a_try(promised, world, worlds.seat, shipped(2))
        assert next(iter(found)) == promised[0][1]
        assert min(found.values()) > max(NEVER, promised[0][0] - 4)
        ends = []
        for move in found:
            child = world.copy()
            child.rules.advance(child, move, [])
            if child.active == worlds.seat and child.phase not in ("draw", "keep"):
                end = Searcher(shipped(2), child, worlds.seat).finish(child, WIDE.width, WIDE.limit)[1]
                ends.append(key(end, worlds.seat))
        assert len(set(ends)) == len(ends)
        several += len(found) > 2
    assert several


def test_a_move_is_played_on_to_the_end():
    """A position after each own turn, the last one with scores; the world that it began with stays as it was."""
    seen, worlds, promised = list(hard_choices(3, "played on", 29))[1]
    world, seat = worlds.one(random.Random(6)), worlds.seat
    before, turns = world.canonical_json(), turns_left(world, seat)
    after = [
        (state.active, turns_left(state, seat), state.scores is not None)
        for state in played_on(world, seat, promised[0][1], shipped(3), bytes(32), Foresight(width=1, limit=4))
    ]
    assert world.canonical_json() == before
    assert [left for _, left, _ in after[:-1]] == list(range(turns, turns - len(after) + 1, -1))
    assert after[-1] == (None, 0, True)
    assert all(active != seat for active, _, _ in after)
    assert seen.legal


def test_a_clock_that_has_run_out_leaves_what_was_promised():
    seen, _, promised = next(hard_choices(2, "clock", 13))
    ticks = iter(range(1000))
    bot = Master(clock=lambda: float(next(ticks)))
    assert bot.choose(seen._replace(seconds=0.5), random.Random(4)) == promised[0][1]


def test_the_chance_to_win():
    """All seats' chances add up to about one, nearer to the end they part, and at the end who won is sure of it."""
    for players in (2, 4):
        surest = []
        for state, _ in positions(players, False, f"chance {players}", every=1):
            if state.phase == "draw":
                chances = [chance_to_win(state, seat, shipped(players)) for seat in range(players)]
                assert 0.6 < sum(chances) < 1.35
                surest.append(max(chances))
        assert sum(surest[-5:]) > sum(surest[:5])
    seen, worlds, promised = list(hard_choices(2, "end", 29))[-1]
    *_, end = played_on(worlds.one(random.Random(1)), worlds.seat, promised[0][1], shipped(2), bytes(32))
    for seat, score in enumerate(end.scores or []):
        assert (chance_to_win(end, seat, shipped(2)) > 0.8) == (score["rank"] == 1)
    assert seen.legal
