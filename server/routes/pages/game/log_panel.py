"""The log beside the board, by rounds and turns, and the strip that says what others did since one's last turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from server.language import gettext as _
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared.rendering import render
from server.service.explain import game_words
from server.service.explain.history import Story, ToldMove
from server.service.games.model import SANDBOX
from server.service.views import since
from server.service.views.turn_page import TurnPage

ROUNDS = 2
"""How many rounds are on the page when nobody asks for all."""


def log(access: GameAccess, shown: TurnPage, rounds: int | None, zone: str) -> Markup:
    """The last `rounds` rounds of the log (None: all), with a mark where what is new begins; "" for none."""
    story = shown.story
    first = 0 if rounds is None else _begins(story, rounds)
    turns = [turn for turn in story.turns if turn.began >= first and len(story.happened) > turn.began]
    if not turns:
        return Markup("")
    known = next((turn for turn in reversed(turns) if turn.began < shown.known_to), None)
    return render(
        "game/parts/log_rounds",
        rounds=[(number, list(group)) for number, group in groupby(turns, key=lambda turn: turn.round)],
        last_known=None if known is turns[-1] else known,
        names=story.names,
        zone=zone,
        told=lambda turn: story.between(turn.began, turn.ended),
        rule_of=rule_of,
        here=access.here,
    )


def rule_of(told: ToldMove) -> str | None:
    """The rule of a move, by its id; None for the frame of a turn, which everybody knows."""
    return None if told.move in ("draw", "end") else game_words.rule_of_move(tuple(told.move.split()))


def is_shortened(story: Story) -> bool:
    """Whether there is more than the last `ROUNDS` rounds."""
    return _begins(story, ROUNDS) > 0


def _begins(story: Story, rounds: int) -> int:
    """The ply at which the last `rounds` rounds begin."""
    if not story.turns:
        return 0
    first = story.turns[-1].round - rounds + 1
    return next(turn.began for turn in story.turns if turn.round >= first)


def since_strip(access: GameAccess, shown: TurnPage, layouts: Sequence[str]) -> Markup:
    """The strip; "" before the game has begun. `layouts` are those of the pictures on the page, in their order."""
    if shown.page["view"] is None:
        return Markup("")
    told = since.of_page(shown)
    if shown.live and told.own and not told.first and not told.turns:
        return Markup("")  # before the first turn there is nothing to tell; who waits will see what comes
    under_way = shown.page["status"] == "running" and told.last > shown.story.turn_began
    others = [name for seat, name in enumerate(shown.names) if seat != shown.reader]
    return render(
        "game/parts/since_strip",
        access=access,
        since=told,
        title=since.title(told),
        opening=since.opening(told),
        gist=since.gist(told, shown.names, shown.reader, under_way),
        turns=[
            {"seat": turn.seat, "text": since.sentence(turn, shown.names, shown.reader), "moves": turn.moves}
            for turn in told.turns
        ],
        watching=_("What %(name)s did", name=others[0]) if len(others) == 1 else _("What the others did"),
        shown=shown,
        layouts=layouts,
        # When it plays by itself: never for who moves all the seats, and for who looks on only what comes meanwhile.
        auto="" if shown.page["origin"] == SANDBOX else "open" if told.own else "came",
    )
