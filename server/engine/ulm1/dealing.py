"""What somebody does not know, dealt anew: nothing of it may depend on what is true."""

from collections.abc import Callable, Collection

from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CARDS, TOWER

Shuffle = Callable[[list[str]], None]


def dealt(state: State, seats: Collection[int], shuffle: Shuffle | None = None) -> State:
    """Return what `seats` together may see of `state` as a state: their views are the same, what is hidden is made up.

    Of what is made up they can exclude nothing by what lies open, and nothing of it depends on what is true but how
    much there is: all other hands, offers to others, both piles and the Tower tiles to come hold what lies nowhere in
    sight, in the order of the tables or as `shuffle` leaves it; chance is another's, and to be given by the caller
    where it must be played.
    """
    new = state.copy()
    new.seed, new.chance = bytes(32), 0
    own = state.active in seats  # whose offers are seen
    cards, coats = {*state.discard}, set[str]()
    for seat, player in enumerate(state.players):
        cards.update(player.table)
        coats.update(player.coats)
        if seat in seats:
            cards.update(player.hand)
    for choice in state.pending if own else ():
        if choice[0] in ("choose", "coat"):
            (cards if choice[0] == "choose" else coats).update(choice[1])
    known = state.tower[: state.round + 1] if state.advanced else ()
    deck = [card for card in CARDS if card not in cards]
    stack = [coat for coat in state.rules.coats if coat not in coats]
    tower = [tile for tile in TOWER if tile not in known]
    if shuffle is not None:
        for unseen in (deck, stack, tower):
            shuffle(unseen)

    def deal(unseen: list[str], number: int) -> tuple[str, ...]:
        given = tuple(unseen[:number])
        del unseen[:number]
        return given

    for seat, player in enumerate(new.players):
        if seat not in seats:
            player.hand = deal(deck, len(player.hand))
    if not own:
        piles = {"choose": deck, "coat": stack}
        new.pending = tuple(
            (choice[0], deal(piles[choice[0]], len(choice[1]))) if choice[0] in piles else choice
            for choice in state.pending
        )
    new.pile, new.coats = deal(deck, len(state.pile)), deal(stack, len(state.coats))
    new.tower = (*known, *tower[: state.rules.rounds - len(known)])
    return new
