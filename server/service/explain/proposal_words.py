"""What players of a running game propose to each other, and what came of it, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from bots import offers
from server import language
from server.language import gettext as _
from server.service.games import bots


def asked(proposal: Mapping[str, Any], names: Sequence[str], tower: bool, reader: int | None = None) -> str:
    """What is proposed (`games.proposals.ShownProposal`, or as it is stored), where the seats are called `names`;
    `tower`: in the advanced game, `reader`: the seat of who is told."""
    if proposal["kind"] == "take_back":
        known = (
            _("Whatever was seen since then stays known: a tile that was drawn, a Tower tile.")
            if tower
            else _("Whatever was seen since then stays known: a tile that was drawn.")
        )
        return f"{_asked_back(proposal, names, reader)} {known}"
    return _own(proposal, names) if proposal["by"] == reader else _of_another(proposal, names, reader)


def _asked_back(proposal: Mapping[str, Any], names: Sequence[str], reader: int | None) -> str:
    if proposal["by"] == reader:
        return _("You ask to take back the end of your turn.")
    return _("%(by)s asks to take back the end of the last turn.", by=names[proposal["by"]])


def _own(proposal: Mapping[str, Any], names: Sequence[str]) -> str:
    if proposal["kind"] == "end":
        return _("You propose to end the game here, without a result.")
    name = names[proposal["seat"]]
    if proposal["kind"] == "time":
        return _("You would give %(name)s %(time)s more for this turn.", name=name, time=_more(proposal))
    if proposal["bot"] is None:
        return _("You propose to invite somebody who plays on for %(name)s, who is gone.", name=name)
    return _("You propose that a bot plays on for %(name)s, who is gone: %(bot)s.", name=name, bot=_bot(proposal))


def _of_another(proposal: Mapping[str, Any], names: Sequence[str], reader: int | None) -> str:
    by = names[proposal["by"]]
    if proposal["kind"] == "end":
        return _("%(by)s proposes to end the game here, without a result.", by=by)
    name = names[proposal["seat"]]
    if proposal["kind"] == "time":
        if proposal["seat"] == reader:
            return _("%(by)s would give you %(time)s more for this turn.", by=by, time=_more(proposal))
        return _("%(by)s would give %(name)s %(time)s more for this turn.", by=by, name=name, time=_more(proposal))
    if proposal["bot"] is None:
        return _("%(by)s proposes to invite somebody who plays on for %(name)s, who is gone.", by=by, name=name)
    bot = _bot(proposal)
    return _("%(by)s proposes that a bot plays on for %(name)s, who is gone: %(bot)s.", by=by, name=name, bot=bot)


def _more(proposal: Mapping[str, Any]) -> str:
    return language.span(timedelta(hours=proposal["hours"]))


def _bot(proposal: Mapping[str, Any]) -> str:
    offer = offers.find(proposal["bot"])
    return proposal["bot"] if offer is None else bots.label(offer)


def done(data: Mapping[str, Any], names: Sequence[str], invited: bool) -> str:
    """What has come of it; `data` of the news `agreed`. `invited`: the seat waits for who takes it over."""
    if data["kind"] == "take_back":
        return _("The end of the last turn was taken back: %(name)s is to move again.", name=names[data["by"]])
    name = names[data["seat"]]
    if data["kind"] == "time":
        time = language.span(timedelta(hours=data["hours"]))
        return _("%(name)s has %(time)s more for this turn.", name=name, time=time)
    if invited:
        return _(
            "All agree that somebody else plays on for %(name)s. The link on the page of the game leads to that seat: "
            "send it to whoever is to play.",
            name=name,
        )
    return _("%(name)s plays on for a player who was gone.", name=name)
