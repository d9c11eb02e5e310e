"""The guided first game: its deal brings what the lessons promise, its addresses lead somewhere, its coach is right."""

import random

import pytest

from server.engine.ulm1.notation import format_move
from server.service.learning import coach, lessons, pushes, walk
from server.service.learning.lessons import FREE, LAST, LESSONS
from server.service.views import drafts
from tests.engine.positions import position

GUIDED = range(1, FREE)


def legal(place: walk.Place) -> list[str]:
    return [format_move(move) for move in place.state.rules.legal_moves(place.state, lessons.LEARNER)]


def follow(number: int, steps: int | None = None) -> walk.Place:
    """The place after so many steps of a lesson; after all when None."""
    return walk.at(number, drafts.write(lessons.TURNS[number - 1][:steps]))


@pytest.mark.parametrize("number", GUIDED)
def test_a_lesson_is_done_by_following_the_coach(number: int) -> None:
    place = walk.at(number, "")
    while not place.over:
        assert place.step.move in legal(place)
        place = walk.at(number, drafts.write((*place.moves, place.step.move)))
        assert (place.problem, place.tried, place.refused) == (False, False, False)
    assert place.moves == lessons.TURNS[number - 1]
    assert place.answer
    assert all(played.seat == lessons.BOT for played in place.answer)
    assert place.state is lessons.begin(number + 1)
    assert place.back is None


@pytest.mark.parametrize(
    ("number", "tile", "activated"),
    [
        (1, "gray", ["gray", "gray", "gray"]),
        (2, "white", ["white", "gray", "white"]),
        (3, "gray", ["gray", "gray", "brown"]),
        (4, "gray", ["gray", "white", "turquoise"]),
        (5, "turquoise", ["turquoise", "orange", "turquoise"]),
    ],
)
def test_the_deal_brings_the_tiles_that_the_coach_speaks_of(number: int, tile: str, activated: list[str]) -> None:
    """All three tiles of each line are of kinds learned by then, and the lesson uses each of them."""
    place = follow(number, 1)
    [push] = [move for move in lessons.TURNS[number - 1] if move.startswith("push")]
    what = place.state.rules.pushed(place.state, place.state.rules.parse_move(push))
    assert (what.color, list(what.activates)) == (tile, activated)
    known = {lesson.color for lesson in LESSONS[:number]}
    assert set(activated) <= known
    assert LESSONS[number - 1].color in activated
    last = follow(number, -1)
    assert last.step.move == "end"
    assert lessons.RULES.lost_by_ending(last.state, lessons.LEARNER) in ([], last_free_play(last))


def last_free_play(place: walk.Place) -> list[object]:
    """A card in hand may be left unplayed; nothing else is lost."""
    return [loss for loss in lessons.RULES.lost_by_ending(place.state, lessons.LEARNER) if loss.kind == "free_play"]


def test_what_the_coach_says_of_numbers_is_so() -> None:
    """Points, coins, what lies outside, which cards and coats are on offer: each number in the words of a lesson."""
    me = lambda place: place.state.players[lessons.LEARNER]  # noqa: E731 - short for ten lines
    outer = lambda place: place.state.rules.view(place.state, 0)["outer"]  # noqa: E731
    assert [slot for slot in outer(follow(2, 2)) if slot[0] == "W"] == ["W1", "W3"]  # "two tiles lie there"
    assert {slot: color for slot, color in outer(follow(2, 3)).items() if slot[0] == "S"} == {"S2": "turquoise"}
    assert me(follow(2, 3)).tiles[3] == 1  # "you own one already"
    bought = follow(3, 3)
    assert legal(bought) == ["choose fustian-brown", "choose steeple-1"]
    assert [me(bought).tiles[color] for color in (1, 2)] == [1, 0]  # a Clear tile, and no Card tile
    assert "play steeple-1 table" in legal(follow(3, 4))
    assert (lessons.RULES.cathedral_table_vp, lessons.RULES.cathedral_set_vp) == (3, 9)
    assert me(follow(3, 5)).vp - me(follow(3, 4)).vp == 6
    end_of_cards = follow(3, -1)
    assert me(end_of_cards).coins == 8
    assert [player.vp for player in end_of_cards.state.players] == [11, 7]
    assert me(follow(4, 0)).barge == 1
    assert sum(slot[0] == "S" for slot in outer(follow(4, 3))) == 2
    assert me(follow(4, -1)).coins == 9
    assert [me(follow(1, 0)).vp, me(follow(1, 0)).sparrows, me(follow(4, -1)).sparrows] == [5, 2, 2]
    assert me(follow(5, 0)).seals == me(follow(5, 4)).seals == 12
    assert outer(follow(1, 2)).keys() == {"W1"}  # "the grille at E1 is new"
    start, there = me(follow(5, 0)).barge, me(follow(5, 4)).barge
    assert lessons.RULES.space_value[there] - lessons.RULES.space_value[start] == 2
    assert {move for move in legal(follow(5, 4)) if move.startswith("seal")} == {"seal leaning_house", "seal tillage"}
    assert legal(follow(5, 5)) == ["coat S3", "coat W2"]
    assert (lessons.RULES.coats["W2"][0], lessons.RULES.coats["S3"][0]) == (4, 3)
    assert me(follow(5, -1)).vp == 15
    assert lessons.begin(FREE).round == FREE
    assert lessons.RULES.rounds - lessons.ROUNDS - len(lessons.TURNS) == 3


def test_the_order_of_actions_is_the_learners() -> None:
    place = walk.at(2, "draw,push N2,money,clear S,clear W")
    assert not place.tried
    assert [step.move for step in place.left] == ["end"]


