"""The log beside the board, by rounds and turns, and the strip that says what others did since one's last turn."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby

from flask import url_for
from markupsafe import Markup, escape

from server.language import gettext as _
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import seat_mark
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.explain import game_words
from server.service.explain.history import Story, ToldMove, Turn
from server.service.games.model import SANDBOX
from server.service.views import since
from server.service.views.turn_page import TurnPage

ROUNDS = 3
"""How many rounds are on the page when nobody asks for all."""


def log(access: GameAccess, shown: TurnPage, rounds: int | None, zone: str) -> Markup:
    """The last `rounds` rounds of the log (None: all), with a mark where what is new begins; "" for none."""
    story = shown.story
    first = 0 if rounds is None else _begins(story, rounds)
    turns = [turn for turn in story.turns if turn.began >= first and len(story.happened) > turn.began]
    if not turns:
        return Markup("")
    known = next((turn for turn in reversed(turns) if turn.began < shown.known_to), None)
    names = tuple(story.names)

    def told(turn: Turn) -> Markup:
        moves = tuple([one.move for one in story.happened[turn.began : turn.ended]])
        # All that the lines depend on: the moves of a game lead to one position, whoever looks.
        made_of = (shown.game_id, turn, story.reader, story.see_all, names, zone, access.here, moves)
        return _turn(made_of, turn, story, zone, access.here)

    shown_rounds = [
        {
            "round": number,
            "turns": [{"html": told(turn), "new_behind": turn is known and turn is not turns[-1]} for turn in group],
        }
        for number, group in groupby(turns, key=lambda turn: turn.round)
    ]
    return render("game/parts/log_rounds", rounds=shown_rounds)


@kept(3000)  # of some 2 KB; 0.18 ms a page
def _turn(made_of: Hashable, turn: Turn, story: Story, zone: str, here: str) -> Markup:
    """One turn of `story`: who played when, and the lines of it."""
    at = Markup(' <span class="note">%s</span>') % local_time(turn.at, zone) if turn.at else ""
    head = Markup("<h4>%s%s%s</h4>\n") % (seat_mark(turn.seat), story.names[turn.seat], at)
    return head + lines(story.between(turn.began, turn.ended), here)


def lines(moves: Sequence[ToldMove], here: str, ply: int | None = None) -> Markup:
    """What happened as a list; each move leads to the board then, below `here`; `ply` is that of the page."""
    items = []
    swap = "" if ply is None else " data-swap"
    by_server = escape(_("(played by the server)"))  # the collector of texts sees none within f-strings
    for move in moves:
        current = ' aria-current="true"' if move.ply == ply else ""
        note = f' <span class="note">{by_server}</span>' if move.automatic else ""
        text = escape(" ".join(move.sentences))
        told = f'<a{swap} href="{escape(here)}/at/{move.ply}"{current}>{text}{note}</a>'
        items.append(f"<li>{told}{_rule_of(move)}</li>")
    return Markup(f'<ol class="lines">{"".join(items)}</ol>')  # noqa: S704 - escaped above


def _rule_of(told: ToldMove) -> Markup:
    """What leads from a line to the rule of its move; "" for the frame of a turn, which everybody knows."""
    rule = game_words.rule_of_move(tuple(told.move.split()))
    if rule is None or told.move in ("draw", "end"):
        return Markup("")
    address, called = url_for("rules-pages.rule", rule_id=rule), _("The rule: %(id)s", id=rule)
    return Markup('<a class="rule-link" href="%s" aria-label="%s">?</a>') % (address, called)


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
    first, last, own = since.span(shown)
    moves = tuple([(one.move, one.automatic) for one in shown.story.happened[first:last]])
    # When it plays by itself: never for who moves all the seats, and for who looks on only what comes meanwhile.
    auto = "" if shown.page["origin"] == SANDBOX else "open" if own else "came"
    made_of = (access.here, shown.game_id, first, last, own, auto, moves, tuple(shown.names), shown.story.see_all,
               shown.reader, shown.live, tuple(layouts))  # fmt: skip
    return _strip(made_of, access, shown, layouts, auto)


def _watching(shown: TurnPage) -> str:
    """What stands beside the title while it is played."""
    others = [name for seat, name in enumerate(shown.names) if seat != shown.reader]
    return _("What %(name)s did", name=others[0]) if len(others) == 1 else _("What the others did")


@kept(300)  # of some 4 KB
def _strip(made_of: Hashable, access: GameAccess, shown: TurnPage, layouts: Sequence[str], auto: str) -> Markup:
    told = since.of_page(shown)
    if shown.live and told.own and not told.first and not told.turns:
        return Markup("")  # before the first turn there is nothing to tell; who waits will see what comes
    return render(
        "game/parts/since_strip",
        access=access,
        since=told,
        title=since.title(told),
        opening=since.opening(told),
        gist=since.gist(told, shown.names, shown.reader),
        turns=[
            {"seat": turn.seat, "text": since.sentence(turn, shown.names, shown.reader), "moves": turn.moves}
            for turn in told.turns
        ],
        watching=_watching(shown),
        boards=access.to("since"),
        game_id=shown.game_id,
        reader="" if shown.reader is None else shown.reader,
        layouts=" ".join(layouts),
        auto=auto,
        live=shown.live,
        seat_mark=seat_mark,
    )
