"""The card that somebody got by the very move by which they are asked something: what to answer may hang on it."""

from __future__ import annotations

from collections.abc import Sequence

from server.engine.ulm1.state import State
from server.language import gettext as _
from server.service.views import card_facts
from server.service.views.history import Told

_GET = frozenset({"draw_card", "keep_card", "take_discard"})


def before_choice(state: State, seat: int, moves: Sequence[Told]) -> str:
    """What came into the hand of `seat` by the newest of its own `moves` of this turn, and what its upper effect
    brings and costs, in one line for `seat` alone; "" when nothing came, and when `state` asks nothing."""
    if not state.pending:
        return ""
    newest = next((one.events for one in reversed(moves) if one.seat == seat), ())
    cards = [event.what[0] for event in newest if event.kind in _GET and event.seat == seat]
    facts = [card_facts.of_card(state.rules, card) for card in cards]
    # On a phone all that is asked has to stay in sight: of the table the card's own window tells.
    return " ".join(_("New in your hand: %(card)s. Top: %(does)s.", card=one.name, does=one.played) for one in facts)