def test_the_second_round_begins_where_the_first_has_ended() -> None:
    assert walk.at(LAST, "").number == FREE
    first = walk.at(FREE, "draw,push S2,end")
    assert first.over
    second = walk.at(*[walk.next_place(first)[0], drafts.write(walk.next_place(first)[1])])
    assert (second.number, second.over, second.last, second.problem) == (LAST, False, None, False)
    assert second.state.to_dict() == first.state.to_dict()
    assert walk.again(walk.at(LAST, f"{first.text},draw")) == first.moves
    assert walk.at(FREE, f"{first.text},draw").number == LAST


def test_every_hint_is_legal_and_true_in_any_game_of_two_rounds() -> None:
    """Moves by chance, and at times those of the coach: each position has a hint, which names a legal move."""
    seen = 0
    for game in range(50):
        rng = random.Random(game)
        place = walk.at(FREE, "")
        while not (place.over and place.number == LAST):
            if place.over:
                number, moves = walk.next_place(place)
                place = walk.at(number, drafts.write(moves))
            hints = coach.hints(place.state)
            moves_now = legal(place)
            assert 1 <= len(hints) <= coach.HINTS
            assert all(hint.move in moves_now and hint.why for hint in hints)
            assert len({hint.move for hint in hints}) == len(hints)
            for hint in hints:
                is_true(place, hint)
            seen += len(hints)
            move = rng.choice(hints).move if game % 3 == 0 else rng.choice(moves_now)
            place = walk.at(place.number, drafts.write((*place.moves, move)))
            assert not place.problem
            assert place.last.text == move
    assert seen > 900


def is_true(place: walk.Place, hint: pushes.Hint) -> None:
    """What a hint promises is what the rules do."""
    before = place.state.players[lessons.LEARNER]
    played = lessons.play(place.state, lessons.LEARNER, hint.move)
    after = played.after.players[lessons.LEARNER]
    number = int("".join(filter(str.isdigit, hint.why.split(".")[0])) or 0)
    if hint.why.endswith("VP at once.") and hint.why.startswith("It brings"):
        assert after.vp - before.vp == number
    elif hint.why.startswith("It brings you"):
        assert sum(after.tiles) - sum(before.tiles) == number
    elif "more VP at the end" in hint.why:
        value = lessons.RULES.space_value
        assert f"{value[after.barge] - value[before.barge]} more VP" in hint.why
    elif hint.move.startswith("end"):
        assert [move for move in place.state.rules.legal_moves(place.state, 0) if move[0] in ("money", "seal")] == []


def test_who_follows_the_coach_leads_in_the_end() -> None:
    """He is worth listening to: the two rounds are won by his first hints."""
    place = walk.at(FREE, "")
    while not (place.over and place.number == LAST):
        number, moves = walk.next_place(place) if place.over else (place.number, place.moves)
        place = walk.at(number, drafts.write(moves))
        place = walk.at(number, drafts.write((*moves, coach.hints(place.state)[0].move)))
    scores = lessons.RULES.final_scores(place.state)
    assert scores[lessons.LEARNER]["total"] > scores[lessons.BOT]["total"]


def test_what_rules_each_other_out_is_not_told_as_an_order() -> None:
    """One Seal tile, two quarters: the second is instead of the first, and the rest comes after it. Two Clear tiles
    clear both sides."""
    one_of = coach.hints(walk.at(FREE, "draw,push S2").state)
    assert [(hint.move, hint.instead) for hint in one_of] == [
        ("seal leaning_house", False),
        ("seal tillage", True),
        ("clear N", False),
    ]
    assert coach.tile_for(walk.at(FREE, "draw,push S2").state, one_of) == "orange"
    both = coach.hints(walk.at(FREE, "draw,push S2,seal leaning_house,coat S2").state)
    assert [(hint.move, hint.instead) for hint in both] == [("clear N", False), ("clear W", False)]


def test_a_push_that_brings_a_sparrow_besides_is_liked_better() -> None:
    """K5: of the same tiles, first the one with a sparrow for the learner, last the one with a sparrow for Jörg; and
    he says why."""
    place = walk.at(LAST, "draw,push S2,seal leaning_house,coat S2,clear N,clear W,end,draw")
    found = coach.hints(place.state)
    assert [hint.move for hint in found] == ["push E2", "push N3", "push W2"]
    sparrows = [lessons.play(place.state, lessons.LEARNER, hint.move).after for hint in found]
    assert [[player.sparrows for player in after.players] for after in sparrows] == [[3, 3], [2, 3], [2, 4]]
    assert "but the first one brings you a sparrow" in pushes.why_first(place.state, found)
    assert "but the second one gives Jörg a sparrow" in pushes.why_first(place.state, found[1:])
    assert pushes.why_first(place.state, [found[1], found[1]]) == ""


def test_the_coach_says_why_a_step_counts_more_than_one_space() -> None:
    """D2: occupied spaces are skipped."""
    reached = "more VP at the end, and you reach the Garden from there."
    for other, why in ((7, f"2 {reached} Occupied spaces are skipped."), (12, f"1 {reached}")):
        state = position(activated="turquoise", seats=[{"barge": 6, "coins": 0}, {"barge": other}])
        assert coach.hints(state)[0].why == why


def test_a_hint_tells_no_secret() -> None:
    """In another position that looks the same to the learner the coach says the same."""
    place = walk.at(FREE, "draw,push S2")
    other = place.state.copy()
    other.pile, other.coats = tuple(reversed(other.pile)), tuple(reversed(other.coats))
    assert coach.hints(other) == coach.hints(place.state)
