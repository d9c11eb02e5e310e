"""The two ways to a game: a session, which may do what its player may, and the link of a mail, good for one turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import url_for

from server.routes.http import browser_session
from server.routes.pages.shared import forms
from server.service.accounts.players import Player
from server.service.views import drafts


@dataclass(frozen=True, slots=True)
class GameAccess:
    """How the reader of a game's page came in, and with that: what its forms are bound to and where they lead."""

    here: str
    """The path of the page; what belongs to it lies below."""
    secret: str
    """What its forms are bound to (`forms.guard`, `forms.form_token`)."""
    player: Player | None
    """Who came in; None: a stranger."""
    by_link: bool
    """By the link of a mail: to the turn, the log and the messages, to nothing else."""

    def to(self, part: str) -> str:
        """The path of what lies below the page: `access.to("messages")`."""
        return f"{self.here}/{part}"

    def draft(self, ply: int, moves: Sequence[str], ask: str | None = None) -> str:
        """The address of a draft; `ask` is a move that is put to the player above all others."""
        asked = {"ply": str(ply)}
        if moves:
            asked["draft"] = drafts.write(list(moves))
        if ask is not None:
            asked["ask"] = ask
        return f"{self.here}?{urlencode(asked, safe=',')}" if moves or ask is not None else self.here


def session_access(game_id: str) -> GameAccess:
    """The access of who is signed in, or of a stranger who comes to look."""
    here = url_for("game-pages.game", game_id=game_id)
    return GameAccess(here, browser_session.session_secret() or forms.NOBODY, browser_session.visitor(), by_link=False)


def link_access(token: str, player: Player | None = None) -> GameAccess:
    """The access of a turn's link; `player` is whom the link is for, once that is known."""
    return GameAccess(url_for("turn-pages.turn", token=token), token, player, by_link=True)
