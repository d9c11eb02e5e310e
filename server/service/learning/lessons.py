"""What the coach says in the five lessons of the guided first game: at each step what to do, and why.

Each step belongs to the move of `deal.TURNS` at its place. The words speak of this one deal: which tile is drawn, what
lies where. `%(name)s` are words of the game in the reader's language: colours (`gray`), quarters and cards.
"""

from __future__ import annotations

from typing import NamedTuple

from server.language import N_
from server.service.learning import deal


class Step(NamedTuple):
    """One thing that the learner is asked to do: the move, what the coach says, and why."""

    move: str
    say: str
    why: str

    @property
    def about_town(self) -> bool:
        """It speaks of the Danube and the town, although what is done is seen elsewhere."""
        return self.why in _ABOUT_TOWN


class Lesson(NamedTuple):
    """A lesson: its name, the colour of the tile that it is about ("" for none), its steps, what was learned."""

    name: str
    color: str
    steps: tuple[Step, ...]
    learned: str

    @property
    def is_free(self) -> bool:
        """The learner plays as they like."""
        return not self.steps


_DANUBE = N_(
    "Your barge, the red one, lies at the start of the Danube. Red flags mark the quarters it reaches, green "
    "flags Jörg’s."
)
_MARKS = N_("Now for what wins games: your 12 seals, the round pieces in your colour. You place them in the town.")
_ABOUT_TOWN = (_DANUBE, _MARKS)
_DRAW = N_("Your turn. Draw a tile.")
_END = N_("All three tiles are used. End your turn.")

_WORDS: tuple[tuple[str, str, tuple[tuple[str, str], ...], str], ...] = (
    (N_("A coin"), "gray", (
        (N_("Welcome! I build the Minster of Ulm. Draw a tile from the bag to begin."),
         N_("Most victory points (VP) after ten rounds win. All start with 5 VP, 2 coins and a tile. The tower "
            "counts the rounds.")),
        (N_("A Coin tile! Push it in at E1, the gate that glows."),
         N_("The row moves along, and the tile at its far end falls out. Then you may use the three tiles in "
            "that row.")),
        (N_("Three Coin tiles in your row: three coins. Take the first."),
         N_("The grille at E1 is new: a gate is closed while a tile lies outside at the other end of its line.")),
        (N_("Take the second coin."),
         N_("There are five kinds of tiles: Coin, Clear, Card, Sail and Seal. Each is one action, in any order.")),
        (N_("And the third."),
         N_("Later, coins pay for your seals: the round pieces in your colour, which you place in the town.")),
        (_END, N_("Then Jörg, my foreman, plays. Actions that you do not use are lost.")),
    ), N_("One tile in, three tiles to use: that is the heart of Ulm.")),
    (N_("Clear a side"), "white", (
        (_DRAW, N_("Every turn starts like this: draw one tile, push it into the square.")),
        (N_("A Clear tile, with the broom! Push it in at N2."),
         N_("Then the column holds two Clear tiles and a Coin. The tile that falls out stays outside, at its "
            "gate.")),
        (N_("Clear the west side: two tiles lie there."),
         N_("They become yours, and the grilles at the other ends of their lines open.")),
        (N_("Now use the second Clear tile in your column: clear the south side."),
         N_("A Sail tile, with the ship, lies there, and you already have one. A pair will be useful, as you "
            "will see.")),
        (N_("Now the coin: you know that one."), N_("Using all three tiles makes a good turn.")),
        (_END, N_("The tiles that you took stay with you. They do nothing by themselves: they pay for cards.")),
    ), N_("Clear takes the tiles that lie outside on one side, and opens their lines again.")),
    (N_("A card"), "brown", (
        (_DRAW, N_("Now your tiles buy a card.")),
        (N_("A Coin tile. Push it in at N1."),
         N_("Then the column holds two Coins and a Card tile. A Card tile lets you buy a card, or play one.")),
        (N_("Buy a card with your two Sail tiles."),
         N_("Any two tiles buy a card. For two of the same kind you see two cards and keep the one you like.")),
        (N_("Keep the Steeple: you have a tile for its top half."),
         N_("You use one half of a card. The top half works at once and costs a tile; the bottom half scores VP "
            "at the end.")),
        (N_("Play its top half: give your Clear tile for 6 VP."),
         N_("You may play one card each turn even without a Card tile in your line; for a second one you need it.")),
        (N_("Take the first coin."),
         N_("The bottom half of the Steeple would have scored 3 VP, and 9 more with the other Cathedral cards, "
            "Nave and Choir.")),
        (N_("And the second."), N_("Then you have eight coins: soon you will spend some.")),
        (_END, N_("You have 11 VP. Jörg has 7.")),
    ), N_("With a Card tile in your line you buy a card for any two of your tiles, or play a card. One card each "
          "turn needs no Card tile to be played.")),
    (N_("Sail"), "turquoise", (
        (_DRAW, _DANUBE),
        (N_("A Coin tile. Push it in at N2."), N_("Then the column holds a Coin, a Clear and a Sail tile.")),
        (N_("Sail a step."),
         N_("At the end of the game your space counts: −11 VP here at the start, +11 VP at the far end.")),
        (N_("Clear the south side: two tiles lie there."),
         N_("You keep them. With a Card tile, you buy a card for any two of them.")),
        (N_("And take the coin."), N_("Then you have nine coins. Next turn you will spend two.")),
        (N_("End your turn. And one more thing: your 2 sparrows."),
         N_("You have had them from the start: each is 1 VP at the end, or swaps the tile that you draw for one "
            "from the docks.")),
    ), N_("Each step counts at the end, and takes you to other quarters of the town.")),
    (N_("A seal"), "orange", (
        (_DRAW, _MARKS),
        (N_("A Sail tile. Push it in at E3."),
         N_("That gives two Sail tiles and a Seal tile. Jörg has a seal at W3: he gets a sparrow (1 VP) if a "
            "tile falls out there.")),
        (N_("Sail a step first."),
         N_("Your barge decides where you may place a seal: in the two quarters with your flag.")),
        (N_("And one more step."), N_("Two more VP at the end, for two steps.")),
        (N_("Place one of your 12 seals in the %(leaning_house)s. It costs two coins."),
         N_("Your barge lies beside the %(leaning_house)s and %(tillage)s. A seal in the %(leaning_house)s gives "
            "a coat of arms.")),
        (N_("Keep the silver coat of arms, W2: 4 VP at once."),
         N_("It costs one more seal, which goes beside gate W2: each tile that falls out there brings you a sparrow.")),
        (_END, N_("15 VP! You know all five actions now: Coin, Clear, Card, Sail and Seal.")),
    ), N_("For a Seal tile and two coins you place a seal in a quarter, and it helps you at once. The next turn "
          "is all yours.")),
)  # fmt: skip

