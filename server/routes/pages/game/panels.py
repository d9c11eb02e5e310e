"""What stands around the turn: clock, waiting room, messages, what is one's own; what was done or refused there."""

from __future__ import annotations

from typing import Any

from flask import g, request, url_for
from markupsafe import Markup

from server import language
from server.language import N_, sentence
from server.language import gettext as _
from server.routes.http.context import store
from server.routes.pages.game import explanations, log_panel, seats_panel
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import forms, game_wording, newcomers, page_addresses, visitor_preferences
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.chat import messages, notes
from server.service.common.errors import ServiceError
from server.service.games.model import still_there
from server.service.lists import game_page
from server.service.lists.game_page import Beside, Written
from server.service.views.turn_page import TurnPage

MESSAGES = 8
"""So many of the newest are on the page."""


def table_values(access: GameAccess, shown: TurnPage, ask: str | None) -> dict[str, Any]:
    """The values for what stands around the turn in `game.html`; `ask` are the words of the address."""
    page, holder = shown.page, access.eyes()
    zone = visitor_preferences.time_zone() if holder is None else str(holder.preferences["time_zone"])
    member = not access.by_link and shown.seat is not None
    own = None if holder is None else game_page.beside(store(), shown.game_id, holder.id, MESSAGES)
    everything = request.args.get("log") == "all"
    view, done = shown.view, request.args.get("done", "")
    things = set() if view is None else explanations.of_view(view, shown.reader) | explanations.of_draft(shown.draft)
    return {
        "table": {
            "seats": seats_panel.seats_html(shown),
            "mat": seats_panel.mat_html(access, shown, ask),
            "explained": "" if view is None else explanations.windows(things, shown),
            "unreached": seats_panel.unreached(shown),
            "zone": zone,
            "member": member,
            "asking": language.listing([shown.names[seat] for seat in page["pause_votes"]]),
            "clock": game_wording.clock(page["clock"]) if page["status"] == "running" and page["clock"] else None,
            "waiting": _waiting(access, shown, member) if page["status"] == "open" else None,
            "log": log_panel.log(access, shown, None if everything else log_panel.ROUNDS, zone),
            "log_shortened": not everything and log_panel.is_shortened(shown.story),
            "messages": None if own is None else _messages(shown, own, zone),
            "own": own if member else None,
            "note_longest": notes.NOTE_MAX,
            "rematch": member and page["started_at"] is not None and page["status"] in ("finished", "abandoned"),
            "refused": g.get("refused"),
            "done": done,
            # The address names it by a word of ours, and can say nothing else.
            "said": _(DONE[done]) if done in DONE else None,
        },
        "form_head": form_head(access),
    }


def _waiting(access: GameAccess, shown: TurnPage, member: bool) -> dict[str, Any]:
    """The room in which a game waits for its players."""
    page = shown.page
    link = url_for("lobby-pages.join", game_id=page["id"], invitation=page["invitation"] or None)
    return {
        "free": sum(place is None for place in page["players"]),
        "options": [*game_wording.options(page["options"]), *([_("hints are allowed")] if page["hints"] else [])],
        "clock": [*game_wording.clock(page["clock"]), *game_wording.given_up_by(page["start_by"])],
        "join": None if member else link,
        # A private game is nobody's to find: only its members have the link.
        "link": page_addresses.public_address(link) if member else None,
        "levels": game_wording.opponents(access.player),
        "member": member,
        "unmailed": newcomers.why_unmailed(access.player) if member else None,
        "alone": sum(place is not None and place["bot"] is None for place in page["players"]) == 1,
        "creator": member and access.player is not None and page["creator"] == access.player.id,
    }


def _messages(shown: TurnPage, own: Beside, zone: str) -> dict[str, Any] | None:
    """The newest messages; None where nobody else would read them, for bots do not."""
    others = sum(place is None or place["bot"] is None for place in shown.page["players"]) - 1
    if not others and not own.messages:
        return None
    said = [{**one, "name": _author(shown, one), "at": local_time(one["at"], zone)} for one in own.messages]
    return {"shown": said, "earlier": own.earlier, "longest": messages.TEXT_MAX}


def _author(shown: TurnPage, message: Written) -> str:
    """Who wrote a message: not who took the seat later."""
    place = shown.page["players"][message["seat"]]
    if place is not None and still_there(place["player"], place["bot"], message["player"]):
        return shown.names[message["seat"]]
    return _("Somebody who left")


DONE = {
    "invited": N_("The invitation is on its way."),
    "note": N_("Your note is saved."),
    "notices": N_("Your choice of mail about this game is saved."),
}
"""What is said once something was done, by the word for it in the address."""


def refuse(part: str, refusal: ServiceError, **typed: str) -> None:
    """Let the page that follows say beside `part` why a wish of it was not done, and keep what was typed there."""
    g.refused = {"part": part, "message": sentence(refusal.message), **typed}


def form_head(access: GameAccess) -> Markup:
    """What every form here begins with: whose it is, and where it leads back to."""
    hidden = Markup('<input type="hidden" name="form" value="%s"><input type="hidden" name="back" value="%s">')
    there = page_addresses.address_here() if request.method == "GET" else access.here  # with its draft
    return hidden % (forms.form_token(access.secret), there)


def back(access: GameAccess, part: str, said: str | None = None) -> str:
    """The address to go back to: that of the page that the form was on, with its draft, at `part`."""
    wish = page_addresses.local_path(forms.text_field("back", 4000)).partition("#")[0]
    path, _mark, query = wish.partition("?")
    kept = [one for one in query.split("&") if one and not one.startswith("done=")] if path == access.here else []
    if said in DONE:
        kept.append(f"done={said}")
    return access.here + ("?" + "&".join(kept) if kept else "") + f"#{part}"
