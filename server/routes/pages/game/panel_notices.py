"""What the parts beside the board say of a wish that was done or refused, and where their forms lead back to."""

from __future__ import annotations

from flask import g, request
from markupsafe import Markup

from server.language import N_, sentence
from server.language import gettext as _
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import forms, page_addresses
from server.service.common.errors import ServiceError

DONE = {
    "invited": N_("The invitation is on its way."),
    "note": N_("Your note is saved."),
    "notices": N_("Your choice of mail about this game is saved."),
}
"""What is said once something was done, by the word for it in the address."""


def refuse(part: str, refusal: ServiceError, **typed: str) -> None:
    """Let the page that follows say beside `part` why a wish of it was not done, and keep what was typed there."""
    g.refused = {"part": part, "message": sentence(refusal.message), **typed}


def refused(part: str) -> Markup:
    """What stands beside `part` where a wish of it was not done."""
    found = g.get("refused")
    if found is None or found["part"] != part:
        return Markup("")
    return Markup('<p class="notice bad" role="alert">%s</p>') % found["message"]


def done() -> str | None:
    """What the page says of a wish that was done. The address names it by a word of ours, and can say nothing else."""
    said = DONE.get(request.args.get("done", ""))
    return None if said is None else _(said)


def _address_of_page(door: Door) -> str:
    """Where forms lead back to: the page as it stands, with its draft."""
    return page_addresses.address_here() if request.method == "GET" else door.here


def form_head(door: Door) -> Markup:
    """What every form here begins with: whose it is, and where it leads back to."""
    hidden = Markup('<input type="hidden" name="form" value="%s"><input type="hidden" name="back" value="%s">')
    return hidden % (forms.form_token(door.secret), _address_of_page(door))


def back(door: Door, part: str, said: str | None = None) -> str:
    """The address to go back to: that of the page that the form was on, with its draft, at `part`."""
    wish = page_addresses.local_path(forms.text_field("back", 4000)).partition("#")[0]
    path, _mark, query = wish.partition("?")
    kept = [one for one in query.split("&") if one and not one.startswith("done=")] if path == door.here else []
    if said in DONE:
        kept.append(f"done={said}")
    return door.here + ("?" + "&".join(kept) if kept else "") + f"#{part}"
