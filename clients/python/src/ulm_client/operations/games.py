"""Games under way: making them, sitting down, playing, talking, following them."""

from __future__ import annotations

from typing import Literal, Unpack

from ulm_client import types
from ulm_client.drivers import Operation, Stream
from ulm_client.operations.calls import BASE, Calls, Drawing, Writing
from ulm_client.steps import Event, Items, Steps, events, request

OVER = ("finished", "abandoned")


class Games(Calls):
    """Games under way: making them, sitting down, playing, talking, following them."""

    @Stream
    def games(
        self,
        *,
        status: types.GameStatus | None = None,
        player: str | None = None,
        to_move: Literal["me"] | None = None,
        sort: types.GameSort | None = None,
    ) -> Items[types.ListedGame]:
        """List games, newest first or by deadline (those of a player); `player` is an id or `me`, `to_move` `me`."""
        return self._pages("/games", locals())

    @Operation
    def game(self, game_id: str, *, invitation: str | None = None) -> Steps[types.Game]:
        """Read a game as the caller may see it."""
        return self._ask("GET", "/games/{game_id}", locals())

    @Operation
    def create_game(self, **values: Unpack[types.NewGame]) -> Steps[types.Game]:
        """Make a game and take its seat 0."""
        return self._ask("POST", "/games", values)

    @Operation
    def join(self, game_id: str, **values: Unpack[types.Join]) -> Steps[types.Game]:
        """Take a seat; the game starts when all are taken."""
        return self._ask("POST", "/games/{game_id}/players", {"game_id": game_id, **values})

    @Operation
    def leave(self, game_id: str) -> Steps[None]:
        """Leave a game that has not started."""
        return self._ask("DELETE", "/games/{game_id}/players/me", locals())

    @Operation
    def add_bots(self, game_id: str, **values: Unpack[types.Fill]) -> Steps[types.Game]:
        """Let bots take the free seats of a game that the caller made."""
        return self._ask("POST", "/games/{game_id}/bots", {"game_id": game_id, **values})

    @Operation
    def invite(self, game_id: str, **values: Unpack[types.NewInvitation]) -> Steps[types.Invitation]:
        """Invite an address, or a player by their id."""
        return self._ask("POST", "/games/{game_id}/invitations", {"game_id": game_id, **values})

    @Operation
    def rematch(self, game_id: str) -> Steps[types.Game]:
        """Open a private game like this one, which is over, for the same players."""
        return self._ask("POST", "/games/{game_id}/rematch", locals())

    @Operation
    def messages(self, game_id: str, *, since: int | None = None) -> Steps[list[types.Message]]:
        """Read what the players of a game write to each other."""
        return self._ask("GET", "/games/{game_id}/messages", locals())

    @Operation
    def write_message(self, game_id: str, text: str) -> Steps[types.Message]:
        """Write to the others."""
        return self._ask("POST", "/games/{game_id}/messages", locals())

    @Operation
    def note(self, game_id: str) -> Steps[types.Note]:
        """Read the own note on a game."""
        return self._ask("GET", "/games/{game_id}/note", locals())

    @Operation
    def set_note(self, game_id: str, note: str) -> Steps[types.Note]:
        """Write the own note on a game anew."""
        return self._ask("PUT", "/games/{game_id}/note", locals())

    @Operation
    def notices(self, game_id: str) -> Steps[types.Notices]:
        """Read when the caller hears of this game."""
        return self._ask("GET", "/games/{game_id}/notices", locals())

    @Operation
    def set_notices(self, game_id: str, **values: Unpack[types.ChangedNotices]) -> Steps[types.Notices]:
        """Choose when to hear of this game; None: as the preferences say."""
        return self._ask("PUT", "/games/{game_id}/notices", {"game_id": game_id, **values})

    @Operation
    def wish_pause(self, game_id: str) -> Steps[types.Game]:
        """Wish for a pause; the clock stops when all players do."""
        return self._ask("POST", "/games/{game_id}/pause", locals())

    @Operation
    def end_pause(self, game_id: str) -> Steps[types.Game]:
        """Wish for no pause; one that holds ends."""
        return self._ask("DELETE", "/games/{game_id}/pause", locals())

    @Operation
    def come_back(self, game_id: str) -> Steps[types.Game]:
        """Play the own seat again, after turns that took too long."""
        return self._ask("POST", "/games/{game_id}/return", locals())

    @Operation
    def propose(self, game_id: str, **values: Unpack[types.NewProposal]) -> Steps[types.Game]:
        """Propose something that all players of a running game have to agree on."""
        return self._ask("POST", "/games/{game_id}/proposal", {"game_id": game_id, **values})

    @Operation
    def answer_proposal(self, game_id: str, **values: Unpack[types.AnswerToProposal]) -> Steps[types.Game]:
        """Agree to what was proposed, or not."""
        return self._ask("PUT", "/games/{game_id}/proposal", {"game_id": game_id, **values})

    @Operation
    def legal_moves(self, game_id: str) -> Steps[types.LegalMoves]:
        """List the caller's legal moves; none when it is not their turn."""
        return self._ask("GET", "/games/{game_id}/legal-moves", locals())

    @Operation
    def moves(self, game_id: str, *, since: int | None = None) -> Steps[types.Log]:
        """Read the log as the caller may see it."""
        return self._ask("GET", "/games/{game_id}/moves", locals())

    @Operation
    def play(
        self, game_id: str, ply: int, moves: list[str], *, include: list[types.Include] | None = None
    ) -> Steps[types.Played]:
        """Play moves, up to the first that reveals something. `include` says what the answer tells besides."""
        given = {"game_id": game_id, "ply": ply, "moves": moves}
        return self._ask("POST", "/games/{game_id}/moves", given, query={"include": include})

    @Operation
    def preview(self, game_id: str, ply: int, moves: list[str]) -> Steps[types.Played]:
        """Try moves without storing them."""
        return self._ask("POST", "/games/{game_id}/preview", locals())

    @Operation
    def undo(self, game_id: str, ply: int) -> Steps[types.Undone]:
        """Go back to a ply of the own turn."""
        return self._ask("POST", "/games/{game_id}/undo", locals())

    @Operation
    def hint(self, game_id: str) -> Steps[types.Hint]:
        """Read the hint that the caller asked for."""
        return self._ask("GET", "/games/{game_id}/hint", locals())

    @Operation
    def ask_hint(self, game_id: str) -> Steps[types.Hint]:
        """Ask what the journeyman would play."""
        return self._ask("POST", "/games/{game_id}/hint", locals())

    @Operation
    def board_picture(self, game_id: str, **values: Unpack[Drawing]) -> Steps[str]:
        """Draw the board of a game as the caller may see it, as SVG."""
        return self._ask("GET", "/games/{game_id}/board.svg", {"game_id": game_id, **values}, accept="image/svg+xml")

    @Operation
    def board_text(self, game_id: str, **values: Unpack[Writing]) -> Steps[str]:
        """Write the board of a game as the caller may see it."""
        return self._ask("GET", "/games/{game_id}/board.txt", {"game_id": game_id, **values}, accept="text/plain")

    @Stream
    def events(self, game_id: str | None = None, *, include: list[types.Include] | None = None) -> Items[Event]:
        """Follow a game until it is over; without one all games of the caller, for ever. After a break, or where the
        stream ends as streams do, it goes on where it was. `include` says what is told besides."""
        return self._events(game_id, include)

    def _events(self, game_id: str | None, include: list[types.Include] | None) -> Items[Event]:
        path = "/games/{game_id}/events" if game_id else "/events"
        send = request("GET", BASE + path, {"game_id": game_id} if game_id else {}, query={"include": include})
        return events(send, self.patience, lambda event: bool(game_id) and event.data.get("status") in OVER)
