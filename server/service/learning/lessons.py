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


_DRAW = N_("Your turn. Draw a tile.")
_END = N_("All three tiles are used. End your turn.")

_WORDS: tuple[tuple[str, str, tuple[tuple[str, str], ...], str], ...] = (
    (N_("Coin"), "gray", (
        (N_("Welcome! I build the Minster here. Draw a tile from the bag to begin."),
         N_("Every turn starts like this: you draw one tile and push it into the square.")),
        (N_("You drew gray. Push it in at E1, the gate that glows."),
         N_("The row moves over, and its last tile falls out on the other side. The three tiles then in the row are "
            "yours to use.")),
        (N_("Three gray tiles in your row: each is worth a coin. Take the first."),
         N_("What a tile does depends on its colour alone. You will learn all five.")),
        (N_("Take the second coin."), N_("One action for each tile, in any order you like.")),
        (N_("And the third."), N_("You will need coins to put your seals on the town: two for each.")),
        (_END, N_("Your opponent plays then. What you have not used would be lost.")),
    ), N_("One tile in, three tiles to use: that is the heart of Ulm. Gray is a coin.")),
    (N_("Clear"), "white", (
        (_DRAW, N_("Ten rounds like this one make a game; each player has one turn in each.")),
        (N_("You drew white. Push it in at N2."),
         N_("Then two white tiles and a gray one lie in the column. White clears one side of the square.")),
        (N_("Clear the west side: two tiles lie outside there."),
         N_("They become yours. And the gates are open again: a line with a tile outside cannot be pushed.")),
        (N_("Use the second white tile: clear the south side."),
         N_("A turquoise tile lies there, and you have one already. A pair is handy, as you will see.")),
        (N_("Use the gray tile: you know that one."), N_("A coin more: you will have six.")),
        (_END, N_("Three tiles, three actions: nothing is lost.")),
    ), N_("White takes the tiles that lie outside on one side, and opens their gates. Those tiles pay for cards.")),
    (N_("Card"), "brown", (
        (_DRAW, N_("With the tiles that you took you can buy your first card.")),
        (N_("You drew gray. Push it in at N1."),
         N_("Two gray tiles and a brown one will lie in the column. Brown is a card: buy one or play one.")),
        (N_("Buy a card with your two turquoise tiles."),
         N_("A card costs any two tiles. For two of one colour you see two cards and keep the better one.")),
        (N_("Keep the Steeple."), N_("It gives 6 points for a tile that you have. The other asks for a brown one.")),
        (N_("Play it: give up your white tile for 6 points."),
         N_("Once in every turn you may play a card for nothing, without a brown tile.")),
        (N_("Take the coin for a gray tile."),
         N_("You could also have laid the card on the table: then it counts at the end, and more in a set.")),
        (N_("And the other coin."), N_("Eight coins: enough for four seals.")),
        (_END, N_("Every card says both of its uses wherever you see it.")),
    ), N_("Brown buys a card for two tiles, or plays one more. One card a turn you play for nothing.")),
    (N_("Sail"), "turquoise", (
        (_DRAW, N_("Have a look at the Danube: your barge is the red one, still at its start.")),
        (N_("You drew gray. Push it in at N2."),
         N_("Gray, white and turquoise will lie in the column. Turquoise moves your barge one step.")),
        (N_("Sail a step."),
         N_("At the end your space counts: 11 points less at the start, 11 more at the far end.")),
        (N_("Clear the south side: two tiles lie there."), N_("Tiles for your next card, and two open gates.")),
        (N_("Take the coin."), N_("Nine coins: next turn you will spend some.")),
        (_END, N_("A barge that is in the way is jumped over, so it costs no step.")),
    ), N_("Turquoise sails a step: worth more at the end, and it brings other quarters within reach.")),
    (N_("Seal"), "orange", (
        (_DRAW, N_("Now for what makes the town yours: the seals.")),
        (N_("You drew turquoise. Push it in at E3."),
         N_("Two turquoise tiles and an orange one will lie in the row. Orange places a seal.")),
        (N_("Sail a step first."), N_("From where your barge lies you reach the quarter on either bank.")),
        (N_("And one more."), N_("Here you reach %(leaning_house)s in the north and %(tillage)s in the south.")),
        (N_("Place a seal in %(leaning_house)s. It costs two coins."),
         N_("Each quarter does something for you at once. This one shows you two coats of arms; you keep one.")),
        (N_("Keep the silver one, W2: 4 points at once."),
         N_("A golden one brings fewer now, but more with each later seal in its quarter, whoever places it.")),
        (_END, N_("That was all: you know the five actions.")),
    ), N_("Orange places a seal for two coins, where your barge lies. The quarter helps you at once.")),
)  # fmt: skip

LESSONS: tuple[Lesson, ...] = (
    *(
        Lesson(
            name, color, tuple(Step(move, *words) for move, words in zip(moves, said, strict=True)), learned
        )
        for (name, color, said, learned), moves in zip(_WORDS, deal.TURNS, strict=True)
    ),
    Lesson(N_("Your own turn"), "", (), N_("That was a turn of your own. One more round!")),
    Lesson(N_("The last round"), "", (), N_("Well played. You know how to play Ulm.")),
)  # fmt: skip
"""The five lessons, and the two rounds in which the learner is free."""

LAST = len(LESSONS)
FREE = len(deal.TURNS) + 1
"""The number of the first lesson in which the learner is free."""

REFUSED_END = N_("Not yet: there are tiles left to use, and they would be lost.")
REFUSED_PUSH = N_("That line would work too, in a game of your own. For this lesson take it back.")
REFUSED_OTHER = N_("You may do that in a game of your own. Take it back here, and I show you something else.")

BOT_MONEY = N_("Coins pay for seals.")
BOT_RIVER = N_("Every step counts at the end.")
BOT_CLEAR = N_("Tiles pay for cards, and gates open.")
BOT_SEAL = N_("Seals bring the most, so it places one as soon as it can.")
BOT_BUY = N_("A card brings points, now or at the end.")
BOT_PLAY = N_("One card in every turn is free to play.")
