"""The strip "since your last turn": what others did, one sentence for each turn, and how js/since.js plays it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from markupsafe import Markup

from server.language import gettext as _
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import seat_mark
from server.service.games.model import SANDBOX
from server.service.views import since
from server.service.views.turn_page import TurnPage


def html(door: Door, shown: TurnPage, layouts: Sequence[str]) -> Markup:
    """The strip; "" before the game has begun. `layouts` are those of the pictures on the page, in their order."""
    if shown.page["view"] is None:
        return Markup("")
    first, last, own = since.span(shown)
    moves = tuple([(one.move, one.automatic) for one in shown.story.happened[first:last]])
    # When it plays by itself: never for who moves all the seats, and for who looks on only what comes meanwhile.
    auto = "" if shown.page["origin"] == SANDBOX else "open" if own else "came"
    made_of = (door.here, shown.game_id, first, last, own, auto, moves, tuple(shown.names), shown.story.see_all,
               shown.reader, shown.live, tuple(layouts))  # fmt: skip
    return _html(made_of, door, shown, layouts, auto)


def _watching(shown: TurnPage) -> str:
    """What stands beside the title while it is played."""
    others = [name for seat, name in enumerate(shown.names) if seat != shown.reader]
    return _("What %(name)s did", name=others[0]) if len(others) == 1 else _("What the others did")


@kept(300)  # of some 4 KB
def _html(made_of: Hashable, door: Door, shown: TurnPage, layouts: Sequence[str], auto: str) -> Markup:
    told = since.of(shown)
    if shown.live and told.own and not told.first and not told.turns:
        return Markup("")  # before the first turn there is nothing to tell; who waits will see what comes
    return render(
        "game/parts/since_strip",
        door=door,
        since=told,
        title=since.title(told),
        opening=since.opening(told),
        gist=since.gist(told, shown.names, shown.reader),
        turns=[
            {"seat": turn.seat, "text": since.sentence(turn, shown.names, shown.reader), "moves": turn.moves}
            for turn in told.turns
        ],
        watching=_watching(shown),
        boards=door.to("since"),
        game_id=shown.game_id,
        reader="" if shown.reader is None else shown.reader,
        layouts=" ".join(layouts),
        auto=auto,
        live=shown.live,
        seat_mark=seat_mark,
    )
