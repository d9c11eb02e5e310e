"""Events as English sentences (see `events.Event`), for log, mail and page.

A sentence has a public form for everybody and, for a private event, one for its own seat with what only that may know.
"""

from collections.abc import Sequence

from server.engine.events import Event

# Each kind of event: its sentence, and for private kinds the one that others read. {who} is the seat's name, {0}, {1}…
# the entries of `what`, {all} all of them as a list, {n} the count, {s} a plural s.
SENTENCES: dict[str, tuple[str, str | None]] = {
    "draw": ("{who} draws {all}.", "{who} draws {n} tile{s}."),
    "draw_nothing": ("{who} finds no tile to draw.", None),
    "pick": ("{who} picks {0} from the bag.", None),
    "keep": ("{who} keeps {0}.", None),
    "keep_drawn": ("{who} keeps the drawn {0} tile.", None),
    "swap": ("{who} pays a sparrow and exchanges {0} for {1} at the docks.", None),
    "push": ("{who} pushes {0} in at {1}; {2} falls out to {3}.", None),
    "no_push": ("{who} has no tile to push.", None),
    "seal_sparrow": ("{who} gets a sparrow at {0}.", None),
    "guard": ("{who} scores {n} VP for a new line of three (city guard).", None),
    "money": ("{who} takes {n} coin{s}.", None),
    "take_side": ("{who} clears side {0}: {rest}.", None),
    "salvage": ("{who} takes the {0} tile from {1}.", None),
    "sweep": ("All {n} outer tiles go back into the bag.", None),
    "refill": ("The docks are refilled with {0}.", None),
    "dock": ("{who} takes {0} from the docks.", None),
    "exchange": ("{who} exchanges {0} for {1} at the docks (merchant).", None),
    "barge": ("{who}'s barge reaches space {n}.", None),
    "space_coin": ("{who} gets a coin there.", None),
    "space_sparrow": ("{who} gets a sparrow there.", None),
    "buy": ("{who} gives up {all} for a card.", None),
    "buy_for_coin": ("{who} pays a coin for a card.", None),
    "draw_card": ("{who} draws {0}.", "{who} draws a card."),
    "look_at_cards": ("{who} looks at {all}.", "{who} looks at {n} card{s}."),
    "keep_card": ("{who} keeps {0}.", "{who} keeps a card."),
    "discard": ("{all} {goes} onto the discard pile.", None),
    "reshuffle": ("The discard pile is shuffled into a new draw pile.", None),
    "take_discard": ("{who} takes {0} from the discard pile.", None),
    "play_table": ("{who} lays {0} on the table.", None),
    "play_top": ("{who} plays {0} for its top.", None),
    "card_vp": ("{who} scores {n} VP.", None),
    "card_coins": ("{who} gets {n} coin{s}.", None),
    "card_sparrow": ("{who} gets a sparrow.", None),
    "card_credit": ("{who} may take one more card action this turn.", None),
    "sparrows_to_coins": ("{who} turns {n} sparrow{s} into coins.", None),
    "seal": ("{who} pays {n} coin{s} and places a seal in {0}.", None),
    "crest_vp": ("{who} scores {n} VP for the crest in {0}.", None),
    "hof_vp": ("{who} scores {n} VP, one for each quarter with a seal.", None),
    "hall_coin": ("{who} takes a coin.", None),
    "tillage_coin": ("{who} gets a coin.", None),
    "look_at_coats": ("{who} looks at the coats {all}.", "{who} looks at {n} coat{s} of arms."),
    "no_coat": ("{who} can take none of them.", None),
    "coat": ("{who} takes coat {0} and scores {n} VP.", None),
    "crest": ("{who}'s crest goes onto {0}.", None),
    "coat_seal": ("{who} places a seal beside slot {0}.", None),
    "descendant": ("{who} takes the {0}.", None),
    "levy_tiles": ("{who} pays the levy: {all}.", None),
    "levy_coins": ("{who} pays the levy of {n} coins.", None),
    "levy_unpaid": ("{who} has not paid the levy and loses {n} VP.", None),
    "end": ("{who} ends the turn.", None),
    "round": ("Round {n} begins{tower}.", None),
    "resign": ("{who} resigns.", None),
    "score": ("{who} ends with {n} VP.", None),
    "wins": ("{who} wins.", None),
}


def sentence(event: Event, names: Sequence[str], viewer: int | None = None, see_all: bool = False) -> str:
    """Return the sentence of `event`; `names` are those of the seats.

    `viewer` is the seat that reads it (None: a spectator). With `see_all` nothing is withheld, as in a finished game's
    replay.
    """
    own, others = SENTENCES[event.kind]
    template = own
    if event.private and not see_all and viewer != event.seat:
        if others is None:
            raise ValueError(f"{event.kind} has no sentence for others, but is private")
        template = others
    words = [pretty(word) for word in event.what]
    return template.format(
        *words,
        who=names[event.seat],
        n=event.number,
        s="" if event.number == 1 else "s",
        all=listing(words),
        rest=listing(words[1:]),
        goes="goes" if len(words) == 1 else "go",
        tower=f" ({words[0]})" if event.kind == "round" and words else "",
    )


def sentences(
    events: Sequence[Event], names: Sequence[str], viewer: int | None = None, see_all: bool = False
) -> list[str]:
    """Return the sentences of `events` as `viewer` may read them."""
    return [sentence(event, names, viewer, see_all) for event in events]


def pretty(name: str) -> str:
    """Return a name of the notation as people write it: `town_hall` is `town hall`."""
    return name.replace("_", " ")


def listing(words: Sequence[str]) -> str:
    """Return `a, b and c`; 'nothing' for no words."""
    if len(words) < 2:
        return words[0] if words else "nothing"
    return ", ".join(words[:-1]) + " and " + words[-1]
