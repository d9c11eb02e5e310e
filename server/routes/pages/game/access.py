"""The two ways to a game: a session, which may do what its player may, and the link of a mail, good for one turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import url_for

from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.shared import forms
from server.service.accounts.players import Player
from server.service.common.errors import Forbidden
from server.service.views import drafts, turn_page
from server.service.views.turn_page import TurnPage


@dataclass(frozen=True, slots=True)
class GameAccess:
    """How the reader of a game's page came in, and with that: what its forms are bound to and where they lead."""

    here: str
    """The path of the page; what belongs to it lies below."""
    secret: str = ""
    """What its forms are bound to (`forms.guard`, `forms.form_token`); by a link: its token."""
    player: Player | None = None
    """Who came in; None: a stranger."""
    game_id: str = ""
    by_link: bool = False
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

    def look(self, ply: int | None = None, moves: list[str] | None = None) -> TurnPage:
        """What the page shows. Raises as `turn_page.page_of_link` and `page_of_game`."""
        if self.by_link:
            return turn_page.page_of_link(store(), self.secret, now(), ply, moves)
        return turn_page.page_of_game(store(), self.game_id, self.player, ply, moves)

    def eyes(self) -> Player | None:
        """Through whose eyes the page is seen. Of a link whose turn is over: a spectator's."""
        return turn_page.eyes(store(), self.secret, now())[1] if self.by_link else self.player

    def holder(self) -> tuple[Player, str]:
        """Who may act here, and the game's id. Raises `Forbidden` for a stranger, and as `turn_page.holder`."""
        if self.by_link:
            return turn_page.holder(store(), self.secret, now())
        if self.player is None:
            raise Forbidden(_("sign in first"))
        return self.player, self.game_id


def access_by(game_id: str = "", token: str = "") -> GameAccess:
    """The access of who holds the link of a turn, else of who is signed in, or of a stranger who comes to look."""
    if token:
        return GameAccess(url_for("game-pages.turn", token=token), token, by_link=True)
    secret = browser_session.session_secret() or forms.NOBODY
    return GameAccess(url_for("game-pages.game", game_id=game_id), secret, browser_session.visitor(), game_id)
