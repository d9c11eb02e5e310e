"""What players are told, in values that know of no channel (who: `games/notices`, how: `enqueuing`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "confirm",
    "sign_in",
    "address_changed",
    "token_made",
    "invitation",
    "invited",
    "rematch",
    "vacation_ending",
    "joined",
    "host",
    "not_started",
    "proposal",
    "agreed",
    "replaced",
    "started",
    "turn",
    "turn_link",
    "reminder",
    "played_for_you",
    "over",
    "message",
    "pause",
    "digest",
    "answer",
    "resign_question",
]
"""Every kind of news that there is. `notify.compose.KINDS` has what writes each."""
BY_MAIL_ALONE: tuple[Kind, ...] = ("turn_link", "answer", "resign_question", "digest")
"""What no other channel carries: what a mail asked for, and what sums mails up."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that one player is told, by whatever ways news reach them."""

    kind: Kind
    player: str
    key: str  # what it is about: news of one key are told once
    game: str | None = None
    ply: int | None = None  # one that the player may see
    data: Mapping[str, object] = field(default_factory=dict)


def game_key(kind: Kind, game_id: str, ply: int, player_id: str) -> str:
    """The key of news about a game. `ply` is that of the turn's beginning, as its own player sees it."""
    return f"{kind}:{game_id}:{ply}:{player_id}"
