"""What the engine raises. All are `ValueError`s, so that a caller who does not care can catch one class."""

from collections.abc import Iterable


class UlmError(ValueError):
    """Base of every error that the engine raises on purpose."""


class InvalidMoveError(UlmError):
    """A text that is no move at all, whatever the position (record.md §3)."""


class IllegalMoveError(UlmError):
    """A move that the rules forbid in this position.

    `rule` is the id in docs/rules.md that stands against it; `message` says so in words a player understands. It tells
    nothing that the player who tried the move may not know.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.message = message


class InvalidStateError(UlmError):
    """Data that is not a state of record.md §4."""


class MissingSeedError(UlmError):
    """A move needs chance, but the state was loaded without the seed of its game."""


class RecordError(UlmError):
    """A record that a reader must refuse (record.md §5). `ply` is the ply that it names."""

    def __init__(self, ply: int, message: str) -> None:
        super().__init__(f"ply {ply}: {message}")
        self.ply = ply
        self.message = message


class UnknownRulesetError(UlmError):
    """A game, a state or a record of a ruleset that this engine does not know."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        super().__init__(f"unknown ruleset {name!r}: there are {', '.join(known)}")
