"""Resignation and the order of seats: rules.md O3, O4."""

import pytest

from server.engine.ulm1 import game
from tests.engine.positions import bag, do, docks, legal, one, position, refused

PHASES = [("draw", ""), ("keep", "gray white"), ("push", "gray"), ("actions", "")]


@pytest.mark.parametrize(("phase", "drawn"), PHASES)
def test_O3_the_active_seat_resigns_in_every_phase(phase: str, drawn: str) -> None:
    """O3: tiles drawn and not pushed go into the bag, unpaid levies cost nothing, the next seat's turn begins."""
    seat = {"tiles": "orange", "hand": ["siege"], "descendants": ["builder"], "barge": 4, "coins": 7}
    state = position(3, tower="coin_levy", phase=phase, drawn=drawn, seats=[seat], quarters={"tillage": [0]})
    after, _, reveals = one(state, "resign")
    want = state.players[0].to_dict() | {"resigned": True}
    assert after.players[0].to_dict() == want  # nothing of theirs is removed
    assert (after.active, after.phase, after.round, reveals) == (1, "draw", 1, False)
    assert sum(after.bag) == sum(state.bag) + len(drawn.split())
    assert after.turn.tiles == ()
    assert after.turn.free_play
    assert after.ply == state.ply + 1


def test_O3_what_the_active_seat_held_goes_back() -> None:
    """O3, L4: the tiles in hand go into the bag together, then the docks are filled; that reveals."""
    state = position(
        3,
        phase="keep",
        drawn="gray gray",
        bag={},
        docks="white white white white",
        seats=[{"descendants": ["builder"]}],
    )
    after, _, reveals = one(state, "resign")
    assert (docks(after), bag(after), reveals) == ({"white": 4, "gray": 1}, {"gray": 1}, True)
    # O3: cards on offer go to the discard pile, coats to the bottom of the stack, first drawn first.
    offer = ["siege", "nave-1", "choir-2"]
    state = position(3, pending=[{"kind": "choose", "offer": offer}], discard=["patrician"])
    assert do(state, "resign").discard == ("patrician", "siege", "nave-1", "choir-2")
    coats = position(3, coats=["E1", "E2"], pending=[{"kind": "coat", "offer": ["W1", "W2"]}])
    assert do(coats, "resign").coats == ("W2", "W1", "E1", "E2")


@pytest.mark.parametrize(("phase", "drawn"), PHASES)
def test_O3_out_of_turn_nothing_of_the_turn_changes(phase: str, drawn: str) -> None:
    """O3: any seat at any time, also out of turn; the turn under way goes on."""
    state = position(3, phase=phase, drawn=drawn, seats=[{"descendants": ["builder"]}])
    after = do(state, "resign", seat=2)
    assert after.to_dict() | {"ply": 0, "players": []} == state.to_dict() | {"ply": 0, "players": []}
    assert [player.resigned for player in after.players] == [False, False, True]
    refused(after, "resign", "O3", "You have resigned", seat=2)


@pytest.mark.parametrize(
    "pending",
    [
        [{"kind": "dock"}], [{"kind": "barge", "max": 2}, {"kind": "tillage"}], [{"kind": "descendant"}],
        [{"kind": "town_hall"}], [{"kind": "goose_tower"}], [{"kind": "shipyard"}], [{"kind": "abbot"}],
    ],
)  # fmt: skip
def test_O3_pending_choices_are_dropped(pending: list[dict[str, object]]) -> None:
    """O3: pending choices are dropped; a Descendant not yet chosen stays, the seal too."""
    state = position(3, pending=pending, quarters={"oath_house": [0]})
    after = do(state, "resign")
    assert (after.pending, after.active) == ((), 1)
    assert after.descendants == state.descendants
    assert after.to_dict()["quarters"]["oath_house"] == [0]
    assert (after.players[0].coins, after.turn.card_credits, after.docks) == (2, 0, state.docks)
    waiting = do(state, "resign", seat=2)
    assert waiting.pending == state.pending  # out of turn they stay


def test_O3_turns_of_a_resigned_seat_are_skipped() -> None:
    """O3: their turns are skipped, round after round."""
    state = do(position(4, phase="draw"), "resign", seat=1)
    state = do(state, "resign", seat=2)
    order = []
    while len(order) < 5:
        order.append((state.round, state.active))
        state = do(state, "draw", min(legal(do(state, "draw"), "push")), "end")
    assert order == [(1, 0), (1, 3), (2, 0), (2, 3), (3, 0)]
    # O3: the next round begins; in round 10 the game ends with final scoring.
    state = position(3, active=2, phase="push", drawn="gray")
    after = do(state, "resign")
    assert (after.round, after.active) == (2, 0)
    end = do(position(3, active=2, round_=10, tower="tile_levy"), "resign")
    assert (end.phase, end.active, end.round) == ("over", None, 10)
    assert [score["rank"] for score in end.scores or []] == [1, 1, 3]
    assert [player.vp for player in end.players] == [5, 5, 5]
    start = position(3, active=0, start=1, phase="draw")  # the seat after is the start of the next round
    assert (do(start, "resign").round, do(start, "resign").active) == (2, 1)