LESSONS: tuple[Lesson, ...] = (
    *(
        Lesson(
            name, color, tuple(Step(move, *words) for move, words in zip(moves, said, strict=True)), learned
        )
        for (name, color, said, learned), moves in zip(_WORDS, deal.TURNS, strict=True)
    ),
    Lesson(N_("Your own turn"), "", (), N_("That was a turn of your own. There is one more round.")),
    Lesson(N_("One more round"), "", (), N_("Seven of the ten rounds are over, and you know how to play Ulm.")),
)  # fmt: skip
"""The five lessons, and the two rounds in which the learner is free."""

LAST = len(LESSONS)
FREE = len(deal.TURNS) + 1
"""The number of the first lesson in which the learner is free."""

_SPARROWS = FREE - 2
"""The number of the lesson whose last words are about sparrows."""


def knows_sparrows(number: int, step: Step | None) -> bool:
    """Whether the learner has been told what sparrows are, who is at a step of the lesson with this number (None: it is
    over, or the learner has strayed). Before, the page does not speak of them."""
    return number > _SPARROWS or (number == _SPARROWS and (step is None or step.move == "end"))


def knows_crests(number: int, chose: bool) -> bool:
    """Whether the learner has been told what family crests are, who is at the lesson with this number; `chose`: among
    coats of arms, in it. It is said of the first golden one that is theirs to take; before, the page is silent."""
    return number > FREE or (number == FREE and chose)


_TAUGHT = {
    "clear": "white", "buy": "brown", "play": "brown", "river": "turquoise", "sail": "turquoise",
    "seal": "orange", "coat": "orange", "descendant": "orange",
}  # fmt: skip


def taught_in(verb: str) -> int:
    """The number of the lesson that explains a move's verb; 1 for what all know from the beginning."""
    color = _TAUGHT.get(verb, LESSONS[0].color)
    return next(number for number, lesson in enumerate(LESSONS, 1) if lesson.color == color)


REFUSED_END = N_("Not yet: there are tiles left to use, and they would be lost.")
REFUSED_PUSH = N_("That line would work too, in a game of your own. For this lesson, take it back.")
REFUSED_OTHER = N_("You may do that in a game of your own. Take it back here, and I will show you something else.")

OPPONENT = "Jörg"
"""Whom the bot plays; the same in every language."""
BOT_COAT = N_("A coat of arms brings VP at once, and often more later.")
BOT_MONEY = N_("Coins pay for seals.")
BOT_RIVER = N_("Every step counts at the end.")
BOT_CLEAR = N_("Tiles pay for cards, and gates open.")
BOT_SEAL = N_("Seals bring the most, so he places one whenever he can.")
BOT_BUY = N_("A card brings points, now or at the end.")
BOT_PLAY = N_("One card a turn can be played without a Card tile.")
BOT_LAY = N_("The bottom half of the card counts at the end.")
SPARROW = N_("A tile fell out where that seal lies.")
GOLD = N_("Gold: points at once, and more later. You will learn how in lesson 6.")
"""What is said of a golden coat of arms that is not to be taken yet."""
CREST = N_("For a seal in a quarter with a family crest.")
