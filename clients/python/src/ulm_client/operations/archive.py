"""Finished games: records, positions, analyses, comments, puzzles."""

from __future__ import annotations

from typing import TypedDict, Unpack

from ulm_client import types
from ulm_client.drivers import Operation, Stream
from ulm_client.operations.calls import BASE, Calls, Drawing, Writing
from ulm_client.steps import Items, Steps, request, rows


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


class Archive(Calls):
    """Finished games: records, positions, analyses, comments, puzzles."""

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
    def comments(self, game_id: str) -> Steps[types.Comments]:
        """Read what is written about the moves of a finished game."""
        return self._ask("GET", "/replays/{game_id}/comments", locals())

    @Operation
    def comment(self, game_id: str, ply: int, text: str) -> Steps[types.Comment]:
        """Write about a move of a finished game."""
        return self._ask("POST", "/replays/{game_id}/comments", locals())

    @Operation
    def remove_comment(self, game_id: str, comment_id: str) -> Steps[None]:
        """Take a comment away."""
        return self._ask("DELETE", "/replays/{game_id}/comments/{comment_id}", locals())

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
