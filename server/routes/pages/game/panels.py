"""What stands around the turn: clock, waiting room, messages, what is one's own; what was done or refused there."""

from __future__ import annotations

from typing import Any

from flask import g, request, url_for
from markupsafe import Markup

from server import language
from server.language import N_, ngettext, sentence
from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.game import explanations, log_panel, proposals_panel, seats_panel
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import forms, game_wording, newcomers, page_addresses, visitor_preferences
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.chat import messages, notes
from server.service.common.errors import ServiceError
from server.service.games.model import PLAYED, still_there
from server.service.games.rated import BEGUN, COUNTED
from server.service.lists import game_page, opponents, ratings
from server.service.lists.game_page import Beside, GamePage, Written
from server.service.views.turn_page import TurnPage
from server.storage.times import parse_utc

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
            "asking": language.listing(
                [_("you") if seat == shown.seat else shown.names[seat] for seat in page["pause_votes"]]
            ),
            "countdown": _countdown(page),
            "clock": game_wording.clock(page["clock"]) if page["status"] == "running" and page["clock"] else None,
            "pause": _pause(shown) if member and not shown.resigned else None,
            "rating": _rating(access, shown),
            "waiting": _waiting(access, shown, member) if page["status"] == "open" else None,
            "log": log_panel.log(access, shown, None if everything else log_panel.ROUNDS, zone),
            "log_shortened": not everything and log_panel.is_shortened(shown.story),
            "messages": None if own is None else _messages(shown, own, zone),
            "own": own if member else None,
            "proposals": proposals_panel.values(access, shown, zone),
            "note_longest": notes.NOTE_MAX,
            "rematch": member
            and page["started_at"] is not None
            and page["status"] in ("finished", "abandoned")
            and page["deal"] is None,
            "refused": g.get("refused"),
            "done": done,
            # The address names it by a word of ours, and can say nothing else.
            "said": _(DONE[done]) if done in DONE else None,
        },
        "form_head": form_head(access),
    }


_COUNTDOWN = Markup(
    '<span class="countdown" data-deadline="{deadline}" data-reserve="{reserve}" data-then="{then}" data-left="{left}"'
    ' data-over="{over}">{said}</span>'
)


def _countdown(page: GamePage) -> Markup | None:
    """How long the turn may take, apart from it what is in reserve; js/table.js counts on. None where no clock runs."""
    seat, chosen, deadline, began = page["to_move"], page["clock"], page["deadline"], page["turn_began_at"]
    if seat is None or chosen is None or deadline is None or began is None:
        return None
    reserves = page["reserve_seconds"]
    reserve = (reserves[seat] if reserves else None) or 0
    turn = chosen["turn_hours"] * 3600 + (page["extra_seconds"] or 0)
    whole = (parse_utc(deadline) - parse_utc(began)).total_seconds()
    then, left = "", _("%(time)s left", time="{time}")
    if reserve and whole == turn + reserve:
        then = _("%(time)s, then %(reserve)s of reserve", time="{time}", reserve=language.span(reserve))
        left = _("%(time)s of the reserve left", time="{time}")
    elif reserve:  # nights, vacations, …: where the one ends and the other begins is not told by these numbers
        left, reserve = _("%(time)s left with the reserve", time="{time}"), 0
    rest = (parse_utc(deadline) - now()).total_seconds()
    said, rest = (then, rest - reserve) if then and rest > reserve else (left, rest)
    over = _("time is up")
    said = said.replace("{time}", language.span(int(rest))) if rest > 0 else over
    return _COUNTDOWN.format(deadline=deadline, reserve=reserve, then=then, left=left, over=over, said=said)


def _rating(access: GameAccess, shown: TurnPage) -> str | None:
    """Whether the game counts for ratings, and what it changed; None of what no rating comes from."""
    page, counts = shown.page, shown.page["rated"]
    if page["origin"] != PLAYED:
        return None
    if counts is None:
        return _("This game does not count for ratings.")
    if page["status"] == "open":
        return _("This game counts for ratings if all at the table have switched theirs on.")
    if counts == BEGUN and page["status"] == "finished":
        return _("Ratings are computed a little after the end of a game.")
    found = ratings.of_game(store(), shown.game_id, access.eyes()) if counts == COUNTED else []
    names = [_("you") if seat == shown.seat else name for seat, name in enumerate(shown.names)]
    changes = [f"{names[seat]} {before} → {after}" for seat, before, after in found]
    if changes:
        return _("Ratings by this game: %(changes)s.", changes=language.listing(changes))
    return _("This game counts for ratings.")


