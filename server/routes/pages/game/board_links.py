"""Which parts of the board are moves on the page of a game, and where they lead; and the words of an address that put
some of the legal moves to the player above all others: those that begin with them, or that give tiles of one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from flask import request

from server.board.canvas import Link
from server.board.cathedral import used_cells
from server.board.listing import card_colors
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS
from server.language import gettext as _
from server.routes.pages.game.access import GameAccess
from server.service.explain import game_words
from server.service.explain.move_choices import Option
from server.service.views.drafts import Draft

END, BUY, GIVE = "end", "buy", "give"
# Verbs whose moves stand on a part of the board named after their first word.
_BY_WORD = {"pick": "bag", "keep": "tile", "swap": "docks", "dock": "docks", "push": "slot", "seal": "quarter",
            "play": "card", "choose": "card", "take": "discard", "coat": "coat", "descendant": "descendant",
            "barge": "barge"}  # fmt: skip
_USES = {"money": ["use-gray"], "river": ["use-turquoise", "barge"], "sail": ["credit-step", "barge"],
         "clear": ["use-white"], "buy": ["pile"]}  # fmt: skip
_WITH_TILE = {"money": "gray", "clear": "white", "buy": "brown", "river": "turquoise", "seal": "orange"}
_PLAIN = ("draw", "coin", "search", "pass", "salvage", "levy", "end")


def links_of(access: GameAccess, draft: Draft, ask: str | None = None) -> dict[str, Link]:
    """What leads where: a part drafts its move, or asks first where there are several or it would be sent."""
    found: dict[str, list[Option]] = {}
    for option in draft.options.values():
        for key in parts(draft.view, option.move):
            found.setdefault(key, []).append(option)
    return {key: _link(access, draft, options) for key, options in found.items()} | _of_supply(access, draft, ask)


def _of_supply(access: GameAccess, draft: Draft, ask: str | None) -> dict[str, Link]:
    """What the tiles of one's own supply lead to: the moves that give such a tile."""
    rules = rulesets.rules_for(draft.view["ruleset"])
    found = {}
    for color in COLORS:
        wanted = with_tile(rules, draft.options, color, ask)
        if wanted is not None:
            options = [option for move, option in draft.options.items() if is_asked(rules, move, wanted)]
            link = _link(access, draft, options, wanted)
            found[f"supply-{color}"] = link if len(options) == 1 else link._replace(label=game_words.given(color))
    return found


def _tiles_of(view: View, move: str) -> list[str]:
    """The tiles that a move uses or takes: those with a golden edge, which can be used, and those outside of a side."""
    verb, *rest = move.split()
    taken = [f"slot-{slot}" for slot in view["outer"] if verb == "clear" and slot[0] == rest[0]]
    turn = view["turn"]
    cells = used_cells(view["grid"], turn["slot"], turn["activated"]) if verb in _WITH_TILE else []
    color = _WITH_TILE.get(verb)
    ready = [divmod(cell, 3) for cell, used in cells if not used and view["grid"][cell // 3][cell % 3] == color]
    return [*taken, *(f"cell-{row + 1}-{column + 1}" for row, column in ready)]


def _link(access: GameAccess, draft: Draft, options: list[Option], ask: str = "") -> Link:
    first, shared = options[0], ask or _shared(options)
    if not shared:  # `river` and `sail` both move the barge: the page has buttons for both
        options = options[:1]
    if len(options) == 1 and first.move not in draft.sending:
        href = access.draft(draft.ply, [*draft.moves, first.move])
    else:
        href = access.draft(draft.ply, draft.moves, ask=shared or first.move)
    if len(options) > 1:
        return Link(href, first.move, _("%(label)s, or another of %(num)s moves", label=first.label, num=len(options)))
    detail = first.detail or first.final
    return Link(href, first.move, f"{first.label}: {detail}" if detail else first.label)


def _shared(options: list[Option]) -> str:
    """The words with which all these moves begin."""
    words = [option.move.split() for option in options]
    shared = words[0]
    for other in words[1:]:
        shared = [one for one, two in zip(shared, other, strict=False) if one == two]
    return " ".join(shared)


def parts(view: View, move: str) -> list[str]:
    """The parts of the board for a move, by the keys of docs/board.md: what stands for it, and its tiles."""
    verb, *rest = move.split()
    named = [verb] if verb in _PLAIN else [f"{_BY_WORD[verb]}-{rest[0]}"] if verb in _BY_WORD else []
    return [*named, *_USES.get(verb, ()), *_tiles_of(view, move)]


def asked_words() -> str | None:
    """The words that the address puts to the player, or None; the button that ends a turn with a loss asks as well."""
    if request.method != "GET":
        return None
    return request.args.get("ask", END if request.args.get("move") == END else None)


def is_asked(rules: Rules, move: str, wanted: str) -> bool:
    """Whether a move begins with these words, or gives the tiles that they name (`buy gray`, `give gray orange`)."""
    if tiles := _tiles(wanted):
        bought = wanted.startswith(f"{GIVE} ") or move.startswith(f"{BUY} ")
        return bought and not tiles - Counter(given(rules, move))
    return bool(wanted) and f"{move} ".startswith(f"{wanted} ")


def with_tile(rules: Rules, moves: Iterable[str], color: str, wanted: str | None) -> str | None:
    """The words that ask for moves that give such a tile, beside those of `wanted`; None when there is no such move."""
    legal = list(moves)
    if _tiles(wanted or ""):
        more = f"{wanted} {color}"
        return more if any(is_asked(rules, move, more) for move in legal) else None
    giving = [move for move in legal if color in given(rules, move)]
    if not giving:
        return None
    return f"{BUY if all(move.startswith(f'{BUY} ') for move in giving) else GIVE} {color}"


def given(rules: Rules, move: str) -> list[str]:
    """The colours of the tiles that a move takes out of one's own supply."""
    verb, *rest = move.split()
    match verb:
        case "buy" | "levy":
            return [word for word in rest if word in COLORS]
        case "exchange":
            return rest[:1]
        case "push":
            return rest[1:]
        case "play" if rest[1] == "top":
            colors = card_colors(rules, rest[0])
            return list(colors) if len(colors) == 1 else [word for word in rest[2:] if word in COLORS]
    return []


def _tiles(wanted: str) -> Counter[str]:
    """The tiles that the words name; none where they are the beginning of a move."""
    verb, *colors = wanted.split() or [""]
    return Counter(colors) if verb in (BUY, GIVE) and set(colors) <= set(COLORS) else Counter()
