"""What happened, in sentences, for log, mail and page: in English, or as a `Speaker` says them.

`events.json` has them by the kind of event: what is `said`, what `others` read of a private event, and what is `yours`,
said to the one who did it. {who} is the seat's name, {0}, {1}… the entries of `what`, {all} all of them as a list,
{rest} all but the first, {n} the number, which asks for a plural where there are two.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1.sentences import ENGLISH, Form, Speaker


class Told(NamedTuple):
    """The sentences of one kind of event."""

    said: Form
    others: Form | None = None
    yours: Form | None = None


@cache
def told() -> dict[str, Told]:
    """Return the sentences of every kind of event."""

    def form(text: str | list[str]) -> Form:
        return Form(text) if isinstance(text, str) else Form(*text)

    found = json.loads((files("server.board") / "events.json").read_text("utf-8"))
    return {kind: Told(**{name: form(text) for name, text in texts.items()}) for kind, texts in found.items()}


def sentences(
    rules: Rules, events: Sequence[Event], names: Sequence[str], viewer: int | None = None, see_all: bool = False,
    speaker: Speaker = ENGLISH, you: int | None = None,
) -> list[str]:  # fmt: skip
    """Return the sentences of events under `rules`; `names` are those of the seats.

    `viewer` is the seat that reads them (None: a spectator). With `see_all` nothing is withheld, as in a
    finished game's replay. The seat `you` is spoken to; it has to be `viewer` unless nothing is withheld.
    """
    said = []
    for event in events:
        kind = "round_tower" if event.kind == "round" and event.what else event.kind
        # A ruleset that tells a kind of event otherwise has no sentence to `you` for it.
        forms = Told(*rules.forms[kind]) if kind in rules.forms else told()[kind]
        form = forms.said
        if you is not None and event.seat == you and forms.yours is not None:
            form = forms.yours
        elif event.private and not see_all and viewer != event.seat:
            if forms.others is None:
                raise ValueError(f"{event.kind} has no sentence for others, but is private")
            form = forms.others
        words = [speaker.name(word) for word in event.what]
        listed, rest = speaker.listing(words), speaker.listing(words[1:])
        text = speaker.say(form, event.number)
        said.append(text.format(*words, who=names[event.seat], n=event.number, all=listed, rest=rest))
    return said
