"""What a picture of a game shows: the newest position, or an earlier one, for the caller's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from server.engine import rulesets
from server.engine.errors import UlmError
from server.engine.replaying import end_of, seen
from server.engine.ulm1.shapes import View
from server.engine.ulm1.turn import END, RESIGN
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import NotFound
from server.service.games import loading, move_log
from server.storage import sql
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class Seen:
    """A position as somebody saw it: view, seat (None: a spectator), names; `fixed` for the present `edition`."""

    view: View
    seat: int | None
    names: list[str]
    fixed: bool
    edition: str


def of_game(store: Store, game_id: str, player: Player | None, ply: int | None = None, let_in: bool = False) -> Seen:
    """A started game for the caller's eyes: as it stands, or as they saw it when `ply` of their log was the newest.
    `let_in`: they have shown a link to it. Raises `NotFound`, also for a ply not seen and a game not started."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        if not let_in:
            game.require_visible(player)
        if game.state is None:
            raise NotFound(_("this game has not started: there is no board yet"))
        seat = game.seat_of(player)
        newest = game.seen_by(seat)
        if ply is not None and not 0 <= ply <= newest.ply:
            raise NotFound(_("the moves of this game are 0 to %(last)s", last=newest.ply))
        over = game.status in ("finished", "abandoned")
        if ply is None or ply == newest.ply:
            # Of a running game the newest ply may yet be taken back, and come again as another.
            return Seen(game.rules.view(newest, seat), seat, game.names, over, game.edition)
        # No entry beyond what the caller sees is looked at: neither answer nor time can tell of it.
        entries = move_log.told_log(store, game, seat)
        first = loading.first_state(store, game)
    state, hidden = end_of(first, entries[:ply])
    # Undo goes back to the beginning of a turn at most, so what lies before the last `end` stays. But a resignation may
    # stand elsewhere when the game is over and its log that of the record.
    resigned = ply > 0 and entries[ply - 1].move == RESIGN
    fixed = over or (not resigned and any(entry.move == END for entry in entries[ply:]))
    return Seen(seen(state, hidden, seat), seat, game.names, fixed, game.edition)


_NO_SEED = bytes(32)
# Behind a hidden draw others see the position before it.
_POSITIONS = """
    SELECT g.id, g.ruleset, COALESCE(s."before", s.state) FROM game g
    JOIN snapshot s ON s.game_id = g.id AND s.ply = g.ply
    WHERE g.started_at IS NOT NULL AND g.id IN """


@dataclass(frozen=True, slots=True)
class Glance:
    """Where a game stands. `round` is the last one when the game is over."""

    round: int
    rounds: int
    points: tuple[int, ...]  # shown points by seat; after the final scoring those with it
    square: tuple[str, ...]  # the colours of the nine tiles, row by row; the second row's middle is the tower's


def glances(store: Store, game_ids: Sequence[str]) -> dict[str, Glance]:
    """The glances of those of these games that have a stored position. The caller has asked who may see them."""
    rows = sql.rows(store, _POSITIONS + sql.marks(game_ids), *game_ids)
    glances = {game: _glance(ruleset, text) for game, ruleset, text in rows}
    return {game: glance for game, glance in glances.items() if glance is not None}


def _glance(ruleset: str, text: str) -> Glance | None:
    """The glance at a position; None for one that cannot be read: a cache that cannot be read is no cache."""
    try:
        rules = rulesets.rules_for(ruleset)
        view = rules.view(rules.state_from_dict(orjson.loads(text), _NO_SEED), None)
    except (ValueError, UlmError):
        return None
    scores = view["scores"]
    points = [player["vp"] for player in view["players"]] if scores is None else [one["total"] for one in scores]
    square = tuple(color for row in view["grid"] for color in row)
    return Glance(min(view["round"], rules.rounds), rules.rounds, tuple(points), square)
