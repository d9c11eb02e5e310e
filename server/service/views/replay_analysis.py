"""The analysis of a finished game for people: how far it is, or what was found, the moves that decided in words."""

from __future__ import annotations

from dataclasses import dataclass

from replays.analysis import telling
from replays.analysis.telling import Told
from server.engine.errors import UlmError
from server.service.accounts.players import Player
from server.service.archive import analyses, replays
from server.service.archive.analyses import AnalysisUnderWay, KeptAnalysis
from server.service.views import game_words
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is: nothing that anybody asked for, something under way, or what was found."""

    found: KeptAnalysis | None
    under_way: AnalysisUnderWay | None
    moments: list[Told]
    """In the language in force, in the order of the game."""


def look(store: Store, game_id: str, player: Player | None) -> Shown:
    """What there is for `player`. Raises `NotFound`."""
    there = analyses.of_game(store, game_id, player)
    if there is None:
        return Shown(None, None, [])
    if "status" in there:
        return Shown(None, there, [])
    with store.read():
        game = replays.find(store, game_id, player)
        replay = replays.spoken_of(store, game, 0, None, game_words.board_language())
    try:
        return Shown(
            there, None, list(telling.moments(replay, there["moments"], game_words.speaker(replay.record.rules)))
        )
    except UlmError as error:
        raise replays.broken() from error
