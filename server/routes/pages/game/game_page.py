"""The page of a game: the board, the turn, and all that belongs to it, for who came in by a session or by a link."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from flask import Response, request, url_for

from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import store
from server.routes.pages.game import board_links, log_panel, own_turn, panels, result_page, seats_panel
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import boards, forms, rendering
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.lists import board_view
from server.service.views import live_events
from server.service.views.turn_page import OldLink, TurnPage


def page(access: GameAccess, shown: TurnPage, refusal: str | None = None, status: int = 200) -> Response:
    """The page of a game; `refusal` is a sentence for somebody whose wish could not be done."""
    ask = board_links.asked_words()
    values = own_turn.values(access, shown, ask)
    return rendering.page(
        "game/game",
        status,
        access=access,
        shown=shown,
        game={**shown.page, "name": spoken(shown.page["name"])},
        form=forms.form_token(access.secret),
        key=secrets.token_hex(8),
        refusal=refusal,
        may_resign=may_resign(access, shown),
        live=live_events.describe(shown.page, live_events.newest_message(store(), shown.page, access.eyes())),
        since=log_panel.since_strip(access, shown, list(values["boards"])),
        **behind(shown.old),
        **values,
        result=result_page.values(access, shown),
        **panels.table_values(access, shown, ask),
    )


def behind(old: OldLink | None) -> dict[str, Any]:
    """The values for `pages/game/parts/behind.html`: where an old link leads, whether a turn's link was sent."""
    if old is None:
        return {"old": None}
    here, visitor = url_for("game-pages.game", game_id=old.game_id), browser_session.visitor()
    own = visitor is not None and visitor.id == old.player_id
    onward = here if own else url_for("account-pages.sign_in", next=here)
    return {"old": old, "own": own, "onward": onward, "sent": request.method == "GET" and "sent" in request.args}


def may_resign(access: GameAccess, shown: TurnPage) -> bool:
    """Whether the reader has a seat to give up here: by a link during its turn alone."""
    return shown.may_resign and (shown.live or not access.by_link)


def resign_page(access: GameAccess, shown: TurnPage) -> Response:
    """The question before a resignation."""
    ply, game = shown.page["ply"], {**shown.page, "name": spoken(shown.page["name"])}
    return rendering.page(
        "game/resign", access=access, game=game, ply=ply, form=forms.form_token(access.secret), key=secrets.token_hex(8)
    )


def earlier_position(access: GameAccess, shown: TurnPage, ply: int) -> Response:
    """The position after move `ply`, as the reader saw it. Raises `NotFound`."""
    last = len(shown.story.happened)
    if shown.page["view"] is None or not 0 <= ply <= last:
        raise NotFound(_("this game has not reached that move"))
    seen = board_view.of_game(store(), shown.game_id, access.eyes(), ply, let_in=access.by_link)
    story = shown.story
    turn = next((one for one in story.turns if one.began < ply and (one.ended is None or ply <= one.ended)), None)
    return rendering.page(
        "game/position",
        access=access,
        game={**shown.page, "name": spoken(shown.page["name"])},
        ply=ply,
        last=last,
        layout=boards.layout(),
        boards=own_turn.boards_of(access, replace(shown, draft=None), seen.view),  # nothing is played there
        told=story.between(ply - 1, ply) if ply else [],
        rule_of=log_panel.rule_of,
        turn=None
        if turn is None
        else {"name": shown.names[turn.seat], "round": turn.round, "moves": story.between(turn.began, turn.ended)},
        turns=_ends_around(shown, ply),
        seats=seats_panel.seats_html(shown, seen.view, past=True),
    )


def _ends_around(shown: TurnPage, ply: int) -> dict[str, int | None]:
    """The ends of the turns before and after `ply`."""
    ends = [0, *(turn.ended for turn in shown.story.turns if turn.ended is not None)]
    return {
        "before": max((end for end in ends if end < ply), default=None),
        "after": min((end for end in ends if end > ply), default=None),
    }
