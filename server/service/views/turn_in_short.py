"""A turn in one sentence: "pushed at N2, took 2 coins and placed a seal in Garden"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from server import language
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.language import N_, ngettext
from server.language import gettext as _
from server.service.views import game_words

_COINS = frozenset({"money", "card_coins", "hall_coin", "tillage_coin", "space_coin"})
_SPARROWS = frozenset({"seal_sparrow", "space_sparrow", "card_sparrow"})
_CARDS = frozenset({"draw_card", "keep_card", "take_discard"})
_PHRASES = {
    "push": N_("pushed at %(gate)s"),
    "guard": N_("made a line of three"),
    "barge": N_("sailed to space %(space)s"),
    "take_side": N_("cleared the %(what)s side"),
    "salvage": N_("took a tile back from %(gate)s"),
    "play_table": N_("laid %(what)s on the table"),
    "play_top": N_("played %(what)s"),
    "seal": N_("placed a seal in %(what)s"),
    "coat": N_("took coat of arms %(what)s"),
    "descendant": N_("took the %(what)s"),
    "levy_unpaid": N_("did not pay the levy"),
    "resign": N_("left the game"),
    "swap": N_("exchanged a tile at the docks"),
    "exchange": N_("exchanged a tile at the docks"),
}


def in_short(rules: Rules, name: str, seat: int, events: Iterable[Event]) -> str:
    """What `seat`, who is called `name`, did in a turn from which these events followed: one sentence without a full
    stop, in the language in force, with nothing in it that not everybody at the table may read."""
    own = [event for event in events if event.seat == seat]
    named = game_words.speaker(rules).name
    said: dict[str, str] = {}
    for event in own:
        key = _key(event)
        if key is not None:
            # What comes several times is told once, in the place of the first.
            said[key] = _phrase(key, event, own, named(event.what[0]) if event.what and not event.private else "")
    what = [*said.values()] or [_("ended the turn")]
    return language.capital(_("%(name)s %(did)s", name=name, did=language.listing(what)))


def _key(event: Event) -> str | None:
    """Under what an event is told; None: it is not, for it goes without saying or stands in the points."""
    kind = event.kind
    if kind in _COINS:
        return "coins"
    if kind in _SPARROWS:
        return "sparrows"
    if kind in _CARDS:
        return "cards"
    if kind in ("swap", "exchange"):
        return "exchange"
    if kind in ("guard", "barge", "levy_unpaid", "resign"):
        return kind
    if kind in ("push", "take_side", "salvage", "play_table", "play_top", "seal", "coat", "descendant"):
        return f"{kind} {' '.join(event.what)}"
    return None


def _phrase(key: str, event: Event, own: Sequence[Event], what: str) -> str:
    """The words for what is told under `key`; `what` is what the event names first."""
    match key:
        case "coins":
            return ngettext("took a coin", "took %(num)s coins", sum(one.number for one in own if one.kind in _COINS))
        case "sparrows":
            return ngettext("got a sparrow", "got %(num)s sparrows", sum(one.kind in _SPARROWS for one in own))
        case "cards":
            return ngettext("took a card", "took %(num)s cards", sum(one.kind in _CARDS for one in own))
    values = {"what": what, "gate": event.what[1] if len(event.what) > 1 else "", "space": event.number}
    return _(_PHRASES[event.kind]) % values