@pytest.mark.parametrize("resigner", [0, 1])
@pytest.mark.parametrize(("phase", "drawn"), PHASES)
def test_O3_with_one_player_left_the_game_ends_at_once(resigner: int, phase: str, drawn: str) -> None:
    """O3: final scoring at once; the turn under way is broken off in the same way, whoever resigned."""
    state = position(tower="coin_levy", phase=phase, drawn=drawn, seats=[{"descendants": ["builder"]}, {"vp": 90}])
    after, events, _ = one(state, "resign", seat=resigner)
    assert (after.phase, after.active, after.round, after.turn.tiles) == ("over", None, 1, ())
    assert sum(after.bag) == sum(state.bag) + len(drawn.split())
    assert [score["rank"] for score in after.scores or []] == ([2, 1] if resigner == 0 else [1, 2])
    assert [player.vp for player in after.players] == [5, 90]
    assert [event.seat for event in events if event.kind == "wins"] == [1 - resigner]


def test_O3_the_last_but_one_ends_the_game() -> None:
    """O3: also offers of the player who is left go back, when the others resign out of turn."""
    pending = [{"kind": "coat", "offer": ["W1", "W2"]}, {"kind": "choose", "offer": ["siege", "nave-1"]}]
    state = position(pending=pending, coats=["E1"], patrician=True, phase="draw")
    after = do(state, "resign", seat=1)
    assert after.phase == "over"
    assert after.coats == ("W2", "W1", "E1")
    assert after.discard == ("siege", "nave-1")
    assert after.pending == ()
    assert not after.turn.patrician
    # O3: in a game of four the third resignation ends it; the ranks of those who resigned follow E5.
    state = position(4, phase="draw", seats=[{"vp": 1}, {"vp": 2}, {"vp": 3}, {"vp": 3}])
    state = do(state, "resign", seat=2)
    state = do(state, "resign", seat=3)
    assert state.phase == "draw"
    state = do(state, "resign", seat=1)
    assert state.phase == "over"
    assert [score["rank"] for score in state.scores or []] == [1, 4, 2, 2]


def test_O3_a_resigned_player_goes_on_counting_and_earning() -> None:
    """O3: barges, seals, crests and coat seals of a resigned player block, count and earn."""
    gone = {"resigned": True, "coats": ["W1"], "barge": 2}
    state = position(3, activated="orange turquoise", quarters={"tillage": [1, 1, 1]}, seats=[{}, gone])
    after = do(state, "river", "seal tillage")
    assert after.players[0].barge == 3
    assert after.players[1].vp == 7
    after = do(after, *(text for text in ("dock gray", "barge 0")), "end")
    assert after.active == 2


@pytest.mark.parametrize("resigned", [0, 1, 2])
def test_O4_start_moves_one_seat_resigned_or_not(resigned: int) -> None:
    """O4: with O2 `start` moves by one seat; the round begins with the first seat from there that is still in."""
    seats = [{"resigned": seat == resigned} for seat in range(3)]
    active = 2 if resigned != 2 else 1
    state = position(3, rotate_start=True, active=active, phase="actions", seats=seats)
    after = do(state, "end")
    assert (after.round, after.start) == (2, 1)
    assert after.active == (2 if resigned == 1 else 1)
    order = []
    while after.round == 2:
        order.append(after.active)
        after = do(after, "draw", min(legal(do(after, "draw"), "push")), "end")
    assert order == [seat for seat in (1, 2, 0) if seat != resigned]
    assert after.start == 2


def test_O4_two_resigned_seats_in_a_row() -> None:
    """O4: several resigned seats are passed over together, and a whole game still has its ten rounds."""
    seats = [{}, {"resigned": True}, {"resigned": True}, {}]
    state = position(4, rotate_start=True, phase="draw", seats=seats)
    order = []
    while state.active is not None:
        order.append(state.active)
        state = do(state, "draw", min(legal(do(state, "draw"), "push")), "end")
    assert order == [0, 3, *[3, 0] * 3, 0, 3, *[3, 0] * 3, 0, 3, 3, 0]
    assert state.round == 10


def test_O3_resign_is_never_listed_but_always_possible() -> None:
    """record.md §3, O3: `resign` is possible for each seat still in, listed for nobody."""
    state = position(3, pending=[{"kind": "dock"}], seats=[{}, {}, {"resigned": True}])
    assert "resign" not in legal(state)
    assert [game.may_resign(state, seat) for seat in (-1, 0, 1, 2, 3)] == [False, True, True, False, False]
    for seat in (-1, 3):
        refused(state, "resign", "C1", "seats are 0 to 2", seat=seat)


@pytest.mark.parametrize("start", range(4))
def test_O3_a_round_begins_with_the_first_who_is_still_in(start: int) -> None:
    """O3, T2: from the start player on, whoever that is, seats that resigned are passed over."""
    gone = [{"resigned": seat in (start, (start + 1) % 4)} for seat in range(4)]
    last = do(position(4, start=start, active=(start + 3) % 4, seats=gone), "end")
    assert (last.round, last.active) == (2, (start + 2) % 4)
