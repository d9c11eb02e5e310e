"""The page of a game: the board, the turn, and all that belongs to it, whoever came in by whichever door."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Response, request, url_for

from server.routes.http import browser_session
from server.routes.pages.game import asked_moves, own_turn, panels, result_page, since_panel
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import forms, live_attributes, rendering
from server.service.common.naming import spoken
from server.service.views.turn_page import OldLink, TurnPage


def page(door: Door, shown: TurnPage, refusal: str | None = None, status: int = 200) -> Response:
    """The page of a game; `refusal` is a sentence for somebody whose wish could not be done."""
    ask = asked_moves.words()
    values = own_turn.values(door, shown, ask)
    return rendering.page(
        "game/game",
        status,
        door=door,
        shown=shown,
        game={**shown.page, "name": spoken(shown.page["name"])},
        form=forms.form_token(door.secret),
        key=secrets.token_hex(8),
        refusal=refusal,
        may_resign=shown.may_resign and (shown.live or not door.by_link),
        live=live_attributes.of_game(shown.page, door.here),
        since=since_panel.html(door, shown, list(values["boards"])),
        **behind(shown.old),
        **values,
        result=result_page.values(door, shown),
        **panels.table_values(door, shown, ask),
    )


def behind(old: OldLink | None) -> dict[str, Any]:
    """The values for `pages/game/parts/behind.html`: where an old link leads, whether a turn's link was sent."""
    if old is None:
        return {"old": None}
    here, visitor = url_for("game-pages.game", game_id=old.game_id), browser_session.visitor()
    own = visitor is not None and visitor.id == old.player_id
    onward = here if own else url_for("account-pages.sign_in", next=here)
    return {"old": old, "own": own, "onward": onward, "sent": request.method == "GET" and "sent" in request.args}


def resign_page(door: Door, shown: TurnPage) -> Response:
    """The question before a resignation."""
    ply, game = shown.page["ply"], {**shown.page, "name": spoken(shown.page["name"])}
    return rendering.page(
        "game/resign", door=door, game=game, ply=ply, form=forms.form_token(door.secret), key=secrets.token_hex(8)
    )
