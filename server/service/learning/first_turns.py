"""What somebody who plays their first game is told at each step of a turn: one short line, of what all may see.

It takes the place of the line that says what is to be done, so it is no longer than that: a phone has one line for it.
"""

from __future__ import annotations

from server.language import N_
from server.language import gettext as _
from server.service.views.drafts import Draft

ROUNDS = 3
"""In so many rounds it is told: who has played these has seen every step several times."""

_ANSWER = N_("Choose one: each says what it brings.")
_BEFORE = {
    "draw": N_("Draw a tile; then push it into the square."),
    "keep": N_("Each tile is one action: keep the better."),
    "push": N_("Choose a gate: you use the tiles of its line."),
}
# What of a turn comes first, as the coach of the guided game would say: coins pay for seals, a sail reaches quarters.
_ACTS = (
    ("money", N_("Take coins: a seal costs two.")),
    ("seal", N_("A seal costs coins and helps you at once.")),
    ("river", N_("Sail: each space counts at the end.")),
    ("sail", N_("Sail: each space counts at the end.")),
    ("play", N_("One card a turn needs no Card tile.")),
    ("clear", N_("Clear a side: its tiles can buy a card.")),
    ("buy", N_("Two tiles buy a card, for points.")),
    ("salvage", N_("Take the tile that fell out.")),
)
_DONE = N_("That is all: end your turn.")

TEXTS = (_ANSWER, *_BEFORE.values(), *(text for _verb, text in _ACTS), _DONE)
"""All that is told, in English."""


def hint(draft: Draft) -> str | None:
    """What to do now, in the language in force, for the player of the draft; None after the first `ROUNDS` rounds."""
    view = draft.view
    if view["round"] > ROUNDS:
        return None
    if view["pending"]:
        return _(_ANSWER)
    before = _BEFORE.get(view["phase"])
    if before is not None:
        return _(before)
    verbs = {move.partition(" ")[0] for move in draft.options}
    return _(next((text for verb, text in _ACTS if verb in verbs), _DONE))
