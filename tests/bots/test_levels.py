"""Every bot plays whole games by the rules, and finds them by name."""

import random

import pytest

from bots import offers
from bots.arena import chances_of, play
from bots.determinise import seed_of
from bots.rules_of_thumb import play_steady
from tests.bots.positions import positions, sight

NAMES = (
    "random", "apprentice", "journeyman:worlds=2,first=4,limit=12", "flat:playouts=1",
    "master:tries=2,moves=2,limit=6,worlds=1,look=6,first=3",
)  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("advanced", [False, True])
def test_whole_games(players, advanced):
    """All moves are legal (`apply` checks each), and the game ends; the same again is the same again."""
    names = [*[NAMES[(players + seat + 3 * advanced) % len(NAMES)] for seat in range(players - 1)], NAMES[2]]
    games = [
        play([offers.bot(name) for name in names], seed_of("whole"), {"tower": advanced}, chances_of(players, "whole"))
        for _ in range(1 + (players == 2))
    ]
    assert len(games[0].scores) == players
    assert all(moves > 30 for moves in games[0].moves)
    assert len({str(game.scores) for game in games}) == 1


def test_the_apprentice_is_the_old_steady():
    """The same moves under the same chance: games of before are continued as they were begun."""
    for state, log in positions(2, True, "steady"):
        seen = sight(state, log)
        assert offers.bot("apprentice").choose(seen, random.Random(2)) == play_steady(
            seen.view, seen.legal, random.Random(2)
        )


def test_the_journeyman_beats_the_apprentice():
    """In every game of a handful, and by far."""
    margin = 0
    for deal in range(2):
        for place in (0, 1):
            bots = [offers.bot("apprentice"), offers.bot("apprentice")]
            bots[place] = offers.bot("journeyman:worlds=1,first=4,limit=20")
            scores = play(bots, seed_of("beats", deal), {}, chances_of(2, "beats", deal)).scores
            assert scores[place]["rank"] == 1
            margin += scores[place]["total"] - scores[1 - place]["total"]
    assert margin > 40


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nobody", "there is no bot 'nobody': known are random,"),
        ("flat:seconds", "write NAME:OPTION=VALUE"),
        ("flat:seconds=x", "write NAME:OPTION=VALUE"),
        ("flat:depth=3", "flat has no option depth"),
    ],
)
def test_unknown_names_and_options(text, said):
    with pytest.raises(offers.UnknownBotError, match=said):
        offers.bot(text)
