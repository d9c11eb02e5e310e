"""What the page of a game has beside the turn itself: players, clock, log, messages, and what is one's own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from flask import g, request, url_for
from markupsafe import Markup, escape

from server import language
from server.engine.ulm1.notation import Move
from server.language import N_
from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.game.door import Door
from server.routes.pages.shared import frame, wording
from server.routes.pages.shared.html_cache import Pieces
from server.routes.pages.shared.icons import icon, seat_mark
from server.service.accounts.players import Player
from server.service.common import preferences
from server.service.common.errors import ServiceError
from server.service.lists import seat_corner
from server.service.lists.seat_corner import Beside
from server.service.table.model import still_there
from server.service.talk import messages, notes
from server.service.views import turn_links
from server.service.views.history import Story, Told, Turn
from server.service.views.turn_page import TurnPage

ROUNDS = 3
"""How many rounds of the log are on the page when nobody asks for all."""
MESSAGES = 8
DONE = {
    "invited": N_("The invitation is on its way."),
    "note": N_("Your note is kept."),
    "notices": N_("Your wish for mails about this game is kept."),
}
"""What is said once something was done, by the word for it in the address."""


def table_values(door: Door, shown: TurnPage) -> dict[str, Any]:
    """The values for `pages/game/table.html`; `table` holds them all."""
    page, holder = shown.page, _holder(door)
    form_head = _form_head(door)
    zone = frame.time_zone() if holder is None else str(holder.preferences["time_zone"])
    member = not door.by_link and shown.seat is not None
    own = None if holder is None else seat_corner.look(store(), shown.game_id, holder.id, MESSAGES)
    everything = request.args.get("log") == "all"
    return {
        "table": {
            "seats": seats_html(shown),
            "clock": _part("clock", door, form_head, _clock(shown, member, zone)),
            "waiting": _waiting(door, shown, member) if page["status"] == "open" else None,
            "log": log(door, shown, None if everything else ROUNDS, zone),
            "log_shortened": not everything and _begins(shown.story, ROUNDS) > 0,
            "messages": _part("messages", door, form_head, None if own is None else _messages(shown, own, zone)),
            "own": _part("own", door, form_head, _own(own) if member and own is not None else None),
            "rematch": member and page["started_at"] is not None and page["status"] in ("finished", "abandoned"),
            "form_head": form_head,
            "refused": g.get("refused"),
            "done": done(),
        },
        "refused": _refused,
    }


def _form_head(door: Door) -> Markup:
    """What every form here begins with: whose it is, and where it leads back to."""
    fields = Markup('<input type="hidden" name="form" value="%s"><input type="hidden" name="back" value="%s">')
    return fields % (frame.form_token(door.secret), _back(door))


def _part(name: str, door: Door, form_head: Markup, shown: dict[str, Any] | None) -> Markup:
    """The part of the page with `pages/game/NAME.html` and the forms in it; "" when there is nothing to show."""
    if shown is None:
        return Markup("")
    # It stays as it is while the game goes on: what differs in its forms from page to page is put into holes.
    values = {name: shown, "refused": g.get("refused"), "done": request.args.get("done") if name == "own" else None}
    made_of = (door.here, repr(values))
    pieces = _PARTS[name]
    kept = pieces.get(made_of) or pieces.make(made_of, door=door, refused=_refused, table=values,
                                              form_head=_FORM_HEAD, key=_KEY)  # fmt: skip
    return Markup(kept.replace(_FORM_HEAD, form_head).replace(_KEY, secrets.token_hex(8)))  # noqa: S704 - HTML all


def _holder(door: Door) -> Player | None:
    """Who reads the page. Of a link whose turn is over: nobody."""
    if not door.by_link:
        return door.player
    return turn_links.eyes(store(), door.secret, now())[1]


def seats_html(shown: TurnPage, view: dict[str, Any] | None = None, past: bool = False) -> Markup:
    """What `seats` says, as items of a list."""
    # Each seat is kept by itself: a move changes what lies before one or two.
    return Markup("\n").join([_seat(one) for one in seats(shown, view, past)])


def _seat(one: dict[str, Any]) -> Markup:
    made_of = repr(one)
    return _SEATS.get(made_of) or _SEATS.make(made_of, one=one, seat_mark=seat_mark, count=_count)


def seats(shown: TurnPage, view: dict[str, Any] | None = None, past: bool = False) -> list[dict[str, Any]]:
    """What there is to say of each seat: who sits there and, once the game has begun, what lies before them.

    `past`: `view` is an earlier position, of which only what it holds is said.
    """
    page, view = shown.page, view or shown.view
    winners = [] if past else (page["result"] or {}).get("winners", [])
    reserves = [] if past else page["reserve_seconds"] or []
    found = []
    for seat, place in enumerate(page["players"]):
        one: dict[str, Any] = {
            "seat": seat,
            "name": shown.names[seat] if place is not None else None,
            "you": seat == shown.reader,
            "active": (past or page["status"] == "running") and view is not None and view["active"] == seat,
            "marks": [] if place is None else _marks(page, view, seat, place, past),
            "winner": seat in winners,
            "has": None,
            "reserve": None,
        }
        if seat < len(reserves) and reserves[seat] and page["status"] == "running":
            one["reserve"] = language.span(timedelta(seconds=reserves[seat]))
        if view is not None:
            player = view["players"][seat]
            one["has"] = {key: player[key] for key in ("coins", "sparrows", "seals", "crests", "hand_size", "resigned")}
            one["vp"] = view["scores"][seat]["total"] if view["scores"] else player["vp"]
        found.append(one)
    return found


def _marks(
    page: dict[str, Any], view: dict[str, Any] | None, seat: int, place: dict[str, Any], past: bool
) -> list[str]:
    """What else is to be known of who sits there, in words."""
    marks = []
    if seat == page["seat"]:
        marks.append(_("you"))
    if place["bot"] is not None:
        marks.append(_("bot"))
    if view is not None and view["players"][seat]["resigned"]:
        marks.append(_("resigned"))
    elif place["autopilot"] and not past and page["status"] == "running":
        marks.append(_("away, the server plays"))
    if seat in page["pause_votes"] and not page["paused"] and not past:
        marks.append(_("wants a pause"))
    return marks


def _clock(shown: TurnPage, member: bool, zone: str) -> dict[str, Any] | None:
    """Until when there is time, and whether the clock stands; None where there is none."""
    page = shown.page
    if page["status"] != "running" or not page["clock"]:
        return None
    deadline, wishes = page["deadline"], page["pause_votes"]
    return {
        "deadline": deadline,
        "until": None if deadline is None else frame.local_time(deadline, zone),
        "zone": None if shown.seat is not None else zone,
        "left": None if deadline is None else wording.left(deadline, now()),
        "paused": page["paused"],
        "wish": shown.seat in page["pause_votes"],
        "wishes": language.listing([shown.names[seat] for seat in wishes]) if wishes else None,
        "who": None if shown.live or page["to_move"] is None else shown.names[page["to_move"]],
        "may_pause": member and not shown.resigned,
        "words": wording.clock({**page["clock"], "start_by": None}),
    }


def _waiting(door: Door, shown: TurnPage, member: bool) -> dict[str, Any]:
    """The room in which a game waits for its players."""
    page = shown.page
    link = url_for("lobby-pages.join", game_id=page["id"], invitation=page["invitation"] or None)
    return {
        "free": sum(place is None for place in page["players"]),
        "options": wording.options(page["options"]),
        "clock": wording.clock(page["clock"]),
        "join": None if member else link,
        # A private game is nobody's to find: only its members have the link.
        "link": frame.public_address(link) if member else None,
        "member": member,
        "alone": sum(place is not None and place["bot"] is None for place in page["players"]) == 1,
        "creator": member and door.player is not None and page["creator"] == door.player.id,
    }


def log(door: Door, shown: TurnPage, rounds: int | None, zone: str) -> Markup:
    """The rounds of the log, the newest first, each with its turns, the newest first; `rounds`: how many, None: all.

    The newest of the turns that the reader knows already is marked. "" when nothing has happened.
    """
    story = shown.story
    first = 0 if rounds is None else _begins(story, rounds)
    turns = [turn for turn in story.turns if turn.began >= first and len(story.happened) > turn.began]
    if not turns:
        return Markup("")
    *before, newest = turns
    known = next((turn for turn in reversed(turns) if turn.began < shown.known_to), None)
    names = tuple(story.names)

    def all_of(*turns: Turn) -> _Lines:
        moves = tuple([one.move for one in story.happened[turns[0].began : turns[-1].ended]])
        return _Lines(shown.game_id, turns, story.reader, story.see_all, names, zone, door.here, moves)

    # From move to move all but the newest turn stays as it is: that is written around a hole.
    made_of = (newest.round, known, all_of(*before) if before else None)
    kept = _LOGS.get(made_of) or _LOGS.make(
        made_of,
        rounds=[
            {
                "round": number,
                "turns": [
                    {
                        "html": _HOLE if turn is newest else _turn(all_of(turn), story),
                        "known_from_here": turn is known and turn is not newest,
                    }
                    for turn in group
                ],
            }
            for number, group in groupby(reversed(turns), key=lambda turn: turn.round)
        ],
    )
    head, _hole, rest = kept.partition(_HOLE)
    return Markup("").join((head, _turn(all_of(newest), story), rest))


class _Lines(NamedTuple):
    """All that the lines of some turns depend on: the moves of a game lead to one position, whoever looks."""

    game_id: str
    turns: tuple[Turn, ...]
    reader: int | None
    see_all: bool
    names: tuple[str, ...]
    zone: str
    here: str
    moves: tuple[Move, ...]


_HOLE = Markup("<!-- the newest turn -->")
# Of some 15 KB and 2 KB. To say and to write the log takes longer than all the rest of a page.
_LOGS = Pieces("pages/game/log_rounds.html", most=400)
_TURNS = Pieces("", most=3000)
_SEATS = Pieces("pages/game/seats.html", most=1000)
_TALK = Pieces("pages/game/talk.html", most=500)
_PARTS = {name: Pieces(f"pages/game/{name}.html", most=500) for name in ("clock", "messages", "own")}
_FORM_HEAD, _KEY = Markup("<!-- the head of a form -->"), Markup("<!-- the key of a form -->")


def _turn(made_of: _Lines, story: Story) -> Markup:
    """One turn of `story`: who played when, and the lines of it."""
    found = _TURNS.get(made_of)
    if found is None:
        (turn,) = made_of.turns
        at = Markup(' <span class="note">%s</span>') % frame.local_time(turn.at, made_of.zone) if turn.at else ""
        head = Markup("<h4>%s%s%s</h4>\n") % (seat_mark(turn.seat), made_of.names[turn.seat], at)
        found = _TURNS.put(made_of, head + lines(story.between(turn.began, turn.ended), made_of.here))
    return found


def lines(moves: Sequence[Told], here: str, ply: int | None = None) -> Markup:
    """What happened as a list: each move leads to the board as it was then, below the page `here`.

    `ply` is the one on whose page the list stands, if it does.
    """
    items = []
    swap = "" if ply is None else " data-swap"
    by_server = escape(_("(played by the server)"))  # the collector of texts sees none within f-strings
    for move in moves:
        current = ' aria-current="true"' if move.ply == ply else ""
        note = f' <span class="note">{by_server}</span>' if move.automatic else ""
        text = escape(" ".join(move.sentences))
        items.append(f'<li><a{swap} href="{escape(here)}/at/{move.ply}"{current}>{text}{note}</a></li>')
    return Markup(f'<ol class="lines">{"".join(items)}</ol>')  # noqa: S704 - escaped above


@lru_cache(maxsize=2000)
def _count(symbol: str, number: int, label: str) -> Markup:
    """How many there are of something, for the panel of a seat; `label` says it in words."""
    none = "" if number else Markup(' class="none"')
    text = Markup('<li%s>%s<span aria-hidden="true">%s</span><span class="sr">%s</span></li>')
    return text % (none, icon(symbol), number, label)


def _begins(story: Story, rounds: int) -> int:
    """The ply at which the last `rounds` rounds begin."""
    if not story.turns:
        return 0
    first = story.turns[-1].round - rounds + 1
    return next(turn.began for turn in story.turns if turn.round >= first)


def _messages(shown: TurnPage, own: Beside, zone: str) -> dict[str, Any] | None:
    """The newest messages; None where nobody else would read them, for bots do not."""
    others = sum(place is None or place["bot"] is None for place in shown.page["players"]) - 1
    if not others and not own.messages:
        return None
    said = [
        {"seat": one["seat"], "name": author(shown, one), "text": one["text"], "at": frame.local_time(one["at"], zone)}
        for one in own.messages
    ]
    return {
        "shown": _TALK.get(repr(said)) or _TALK.make(repr(said), messages=said, seat_mark=seat_mark),
        "any": bool(said),
        "earlier": own.earlier,
        "longest": messages.TEXT_MAX,
    }


def author(shown: TurnPage, message: dict[str, Any]) -> str:
    """Who wrote a message: not who took the seat later."""
    place = shown.page["players"][message["seat"]]
    if place is not None and still_there(place["player"], place["bot"], message["player"]):
        return shown.names[message["seat"]]
    return _("Somebody who left")


def _own(own: Beside) -> dict[str, Any]:
    """What this player alone sees and decides."""
    return {
        "note": own.note,
        "note_longest": notes.NOTE_MAX,
        "notices": own.notices or "",
        "modes": notice_modes(),
    }


def notice_modes() -> list[tuple[str, str]]:
    """When notices of one game may come, and how that is called."""
    words = {
        "at_once": _("at once"),
        "digest": _("once a day, together"),
        "reminders": _("only when my time runs out"),
        "mute": _("never"),
    }
    return [("", _("as my account says")), *((mode, words[mode]) for mode in preferences.MAIL_MODES)]


def refuse(part: str, refusal: ServiceError, **typed: str) -> None:
    """Let the page that follows say beside `part` why a wish of it was not done, and keep what was typed there."""
    g.refused = {"part": part, "message": frame.sentence(refusal.message), **typed}


def _refused(part: str) -> Markup:
    """What stands beside `part` where a wish of it was not done."""
    found = g.get("refused")
    if found is None or found["part"] != part:
        return Markup("")
    return Markup('<p class="notice bad" role="alert">%s</p>') % found["message"]


def done() -> str | None:
    """What the page says of a wish that was done. The address names it by a word of ours, and can say nothing else."""
    said = DONE.get(request.args.get("done", ""))
    return None if said is None else _(said)


def _back(door: Door) -> str:
    """Where forms lead back to: the page as it stands, with its draft."""
    return frame.address_here() if request.method == "GET" else door.here
