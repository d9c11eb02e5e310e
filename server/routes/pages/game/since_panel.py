"""The strip "since your last turn": what others did, one sentence for each turn, and how js/since.js plays it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from markupsafe import Markup

from server.language import gettext as _
from server.language import ngettext
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import seat_mark
from server.service.table.model import SANDBOX
from server.service.views import since
from server.service.views.since import Since
from server.service.views.turn_page import TurnPage


def html(door: Door, shown: TurnPage, layouts: Sequence[str]) -> Markup:
    """The strip; "" before the game has begun. `layouts` are those of the pictures on the page, in their order."""
    if shown.page["view"] is None:
        return Markup("")
    first, last, own = since.span(shown)
    moves = tuple([one.move for one in shown.story.happened[first:last]])
    # When it plays by itself: never for who moves all the seats, and for who looks on only what comes meanwhile.
    auto = "" if shown.page["origin"] == SANDBOX else "open" if own else "came"
    made_of = (door.here, shown.game_id, first, last, own, auto, moves, tuple(shown.names), shown.story.see_all,
               shown.reader, tuple(layouts))  # fmt: skip
    return _html(made_of, door, shown, layouts, auto)


@kept(300)  # of some 4 KB
def _html(made_of: Hashable, door: Door, shown: TurnPage, layouts: Sequence[str], auto: str) -> Markup:
    told = since.of(shown)
    return render(
        "game/parts/since_strip",
        door=door,
        since=told,
        title=_title(told),
        gist=_gist(told, shown.names),
        turns=[
            {"seat": turn.seat, "text": turn.short + _gained(turn, shown.names), "moves": turn.moves}
            for turn in told.turns
        ],
        boards=door.to("since"),
        game_id=shown.game_id,
        reader="" if shown.reader is None else shown.reader,
        layouts=" ".join(layouts),
        auto=auto,
        seat_mark=seat_mark,
    )


def _title(told: Since) -> str:
    if not told.own:
        return _("The last round")
    return _("Since your last turn") if told.first else _("Before your first turn")


def _gist(told: Since, names: Sequence[str]) -> str:
    """The strip when it is folded: how many turns, and who got points."""
    if not told.turns:
        return _("nothing yet")
    turns = ngettext("one turn", "%(num)s turns", len(told.turns))
    return ", ".join([turns, *(f"{names[seat]} {points:+d}" for seat, points in enumerate(told.gained) if points)])


def _gained(turn: since.Played, names: Sequence[str]) -> str:
    """The points that a turn brought, in brackets: first those of who played it."""
    own = [f"{turn.gained[turn.seat]:+d}"] if turn.gained[turn.seat] else []
    others = [f"{names[seat]} {points:+d}" for seat, points in enumerate(turn.gained) if points and seat != turn.seat]
    return f" ({', '.join([*own, *others])})" if own or others else ""
