"""Events as sentences (see `events.Event`), for log, mail and page: in English, or as a `Speaker` says them.

A sentence has a public form for everybody and, for a private event, one for its own seat with what only that may know.
Who is told of what they did themselves is told so: `YOURS`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from server.engine.events import Event


class Form(NamedTuple):
    """A sentence in English, and where its number asks for another one, the plural."""

    one: str
    many: str | None = None


class Speaker(Protocol):
    """A language."""

    def say(self, form: Form, number: int) -> str:
        """The template of a sentence in this language, as `number` wants it; what is in braces stays."""

    def name(self, word: str) -> str:
        """A name of the notation (a colour, a card, a slot, a quarter …) as people write it."""

    def listing(self, words: Sequence[str]) -> str:
        """`a, b and c`; what stands for nothing for no words."""


def plain(text: str) -> Form:
    """A sentence that is the same for every number. Extraction of texts knows this name."""
    return Form(text)


def counted(one: str, many: str) -> Form:
    """A sentence with a plural. Extraction of texts knows this name."""
    return Form(one, many)


# Each kind of event: its sentence, and for private kinds the one that others read. {who} is the seat's name, {0}, {1}…
# the entries of `what`, {all} all of them as a list, {rest} all but the first, {n} the number, which asks for a plural.
SENTENCES: dict[str, tuple[Form, Form | None]] = {
    "draw": (plain("{who} draws {all}."), counted("{who} draws {n} tile.", "{who} draws {n} tiles.")),
    "draw_nothing": (plain("{who} finds no tile to draw."), None),
    "pick": (plain("{who} picks {0} from the bag."), None),
    "keep": (plain("{who} keeps {0}."), None),
    "keep_drawn": (plain("{who} keeps the drawn {0} tile."), None),
    "swap": (plain("{who} pays a sparrow and exchanges {0} for {1} at the docks."), None),
    "push": (plain("{who} pushes {0} in at {1}; {2} falls out to {3}."), None),
    "no_push": (plain("{who} has no tile to push."), None),
    "seal_sparrow": (plain("{who} gets a sparrow at {0}."), None),
    "guard": (plain("{who} scores {n} VP for a new line of three (city guard)."), None),
    "money": (counted("{who} takes {n} coin.", "{who} takes {n} coins."), None),
    "take_side": (plain("{who} clears side {0}: {rest}."), None),
    "salvage": (plain("{who} takes the {0} tile from {1}."), None),
    "sweep": (plain("No gate is open any more: all {n} outer tiles go back into the bag."), None),
    "empty_bag": (
        counted(
            "The bag is empty: the outer tile goes back into it.",
            "The bag is empty: all {n} outer tiles go back into it.",
        ),
        None,
    ),
    "refill": (plain("The docks are refilled with {0}."), None),
    "dock": (plain("{who} takes {0} from the docks."), None),
    "exchange": (plain("{who} exchanges {0} for {1} at the docks (merchant)."), None),
    "barge": (plain("{who}'s barge reaches space {n}."), None),
    "space_coin": (plain("{who} gets a coin there."), None),
    "space_sparrow": (plain("{who} gets a sparrow there."), None),
    "buy": (plain("{who} gives up {all} for a card."), None),
    "buy_for_coin": (plain("{who} pays a coin for a card."), None),
    "draw_card": (plain("{who} draws {0}."), plain("{who} draws a card.")),
    "look_at_cards": (
        plain("{who} looks at {all}."),
        counted("{who} looks at {n} card.", "{who} looks at {n} cards."),
    ),
    "keep_card": (plain("{who} keeps {0}."), plain("{who} keeps a card.")),
    "discard": (counted("{all} goes onto the discard pile.", "{all} go onto the discard pile."), None),
    "reshuffle": (plain("The discard pile is shuffled into a new draw pile."), None),
    "take_discard": (plain("{who} takes {0} from the discard pile."), None),
    "play_table": (plain("{who} lays {0} on the table."), None),
    "play_top": (plain("{who} plays {0} for its top."), None),
    "card_vp": (plain("{who} scores {n} VP."), None),
    "card_coins": (counted("{who} gets {n} coin.", "{who} gets {n} coins."), None),
    "card_sparrow": (plain("{who} gets a sparrow."), None),
    "card_credit": (plain("{who} may take one more card action this turn."), None),
    "sparrows_to_coins": (
        counted("{who} turns {n} sparrow into coins.", "{who} turns {n} sparrows into coins."),
        None,
    ),
    "seal": (
        counted("{who} pays {n} coin and places a seal in {0}.", "{who} pays {n} coins and places a seal in {0}."),
        None,
    ),
    "crest_vp": (plain("{who} scores {n} VP for the crest in {0}."), None),
    "hof_vp": (plain("{who} scores {n} VP, one for each quarter with a seal."), None),
    "hall_coin": (plain("{who} takes a coin."), None),
    "tillage_coin": (plain("{who} gets a coin."), None),
    "look_at_coats": (
        plain("{who} looks at the coats {all}."),
        counted("{who} looks at {n} coat of arms.", "{who} looks at {n} coats of arms."),
    ),
    "no_coat": (plain("{who} can take none of them."), None),
    "coat": (plain("{who} takes coat {0} and scores {n} VP."), None),
    "crest": (plain("{who}'s crest goes onto {0}."), None),
    "coat_seal": (plain("{who} places a seal beside slot {0}."), None),
    "descendant": (plain("{who} takes the {0}."), None),
    "levy_tiles": (plain("{who} pays the levy: {all}."), None),
    "levy_coins": (plain("{who} pays the levy of {n} coins."), None),
    "levy_unpaid": (plain("{who} has not paid the levy and loses {n} VP."), None),
    "end": (plain("{who} ends the turn."), None),
    "round": (plain("Round {n} begins."), None),
    "round_tower": (plain("Round {n} begins ({0})."), None),
    "resign": (plain("{who} resigns."), None),
    "score": (plain("{who} ends with {n} VP."), None),
    "wins": (plain("{who} wins."), None),
}

# The same, said to the one at the seat: what only that may know is in it.
YOURS: dict[str, Form] = {
    "draw": plain("You draw {all}."),
    "draw_nothing": plain("You find no tile to draw."),
    "pick": plain("You pick {0} from the bag."),
    "keep": plain("You keep {0}."),
    "keep_drawn": plain("You keep the drawn {0} tile."),
    "swap": plain("You pay a sparrow and exchange {0} for {1} at the docks."),
    "push": plain("You push {0} in at {1}; {2} falls out to {3}."),
    "no_push": plain("You have no tile to push."),
    "seal_sparrow": plain("You get a sparrow at {0}."),
    "guard": plain("You score {n} VP for a new line of three (city guard)."),
    "money": counted("You take {n} coin.", "You take {n} coins."),
    "take_side": plain("You clear side {0}: {rest}."),
    "salvage": plain("You take the {0} tile from {1}."),
    "dock": plain("You take {0} from the docks."),
    "exchange": plain("You exchange {0} for {1} at the docks (merchant)."),
    "barge": plain("Your barge reaches space {n}."),
    "space_coin": plain("You get a coin there."),
    "space_sparrow": plain("You get a sparrow there."),
    "buy": plain("You give up {all} for a card."),
    "buy_for_coin": plain("You pay a coin for a card."),
    "draw_card": plain("You draw {0}."),
    "look_at_cards": plain("You look at {all}."),
    "keep_card": plain("You keep {0}."),
    "take_discard": plain("You take {0} from the discard pile."),
    "play_table": plain("You lay {0} on the table."),
    "play_top": plain("You play {0} for its top."),
    "card_vp": plain("You score {n} VP."),
    "card_coins": counted("You get {n} coin.", "You get {n} coins."),
    "card_sparrow": plain("You get a sparrow."),
    "card_credit": plain("You may take one more card action this turn."),
    "sparrows_to_coins": counted("You turn {n} sparrow into coins.", "You turn {n} sparrows into coins."),
    "seal": counted("You pay {n} coin and place a seal in {0}.", "You pay {n} coins and place a seal in {0}."),
    "crest_vp": plain("You score {n} VP for your crest in {0}."),
    "hof_vp": plain("You score {n} VP, one for each quarter with a seal."),
    "hall_coin": plain("You take a coin."),
    "tillage_coin": plain("You get a coin."),
    "look_at_coats": plain("You look at the coats {all}."),
    "no_coat": plain("You can take none of them."),
    "coat": plain("You take coat {0} and score {n} VP."),
    "crest": plain("Your crest goes onto {0}."),
    "coat_seal": plain("You place a seal beside slot {0}."),
    "descendant": plain("You take the {0}."),
    "levy_tiles": plain("You pay the levy: {all}."),
    "levy_coins": plain("You pay the levy of {n} coins."),
    "levy_unpaid": plain("You have not paid the levy and lose {n} VP."),
    "end": plain("You end the turn."),
    "resign": plain("You resign."),
    "score": plain("You end with {n} VP."),
    "wins": plain("You win."),
}


class English:
    """The language of the source."""

    def say(self, form: Form, number: int) -> str:
        """The sentence itself."""
        return form.one if form.many is None or number == 1 else form.many

    def name(self, word: str) -> str:
        """See `pretty`."""
        return pretty(word)

    def listing(self, words: Sequence[str]) -> str:
        """See the function `listing`."""
        return listing(words)


ENGLISH: Speaker = English()


def sentence(
    event: Event,
    names: Sequence[str],
    viewer: int | None = None,
    see_all: bool = False,
    speaker: Speaker = ENGLISH,
    forms: Mapping[str, tuple[Form, Form | None]] = SENTENCES,
    you: int | None = None,
) -> str:
    """Return the sentence of `event`; `names` are those of the seats.

    `viewer` is the seat that reads it (None: a spectator). With `see_all` nothing is withheld, as in a finished game's
    replay. `forms` has the sentence of each kind of event. The seat `you` is spoken to, by `YOURS`; it has to be
    `viewer` unless nothing is withheld.
    """
    own, others = forms["round_tower" if event.kind == "round" and event.what else event.kind]
    form = own
    # A ruleset that tells a kind of event otherwise has no sentence to `you` for it.
    if you is not None and event.seat == you and event.kind in YOURS and forms[event.kind] == SENTENCES.get(event.kind):
        form = YOURS[event.kind]
    elif event.private and not see_all and viewer != event.seat:
        if others is None:
            raise ValueError(f"{event.kind} has no sentence for others, but is private")
        form = others
    words = [speaker.name(word) for word in event.what]
    return speaker.say(form, event.number).format(
        *words,
        who=names[event.seat],
        n=event.number,
        all=speaker.listing(words),
        rest=speaker.listing(words[1:]),
    )


def sentences(
    events: Sequence[Event],
    names: Sequence[str],
    viewer: int | None = None,
    see_all: bool = False,
    speaker: Speaker = ENGLISH,
    forms: Mapping[str, tuple[Form, Form | None]] = SENTENCES,
    you: int | None = None,
) -> list[str]:
    """Return the sentences of `events` as `viewer` may read them; the seat `you` is spoken to."""
    return [sentence(event, names, viewer, see_all, speaker, forms, you) for event in events]


def pretty(name: str) -> str:
    """Return a name of the notation as people write it: `town_hall` is `town hall`."""
    return name.replace("_", " ")


def listing(words: Sequence[str]) -> str:
    """Return `a, b and c`; 'nothing' for no words."""
    if len(words) < 2:
        return words[0] if words else "nothing"
    return ", ".join(words[:-1]) + " and " + words[-1]
