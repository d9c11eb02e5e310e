"""What a client can do: one method for each operation of the API, and the turns of a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, Unpack

from ulm_client import types
from ulm_client.drivers import Operation, Stream
from ulm_client.steps import Event, Items, Steps, ask, events, pages, request, rows

BASE = "/api/v1"
OVER = ("finished", "abandoned")


class ReplayFilter(TypedDict, total=False):
    """Which finished games are meant."""

    player: str
    winner: str
    """As `player`, an id or `me`."""
    seats: int
    tower: bool
    rotate_start: bool
    origin: types.Origin
    from_: str
    """The first day, in UTC, on which they ended."""
    to: str
    """The last one."""
    score_min: int
    """Of the winner."""
    score_max: int


class CorpusFilter(ReplayFilter, total=False):
    """Which records are read at once."""

    deal: str
    """Of games of this deal alone, by its id."""


class Drawing(TypedDict, total=False):
    """How a board is drawn (docs/board.md)."""

    ply: int
    theme: types.BoardTheme
    size: int
    layout: types.BoardLayout
    language: types.Language


class Writing(TypedDict, total=False):
    """How a board is written (docs/board.md)."""

    ply: int
    width: int
    full: bool
    ascii: bool
    language: types.Language


class Operations:
    """The methods that `Client` and `AsyncClient` share. What they return has the types of `ulm_client.types`.

    Each raises `RefusedError` (`IllegalMoveError` for a move), or `NoAnswerError`. What passes they wait out.
    """

    patience: float

    def _ask(self, method: str, path: str, values: Mapping[str, Any] | None = None, **more: Any) -> Steps[Any]:
        return ask(request(method, BASE + path, values or {}, **more), self.patience)

    def _pages(self, path: str, values: Mapping[str, Any] | None = None) -> Items[Any]:
        """Lists are read to their end, in pages as large as there are."""
        return pages(request("GET", BASE + path, {"page_size": 100, **(values or {})}), self.patience)

    # Accounts

    @Operation
    def create_player(self, **values: Unpack[types.NewPlayer]) -> Steps[types.CreatedPlayer]:
        """Make an account: the answer holds its token, this once."""
        return self._ask("POST", "/players", values)

    @Operation
    def find_players(self, name: str) -> Steps[list[types.FoundPlayer]]:
        """Find players by the beginning of their names, at most 20."""
        return self._ask("GET", "/players", locals())

    @Operation
    def player(self, player_id: str) -> Steps[types.PlayerPage]:
        """Read the page of a player, or of a bot of the house by its name."""
        return self._ask("GET", "/players/{player_id}", locals())

    @Operation
    def player_ratings(self, player_id: str) -> Steps[list[types.RatingCourse]]:
        """Read the ratings of a player, or of a bot of the house by its name, and how they came."""
        return self._ask("GET", "/players/{player_id}/ratings", locals())

    @Operation
    def ratings(self, variant: types.Variant, seats: int) -> Steps[list[types.RankedPlayer]]:
        """List who plays a kind of game best."""
        return self._ask("GET", "/ratings", locals())

    @Operation
    def me(self) -> Steps[types.Profile]:
        """Read the own profile and preferences."""
        return self._ask("GET", "/players/me")

    @Operation
    def change_me(self, **values: Unpack[types.ChangedProfile]) -> Steps[types.Profile]:
        """Change name, address or preferences; what is left out stays."""
        return self._ask("PATCH", "/players/me", values)

    @Operation
    def delete_me(self) -> Steps[None]:
        """Delete the own account, for ever and at once."""
        return self._ask("DELETE", "/players/me")

    @Operation
    def my_data(self) -> Steps[types.Export]:
        """Read all that the server keeps about the caller."""
        return self._ask("GET", "/players/me/export")

    @Operation
    def resend_confirmation(self) -> Steps[None]:
        """Have the mail sent once more that asks to confirm the own address."""
        return self._ask("POST", "/players/me/confirmation")

    @Operation
    def confirm_address(self, token: str) -> Steps[None]:
        """Confirm the own address with what the mail's link ends with."""
        return self._ask("PUT", "/players/me/confirmation", locals())

    @Operation
    def tokens(self) -> Steps[list[types.Token]]:
        """List the own tokens, without themselves."""
        return self._ask("GET", "/players/me/tokens")

    @Operation
    def create_token(self, **values: Unpack[types.NewToken]) -> Steps[types.CreatedToken]:
        """Make a further token; it is shown this once."""
        return self._ask("POST", "/players/me/tokens", values)

    @Operation
    def rename_token(self, token_id: str, name: str) -> Steps[types.Token]:
        """Give a token another name."""
        return self._ask("PATCH", "/players/me/tokens/{token_id}", locals())

    @Operation
    def revoke_token(self, token_id: str) -> Steps[None]:
        """Revoke a token for ever."""
        return self._ask("DELETE", "/players/me/tokens/{token_id}", locals())

    @Operation
    def sessions(self) -> Steps[list[types.Session]]:
        """List the browsers in which the caller is signed in."""
        return self._ask("GET", "/players/me/sessions")

    @Operation
    def end_session(self, session_id: str) -> Steps[None]:
        """Sign a browser out."""
        return self._ask("DELETE", "/players/me/sessions/{session_id}", locals())

    @Operation
    def contacts(self) -> Steps[list[types.Contact]]:
        """List friends, and whom the caller has muted or blocked."""
        return self._ask("GET", "/players/me/contacts")

    @Operation
    def set_contact(self, player_id: str, kind: types.ContactKind) -> Steps[types.Contact]:
        """Make a player a friend, or mute or block them."""
        return self._ask("PUT", "/players/me/contacts/{player_id}", locals())

    @Operation
    def forget_contact(self, player_id: str) -> Steps[None]:
        """Let a player be neither friend, nor muted, nor blocked."""
        return self._ask("DELETE", "/players/me/contacts/{player_id}", locals())

    @Operation
    def opponents(self) -> Steps[list[types.Opponent]]:
        """List whom the caller may wish to play with."""
        return self._ask("GET", "/players/me/opponents")

    @Operation
    def invitations(self) -> Steps[list[types.OwnInvitation]]:
        """List the open games to which the caller was invited by name."""
        return self._ask("GET", "/players/me/invitations")

    @Operation
    def decline_invitation(self, game_id: str) -> Steps[None]:
        """Decline an invitation by name."""
        return self._ask("DELETE", "/players/me/invitations/{game_id}", locals())

    @Operation
    def vacations(self) -> Steps[list[types.Vacation]]:
        """List the own vacations of this year and later."""
        return self._ask("GET", "/players/me/vacations")

    @Operation
    def create_vacation(self, **values: Unpack[types.NewVacation]) -> Steps[types.Vacation]:
        """Enter a vacation: deadlines move with it."""
        return self._ask("POST", "/players/me/vacations", values)

    @Operation
    def end_vacation(self, vacation_id: str) -> Steps[None]:
        """Remove a vacation to come, or end the one under way."""
        return self._ask("DELETE", "/players/me/vacations/{vacation_id}", locals())

    @Operation
    def channels(self) -> Steps[list[types.Channel]]:
        """List where news of the own games go beside mail."""
        return self._ask("GET", "/players/me/channels")

    @Operation
    def create_channel(self, **values: Unpack[types.NewChannel]) -> Steps[types.CreatedChannel]:
        """Send news of the own games to an address."""
        return self._ask("POST", "/players/me/channels", values)

    @Operation
    def try_channel(self, channel_id: str) -> Steps[None]:
        """Send a trial, one a minute at most."""
        return self._ask("POST", "/players/me/channels/{channel_id}/trials", locals())

    @Operation
    def delete_channel(self, channel_id: str) -> Steps[None]:
        """Send nothing there any more."""
        return self._ask("DELETE", "/players/me/channels/{channel_id}", locals())

    # Bots

    @Operation
    def bots(self) -> Steps[list[types.Bot]]:
        """List the bots of the house, from the weakest on."""
        return self._ask("GET", "/bots")

    @Stream
    def bot_accounts(self) -> Items[types.BotAccount]:
        """List the bots with accounts that take games."""
        return self._pages("/bots/accounts")

    @Operation
    def my_bots(self) -> Steps[list[types.BotAccount]]:
        """List the own bots."""
        return self._ask("GET", "/players/me/bots")

    @Operation
    def create_bot(self, **values: Unpack[types.NewBot]) -> Steps[types.BotWithToken]:
        """Make a bot that the caller owns; its token is shown this once."""
        return self._ask("POST", "/players/me/bots", values)

    @Operation
    def my_bot(self, handle: str) -> Steps[types.BotAccount]:
        """Read one of the own bots."""
        return self._ask("GET", "/players/me/bots/{handle}", locals())

    @Operation
    def change_bot(self, handle: str, **values: Unpack[types.ChangedBot]) -> Steps[types.BotAccount]:
        """Give a bot another name, or change which games it takes."""
        return self._ask("PATCH", "/players/me/bots/{handle}", {"handle": handle, **values})

    @Operation
    def delete_bot(self, handle: str) -> Steps[None]:
        """Delete a bot, for ever and at once."""
        return self._ask("DELETE", "/players/me/bots/{handle}", locals())

    @Operation
    def renew_bot_token(self, handle: str) -> Steps[types.BotWithToken]:
        """Give a bot another token; the one before ends."""
        return self._ask("POST", "/players/me/bots/{handle}/token", locals())

    # Games

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

    # Moves

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

    # Finished games

    @Stream
    def replays(self, **values: Unpack[ReplayFilter]) -> Items[types.Replay]:
        """List finished and imported games, newest first."""
        return self._pages("/replays", values)

    @Stream
    def export(self, **values: Unpack[CorpusFilter]) -> Items[types.RecordLine]:
        """Read the records of all these games in one answer; where it breaks off it goes on behind the last one."""
        send = request("GET", f"{BASE}/replays/export", values)
        return rows(send, self.patience, lambda row: {"after": row["replay"]["after"]})

    @Operation
    def statistics(self, **values: Unpack[ReplayFilter]) -> Steps[types.Statistics]:
        """Read what public finished games add up to."""
        return self._ask("GET", "/replays/statistics", values)

    @Operation
    def replay(self, game_id: str) -> Steps[types.Replay]:
        """Read who played and how it ended."""
        return self._ask("GET", "/replays/{game_id}", locals())

    @Operation
    def record(self, game_id: str) -> Steps[types.Record]:
        """Read the whole record (docs/record.md), seed and digests among it."""
        return self._ask("GET", "/replays/{game_id}/record", locals())

    @Operation
    def state(self, game_id: str, ply: int, *, seat: int | None = None) -> Steps[types.ReplayState]:
        """Read the position at a ply, whole or as a seat saw it."""
        return self._ask("GET", "/replays/{game_id}/states/{ply}", locals())

    @Operation
    def timeline(self, game_id: str) -> Steps[types.Timeline]:
        """Read for each ply who did what, and the points of all."""
        return self._ask("GET", "/replays/{game_id}/timeline", locals())

    @Operation
    def branch(self, game_id: str, **values: Unpack[types.Branch]) -> Steps[types.Game]:
        """Make a sandbox that goes on from a ply."""
        return self._ask("POST", "/replays/{game_id}/branches", {"game_id": game_id, **values})

    @Operation
    def comments(self, game_id: str, *, ply: int | None = None) -> Steps[types.Comments]:
        """Read what is written about the moves of a finished game, up to a ply."""
        return self._ask("GET", "/replays/{game_id}/comments", locals())

    @Operation
    def comment(self, game_id: str, ply: int, text: str) -> Steps[types.Comment]:
        """Write about a move of a finished game."""
        return self._ask("POST", "/replays/{game_id}/comments", locals())

    @Operation
    def let_others_comment(self, game_id: str, others: bool) -> Steps[types.Comments]:
        """Let those write about a game who did not sit there, or not any more."""
        return self._ask("PUT", "/replays/{game_id}/comments", locals())

    @Operation
    def remove_comment(self, game_id: str, comment_id: str) -> Steps[None]:
        """Take a comment away."""
        return self._ask("DELETE", "/replays/{game_id}/comments/{comment_id}", locals())

    @Stream
    def collections(self, *, player: str | None = None) -> Items[types.ListedCollection]:
        """Collections of replays: the public ones, or those of an author (`me`: all of the own)."""
        return self._pages("/collections", {"player": player})

    @Operation
    def collection(self, collection_id: str) -> Steps[types.Collection]:
        """Read a collection with its games."""
        return self._ask("GET", "/collections/{collection_id}", locals())

    @Operation
    def new_collection(self, **values: Unpack[types.NewCollection]) -> Steps[types.Collection]:
        """Put finished games together, with a text."""
        return self._ask("POST", "/collections", values)

    @Operation
    def change_collection(self, collection_id: str, **values: Unpack[types.NewCollection]) -> Steps[types.Collection]:
        """Write a collection anew."""
        return self._ask("PUT", "/collections/{collection_id}", {"collection_id": collection_id, **values})

    @Operation
    def delete_collection(self, collection_id: str) -> Steps[None]:
        """Delete a collection; its games stay."""
        return self._ask("DELETE", "/collections/{collection_id}", locals())

    @Operation
    def collection_page(
        self, collection_id: str, *, theme: str | None = None, language: types.Language | None = None
    ) -> Steps[str]:
        """Read a collection as one page that needs no network."""
        return self._ask("GET", "/collections/{collection_id}/export.html", locals(), accept="text/html")

    @Operation
    def analysis(self, game_id: str) -> Steps[types.Analysis | types.AnalysisUnderWay]:
        """Read what luck and what skill made of a game."""
        return self._ask("GET", "/replays/{game_id}/analysis", locals())

    @Operation
    def ask_analysis(self, game_id: str) -> Steps[types.Analysis | types.AnalysisUnderWay]:
        """Ask for the analysis of a finished game."""
        return self._ask("POST", "/replays/{game_id}/analysis", locals())

    @Stream
    def puzzles(self, *, before: str | None = None) -> Items[types.PuzzleDay]:
        """List the days that had a puzzle, newest first."""
        return self._pages("/puzzles", locals())

    @Operation
    def puzzle(self, which: str = "today", *, moves: str | None = None) -> Steps[types.Puzzle]:
        """Read a puzzle by its id or day, with moves that are tried."""
        return self._ask("GET", "/puzzles/{which}", locals())

    @Operation
    def answer_puzzle(self, which: str, moves: list[str]) -> Steps[types.PuzzleVerdict]:
        """Say which turn is best, and hear whether it is."""
        return self._ask("POST", "/puzzles/{which}/answer", locals())

    @Stream
    def deals(self, *, before: str | None = None) -> Items[types.PastDay]:
        """List the days whose deals are revealed, newest first."""
        return self._pages("/deals", locals())

    @Operation
    def deal(self, which: str = "today") -> Steps[types.DayDeal]:
        """Read the deal of a day, and its field."""
        return self._ask("GET", "/deals/{which}", locals())

    @Operation
    def play_deal(self) -> Steps[types.Game]:
        """Begin the deal of today, once."""
        return self._ask("POST", "/deals/today/games")

    @Operation
    def deal_month(self, month: str) -> Steps[list[types.MonthLine]]:
        """Read who has beaten how much in the days of a month."""
        return self._ask("GET", "/deals/months/{month}", locals())

    @Operation
    def tournaments(self) -> Steps[list[types.TournamentSummary]]:
        """List the newest tournaments, those that can be entered first."""
        return self._ask("GET", "/tournaments")

    @Operation
    def tournament(self, tournament_id: str) -> Steps[types.Tournament]:
        """Read who is in a tournament, with their places, its tables and its deals."""
        return self._ask("GET", "/tournaments/{tournament_id}", locals())

    @Operation
    def open_tournament(self, **values: Unpack[types.NewTournament]) -> Steps[types.Tournament]:
        """Open a tournament, to be entered."""
        return self._ask("POST", "/tournaments", values)

    @Operation
    def enter_tournament(self, tournament_id: str, *, bot: str | None = None) -> Steps[types.Tournament]:
        """Enter a tournament, or as its organiser let a bot enter."""
        return self._ask("POST", "/tournaments/{tournament_id}/entries", locals())

    @Operation
    def leave_tournament(self, tournament_id: str, number: int) -> Steps[types.Tournament]:
        """Leave a tournament, or as its organiser take somebody out."""
        return self._ask("DELETE", "/tournaments/{tournament_id}/entries/{number}", locals())

    @Operation
    def start_tournament(self, tournament_id: str) -> Steps[types.Tournament]:
        """Begin the first round."""
        return self._ask("POST", "/tournaments/{tournament_id}/start", locals())

    @Operation
    def next_season(self, tournament_id: str, *, size: int = 8) -> Steps[types.Tournament]:
        """Open the next season of a league, in divisions of `size`."""
        return self._ask("POST", "/tournaments/{tournament_id}/season", locals())

    @Operation
    def tournament_records(self, tournament_id: str) -> Steps[str]:
        """Read the records of all games that count, one in a line."""
        return self._ask("GET", "/tournaments/{tournament_id}/records", locals(), accept="application/x-ndjson")

    @Operation
    def problems(self) -> Steps[list[types.ProblemType]]:
        """List the kinds of errors: what each means, and what to do."""
        return self._ask("GET", "/problems")

    @Operation
    def problem(self, kind: str) -> Steps[types.ProblemType]:
        """Read what errors of a kind mean."""
        return self._ask("GET", "/problems/{kind}", locals())

    @Operation
    def import_record(self, record: types.Record) -> Steps[types.Replay]:
        """Check a record (docs/record.md) and keep it among the finished games."""
        return self._ask("POST", "/replays", record)

    @Operation
    def verify(self, record: types.Record) -> Steps[types.Verdict]:
        """Check a record; nothing is kept."""
        return self._ask("POST", "/replays/verify", record)

    @Stream
    def states(
        self, game_id: str, *, seat: int | None = None, from_: int | None = None, to: int | None = None
    ) -> Items[types.ReplayState]:
        """Read the positions of many plies, whole or as a seat saw them."""
        send = request("GET", f"{BASE}/replays/{{game_id}}/states", locals())
        return rows(send, self.patience, lambda row: {"from": row["ply"] + 1})

    # Pictures and pages

    @Operation
    def board_picture(self, game_id: str, **values: Unpack[Drawing]) -> Steps[str]:
        """Draw the board of a game as the caller may see it, as SVG."""
        return self._ask("GET", "/games/{game_id}/board.svg", {"game_id": game_id, **values}, accept="image/svg+xml")

    @Operation
    def board_text(self, game_id: str, **values: Unpack[Writing]) -> Steps[str]:
        """Write the board of a game as the caller may see it."""
        return self._ask("GET", "/games/{game_id}/board.txt", {"game_id": game_id, **values}, accept="text/plain")

    @Operation
    def replay_picture(self, game_id: str, *, seat: int | None = None, **values: Unpack[Drawing]) -> Steps[str]:
        """Draw the board at a ply of a finished game, with everything open or as a seat saw it, as SVG."""
        given = {"game_id": game_id, "seat": seat, **values}
        return self._ask("GET", "/replays/{game_id}/board.svg", given, accept="image/svg+xml")

    @Operation
    def replay_text(self, game_id: str, *, seat: int | None = None, **values: Unpack[Writing]) -> Steps[str]:
        """Write the board at a ply of a finished game, with everything open or as a seat saw it."""
        given = {"game_id": game_id, "seat": seat, **values}
        return self._ask("GET", "/replays/{game_id}/board.txt", given, accept="text/plain")

    @Operation
    def replay_page(
        self, game_id: str, *, seat: int | None = None, theme: str | None = None, language: types.Language | None = None
    ) -> Steps[str]:
        """Read the whole game as one HTML page that steps through it without a network."""
        return self._ask("GET", "/replays/{game_id}/export.html", locals(), accept="text/html")

    @Operation
    def replay_animation(
        self,
        game_id: str,
        *,
        seat: int | None = None,
        theme: types.BoardTheme | None = None,
        language: types.Language | None = None,
        width: int | None = None,
        each: types.FrameEach | None = None,
    ) -> Steps[bytes]:
        """Read the game as an animated GIF, where the server can make one."""
        return self._ask("GET", "/replays/{game_id}/export.gif", locals(), accept="image/gif")

    # The server

    @Operation
    def index(self) -> Steps[types.Index]:
        """Read version, rulesets, and where the description and the lists begin."""
        return self._ask("GET", "")

    @Operation
    def alive(self) -> Steps[types.Health]:
        """Hear that the process answers."""
        return ask(request("GET", "/healthz", {}), self.patience)

    @Operation
    def ready(self) -> Steps[types.Health]:
        """Hear that the database can be read and written to."""
        return ask(request("GET", "/readyz", {}), self.patience)

    # Following games

    @Stream
    def events(self, game_id: str | None = None, *, include: list[types.Include] | None = None) -> Items[Event]:
        """Follow a game until it is over; without one all games of the caller, for ever. After a break, or where the
        stream ends as streams do, it goes on where it was. `include` says what is told besides."""
        return self._events(game_id, include)

    def _events(self, game_id: str | None, include: list[types.Include] | None) -> Items[Event]:
        path = "/games/{game_id}/events" if game_id else "/events"
        send = request("GET", BASE + path, {"game_id": game_id} if game_id else {}, query={"include": include})
        return events(send, self.patience, lambda event: bool(game_id) and event.data.get("status") in OVER)
