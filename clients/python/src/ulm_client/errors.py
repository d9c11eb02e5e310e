"""What can go wrong: all of it is a `UlmError`."""

from __future__ import annotations

from typing import Any


class UlmError(Exception):
    """Something between this program and the game."""


class NoAnswerError(UlmError):
    """Nobody answered, or nobody who speaks this API, for as long as the client was to wait."""


class RefusedError(UlmError):
    """The server refused. The message says what to do.

    `status` is that of HTTP; `kind` the name of what is wrong, as `GET /problems` lists them ("stale-ply"), "" where it
    has none; `errors` the details, `{}` without any.
    """

    def __init__(self, status: int, kind: str, message: str, errors: dict[str, Any]) -> None:
        super().__init__(message)
        self.status, self.kind, self.errors = status, kind, errors


class IllegalMoveError(RefusedError):
    """A move is against the rules, and nothing was played.

    `move` is its text and `index` its place among those sent; `rule` names what is against it (docs/rules.md), and
    `legal` are legal moves near to it.
    """

    @property
    def move(self) -> str:
        return str(self.errors["move"])

    @property
    def index(self) -> int:
        return int(self.errors["index"])

    @property
    def rule(self) -> str:
        return str(self.errors["rule"])

    @property
    def legal(self) -> list[str]:
        return list(self.errors["legal"])


def refusal(status: int, answer: object) -> RefusedError:
    """The error that an answer tells of; one that is no problem detail is told by its status alone."""
    if not isinstance(answer, dict) or "message" not in answer:
        return RefusedError(status, "", f"the server answered {status}", {})
    kind = str(answer.get("type", "")).rpartition("/")[2].removeprefix("about:blank")
    error = IllegalMoveError if kind == "illegal-move" else RefusedError
    return error(status, kind, str(answer["message"]), answer.get("errors") or {})
