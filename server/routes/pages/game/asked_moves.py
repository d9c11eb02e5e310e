"""Words of an address that put some of the legal moves to the player above all others: those that begin with them, or
that give tiles of one's own supply away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from flask import request

from server.board.listing import card_colors
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import COLORS

END, BUY, GIVE = "end", "buy", "give"


def words() -> str | None:
    """The words that the address puts to the player, or None. The button that ends a turn in which something is lost by
    that asks as well."""
    if request.method != "GET":
        return None
    return request.args.get("ask", END if request.args.get("move") == END else None)


def is_asked(rules: Rules, move: str, wanted: str) -> bool:
    """Whether a move begins with these words or gives the tiles that they name: `buy gray` are the purchases that are
    paid with a gray tile, `give gray orange` all moves that give those two."""
    if tiles := _tiles(wanted):
        bought = wanted.startswith(f"{GIVE} ") or move.startswith(f"{BUY} ")
        return bought and not tiles - Counter(given(rules, move))
    return bool(wanted) and f"{move} ".startswith(f"{wanted} ")


def with_tile(rules: Rules, moves: Iterable[str], color: str, wanted: str | None) -> str | None:
    """The words that ask for those of the legal `moves` that give a tile of that colour: as one more to those that
    `wanted` names, where it names any. None when there is no such move."""
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