def _waiting(access: GameAccess, shown: TurnPage, member: bool) -> dict[str, Any]:
    """The room in which a game waits for its players."""
    page = shown.page
    link = url_for("lobby-pages.join", game_id=page["id"], invitation=page["invitation"] or None)
    return {
        "free": sum(place is None for place in page["players"]),
        "options": [
            *game_wording.options(page["options"], page["rating"]),
            *([_("hints are allowed")] if page["hints"] else []),
        ],
        "clock": [*game_wording.clock(page["clock"]), *game_wording.given_up_by(page["start_by"])],
        "join": None if member else link,
        # A private game is nobody's to find: only its members have the link.
        "link": page_addresses.public_address(link) if member else None,
        "people": _people(access, shown) if member else [],
        "invited": page["invited"],
        "levels": game_wording.opponents(access.player),
        "member": member,
        "unmailed": newcomers.why_unmailed(access.player) if member else None,
        "alone": sum(place is not None and place["bot"] is None for place in page["players"]) == 1,
        "creator": member and access.player is not None and page["creator"] == access.player.id,
    }


def _pause(shown: TurnPage) -> dict[str, str] | None:
    """What is to be said of a pause, and what a member may do about it with one press; None where nobody wants one."""
    page, seat = shown.page, shown.seat
    if page["status"] != "running" or page["waits_for"] == "operator":
        return None
    if page["paused"]:
        return {
            "said": _("The game is paused: moves can still be played."),
            "wish": "none",
            "button": _("Let the clock run again"),
        }
    asking = [shown.names[one] for one in page["pause_votes"] if one != seat]
    if seat in page["pause_votes"]:
        said = _("You have asked for a pause. It begins when everybody asks.")
        return {"said": said, "wish": "none", "button": _("No pause for me after all")}
    if asking:
        said = ngettext(
            "%(names)s asks for a pause.", "%(names)s ask for a pause.", len(asking), names=language.listing(asking)
        )
        return {"said": said, "wish": "pause", "button": _("Agree to the pause")}
    return None


INVITABLE = 8
"""So many people are offered to be invited by name."""


def _people(access: GameAccess, shown: TurnPage) -> list[opponents.Opponent]:
    """Friends and recent opponents who were not asked to this game yet, and do not sit there."""
    page = shown.page
    there = {one["player"] for one in (*page["invited"], *page["players"]) if one is not None}
    known = [] if access.player is None else opponents.people(store(), access.player)
    return [one for one in known if one["player"] not in there][:INVITABLE]


def _messages(shown: TurnPage, own: Beside, zone: str) -> dict[str, Any] | None:
    """The newest messages; None where nobody else would read them, for bots do not."""
    others = sum(place is None or place["bot"] is None for place in shown.page["players"]) - 1
    if not others and not own.messages:
        return None
    return {
        "shown": told_messages(shown, own, zone),
        "earlier": own.earlier,
        "unread": own.unread,
        "longest": messages.TEXT_MAX,
    }


def told_messages(shown: TurnPage, own: Beside, zone: str) -> list[dict[str, Any]]:
    """Messages, and what happened at the table, as the page tells them."""
    told = []
    for one in own.messages:
        name, kind = _author(shown, one), one["kind"]
        event = (
            None
            if kind is None
            else _(_BY_KIND.get(kind, {}).get(one["text"], EVENTS[kind]), name=name or _("A player"))
        )
        mine = shown.seat is not None and one["seat"] == shown.seat and name is not None
        told.append({
            **one,
            "name": name or _("Somebody who left"),
            "at": local_time(one["at"], zone),
            "event": None if event is None else sentence(event),
            "mine": mine,
            "fresh": one["id"] > own.read and not mine,
        })  # fmt: skip
    return told


EVENTS = {
    "joined": N_("%(name)s has joined."),
    "left": N_("A player has left."),
    "resigned": N_("%(name)s has resigned."),
    "timed_out": N_("The time of %(name)s ran out."),
    "pause_wish": N_("%(name)s asks for a pause."),
    "no_pause_wish": N_("%(name)s no longer asks for a pause."),
    "proposed": N_("%(name)s has proposed something to the others."),
    "agreed": N_("What was proposed is agreed upon."),
    "disagreed": N_("%(name)s has said no to what was proposed."),
    "paused": N_("The game is paused: the clock stands still."),
    "resumed": N_("The pause is over: the clock runs again."),
    "rematch": N_("%(name)s offers a rematch."),
}
"""What is told of each `table_events.Event`."""
_BY_KIND = {
    "proposed": {
        "end": N_("%(name)s has proposed to end the game without a result."),
        "replace": N_("%(name)s has proposed that somebody else plays on for a player who is gone."),
        "time": N_("%(name)s has proposed more time for this turn."),
        "take_back": N_("%(name)s has asked to take back the end of the last turn."),
    },
    "agreed": {
        "end": N_("All agree to end the game here, without a result."),
        "replace": N_("All agree that somebody else plays on for a player who is gone."),
        "time": N_("All agree on more time for this turn."),
        "take_back": N_("All agree: the end of the last turn is taken back."),
    },
}
"""The same of what players propose, by its kind, where that is noted."""


def _author(shown: TurnPage, message: Written) -> str | None:
    """Who wrote a message: not who took the seat later. None of who has left."""
    place = shown.page["players"][message["seat"]]
    there = place is not None and still_there(place["player"], place["bot"], message["player"])
    return shown.names[message["seat"]] if there else None


DONE = {
    "invited": N_("The invitation is on its way."),
    "note": N_("Your note is saved."),
    "notices": N_("News of this game comes as you wish."),
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
