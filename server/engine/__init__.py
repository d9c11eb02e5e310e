"""The rules of Ulm: pure, standard library only, no clock, no I/O, no `random`. Start here; docs/engine.md shows how.

game = new_game(["Ada", "Bo"], server_seed)     # or Game(loads(text)) for a game that was played
game.legal_moves(), game.push("draw"), game.pop(), game.view(seat=0), game.state(12)
dumps(game.to_record()), verify(loads(text))
"""

from server.engine.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidStateError,
    RecordError,
    UlmError,
    UnknownRulesetError,
)
from server.engine.game import Game, new_game
from server.engine.record import MoveEntry, Record, dumps, loads, verify
from server.engine.ulm1.notation import Move, format_move

__all__ = [
    "Game", "IllegalMoveError", "InvalidMoveError", "InvalidStateError", "Move", "MoveEntry", "Record", "RecordError",
    "UlmError", "UnknownRulesetError", "dumps", "format_move", "loads", "new_game", "verify",
]  # fmt: skip
