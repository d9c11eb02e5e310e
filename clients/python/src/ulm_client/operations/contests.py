"""Ratings, the deals of the days, tournaments."""

from __future__ import annotations

from typing import Unpack

from ulm_client import types
from ulm_client.drivers import Operation
from ulm_client.operations.calls import Calls
from ulm_client.steps import Steps


class Contests(Calls):
    """Ratings, the deals of the days, tournaments."""

    @Operation
    def player_ratings(self, player_id: str) -> Steps[list[types.RatingCourse]]:
        """Read the ratings of a player, or of a bot of the house by its name, and how they came."""
        return self._ask("GET", "/players/{player_id}/ratings", locals())

    @Operation
    def ratings(self, variant: types.Variant, seats: int) -> Steps[list[types.RankedPlayer]]:
        """List who plays a kind of game best."""
        return self._ask("GET", "/ratings", locals())

    @Operation
    def deal(self, which: str = "today") -> Steps[types.DayDeal]:
        """Read the deal of a day, and its field."""
        return self._ask("GET", "/deals/{which}", locals())

    @Operation
    def play_deal(self) -> Steps[types.Game]:
        """Begin the deal of today, once."""
        return self._ask("POST", "/deals/today/games")

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
    def call_off_tournament(self, tournament_id: str) -> Steps[types.Tournament]:
        """Call a tournament off, as its organiser, before it starts."""
        return self._ask("DELETE", "/tournaments/{tournament_id}", locals())

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
