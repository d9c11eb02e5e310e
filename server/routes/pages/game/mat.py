"""The reader's own mat under the board: tiles, coins, sparrows, seals, crests, cards, coats and Descendants."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import orjson
from markupsafe import Markup

from server.board.canvas import Link
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS, QUARTERS
from server.language import ngettext
from server.routes.pages.game import explanations, move_pictures, seats_panel
from server.routes.pages.game.board_links import links_of
from server.routes.pages.game.explanations import Thing
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import icon, piece, seat_mark
from server.service.explain import game_words
from server.service.views.turn_page import TurnPage


def html(door: Door, shown: TurnPage, ask: str | None) -> Markup:
    """The mat; "" for who looks on. What lies on it is a link where a legal move is about it or takes it; `ask` are the
    words that the address puts to the player (`asked_moves`)."""
    view, seat, draft = shown.view, shown.reader, shown.draft
    if view is None or seat is None:
        return Markup("")
    drawn = view["turn"]["tiles"] if view["active"] == seat else []
    if draft is None:
        made_of: Hashable = (orjson.dumps([view["players"][seat], drawn]), view["ruleset"], seat)
    else:
        # Which moves are legal depends on the whole position: a ply that was taken back and played again has another
        # one, in which the same may lie on the mat.
        made_of = (orjson.dumps(view), seat, door.here, draft.ply, draft.text, ask)
    return _mat(made_of, door, shown, view, seat, ask)


@kept(300)
def _mat(made_of: Hashable, door: Door, shown: TurnPage, view: View, seat: int, ask: str | None) -> Markup:
    rules = rulesets.of(view["ruleset"])
    words = game_words.words(rules)
    player = view["players"][seat]
    draft = shown.draft
    links = {} if draft is None else links_of(door, draft, ask)

    def card(name: str, link: Link | None, width: int) -> dict[str, Any]:
        return {
            "name": game_words.card(rules, name),
            "picture": piece(rules, "card", name, width),
            "about": explanations.button(Thing("card", name), rules),
            "link": link,
            "key": f"card-{name}",
        }

    return render(
        "game/parts/mat",
        seat=seat,
        seat_mark=seat_mark,
        tiles=[
            {"color": color, "name": words.action_names[color], "count": player["tiles"][color],
             "key": f"supply-{color}", "picture": move_pictures.tile(color), "link": links.get(f"supply-{color}")}
            for color in COLORS
        ],
        drawn=[(words.action_names[color], move_pictures.tile(color)) for color in view["turn"]["tiles"]]
        if view["active"] == seat
        else [],
        counts=[
            (icon(symbol), number, label)
            for symbol, number, label in (
                ("coin", player["coins"], game_words.coins(player["coins"])),
                ("sparrow", player["sparrows"], game_words.sparrows(player["sparrows"])),
                (f"seal-{seat}", player["seals"], ngettext("%(num)s seal", "%(num)s seals", player["seals"])),
                (f"crest-{seat}", player["crests"], _crests(player["crests"])),
            )
        ],
        about="" if view["active"] is None else explanations.button(Thing("supply", explanations.SUPPLY), rules),
        hand=[card(name, links.get(f"card-{name}"), 54) for name in player.get("hand", ())],
        table=[card(name, None, 44) for name in player["table"]],
        people=[
            {"name": words.descendants[name], "about": explanations.button(Thing("descendant", name), rules)}
            for name in player["descendants"]
        ],
        coats=[_coat(rules, name) for name in player["coats"]],
    )  # fmt: skip


def _crests(number: int) -> str:
    return ngettext("%(num)s family crest", "%(num)s family crests", number)


def _coat(rules: Rules, name: str) -> dict[str, Any]:
    """A coat of arms in a line: its gate, and what each later seal in its quarter brings (W4, W5)."""
    words = game_words.words(rules)
    quarter, later = rules.coats[name][1:]
    return {
        "name": name,
        "picture": icon("coat-silver" if quarter is None else "coat-gold"),
        "quarter": "" if quarter is None else words.quarters[QUARTERS[quarter]],
        "later": later,
        "title": seats_panel.coat(rules, name),
    }
