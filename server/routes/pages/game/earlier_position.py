"""The page of a game as it stood after an earlier move."""

from __future__ import annotations

from dataclasses import replace

from flask import Response
from markupsafe import Markup

from server.language import gettext as _
from server.routes.http.context import store
from server.routes.pages.game import board_cache, log_panel, seats_panel
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import rendering
from server.service.accounts.players import Player
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.lists import board_view
from server.service.views.turn_page import TurnPage


def show(door: Door, shown: TurnPage, eyes: Player | None, ply: int) -> Response:
    """The position after move `ply` for these eyes. Raises `NotFound`."""
    last = len(shown.story.happened)
    if shown.page["view"] is None or not 0 <= ply <= last:
        raise NotFound(_("this game has not reached that move"))
    seen = board_view.of_game(store(), shown.game_id, eyes, ply, let_in=door.by_link)
    story = shown.story
    turn = next((one for one in story.turns if one.began < ply and (one.ended is None or ply <= one.ended)), None)
    layout = board_cache.layout()
    boards = board_cache.boards(door, replace(shown, draft=None), seen.view, layout)  # nothing is played there
    return rendering.page(
        "game/position",
        door=door,
        game={**shown.page, "name": spoken(shown.page["name"])},
        ply=ply,
        last=last,
        layout=layout,
        boards={name: Markup(board) for name, board in boards.items()},  # noqa: S704 - ours
        told=story.between(ply - 1, ply) if ply else [],
        lines=log_panel.lines,
        turn=None
        if turn is None
        else {
            "name": shown.names[turn.seat],
            "round": turn.round,
            "moves": story.between(turn.began, turn.ended),
        },
        turns=_turns(shown, ply),
        seats=seats_panel.html(shown, seen.view, past=True),
    )


def _turns(shown: TurnPage, ply: int) -> dict[str, int | None]:
    """The ends of the turns before and after `ply`."""
    ends = [0, *(turn.ended for turn in shown.story.turns if turn.ended is not None)]
    return {
        "before": max((end for end in ends if end < ply), default=None),
        "after": min((end for end in ends if end > ply), default=None),
    }
