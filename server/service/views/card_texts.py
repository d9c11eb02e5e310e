"""What cards do, in a few words of the language in force: their upper effect, and what they are worth on the table (B4,
B5, B6 of the rules). For the rules, the buttons of a turn and mails."""

from __future__ import annotations

from server.board.listing import card_colors
from server.engine.rulesets import Rules
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CATHEDRAL_KINDS, COLOR_INDEX, TRADE, TRADE_KINDS
from server.language import gettext as _
from server.language import listing, ngettext
from server.service.views import game_words


def top(rules: Rules, card: str) -> str:
    """What the upper effect of a card brings; of Cathedral and Trade cards without the tile that it costs."""
    if card in rules.cathedral:
        return _("%(vp)s VP", vp=rules.cathedral_top_vp)
    if card in TRADE:
        return _trade_top(*rules.trade_kinds[TRADE[card][0]])
    match card:
        case "first_chronicle":
            return _("place a seal for exactly %(coins)s coin and no tile", coins=rules.chronicle_seal_price)
        case "city_wall":
            return _("take all the tiles outside one side")
        case "construction_freeze":
            return game_words.coins(rules.freeze_coins)
        case "fisherman_jousting":
            return ngettext("sail %(num)s step if you like", "sail up to %(num)s steps", rules.jousting_steps)
        case "patrician":
            return _("instead of drawing, choose your tile from the bag")
        case "reformation":
            return _("look at the top %(number)s cards and keep one", number=rules.reformation_look)
        case "siege":
            return ngettext("%(num)s tile from the docks", "%(num)s tiles from the docks", rules.siege_tiles)
        case "swabian_league":
            return _("a coin, a sparrow and a tile from the docks")
        case "ulm_sparrow":
            return _("turn 1 to %(most)s sparrows into as many coins", most=rules.sparrow_max)
    raise ValueError(f"no words for the card {card}")


def _trade_top(coins: int, vp: int, steps: int) -> str:
    gives = [game_words.coins(coins)] if coins else []
    gives += [_("%(vp)s VP", vp=vp)] if vp else []
    if steps:
        gives.append(ngettext("%(num)s step on the Danube if you like", "up to %(num)s steps on the Danube", steps))
    return listing(gives)


def table(rules: Rules, card: str) -> str:
    """What a card is worth in the end when it lies on the table."""
    if card in rules.cathedral:
        return _(
            "%(vp)s VP, and %(more)s more for each set of Nave, Choir and Steeple",
            vp=rules.cathedral_table_vp,
            more=rules.cathedral_set_vp,
        )
    if card in TRADE:
        words, mine = game_words.words(rules), TRADE[card][0]
        first, second = (words.card(kind) for kind in TRADE_KINDS if kind != mine)
        return _(
            "%(vp)s VP, +%(same)s with two other %(kind)s cards or +%(each)s with the cards %(first)s and %(second)s",
            vp=rules.trade_table_vp,
            same=rules.trade_same_vp,
            each=rules.trade_different_vp,
            kind=words.card(mine),
            first=first,
            second=second,
        )
    match card:
        case "first_chronicle":
            return _("2 VP for each coat of arms you have")
        case "city_wall":
            return _("2 VP for each quarter in which you have more seals than anybody else")
        case "construction_freeze":
            return _("1 VP for each coin you have, at most %(most)s", most=rules.freeze_max)
        case "fisherman_jousting":
            return _(
                "%(first)s VP if no barge is ahead of yours, %(second)s VP if exactly one is",
                first=rules.jousting_vp[0],
                second=rules.jousting_vp[1],
            )
        case "patrician":
            return _("4 VP")
        case "reformation":
            return _("2 VP for each Cathedral card on your table")
        case "siege":
            return _("1 VP for each card you have played, whichever half, this one included")
        case "swabian_league":
            return _("2 VP for each kind of tile in your supply")
        case "ulm_sparrow":
            return _("1 VP for each sparrow, at most %(most)s; they bring their own VP too", most=rules.sparrow_max)
    raise ValueError(f"no words for the card {card}")


def price(rules: Rules, card: str) -> str:
    """What the upper effect of a Cathedral or Trade card costs; "" of others."""
    words = game_words.words(rules)
    colors = [words.tile_kinds[color] for color in card_colors(rules, card)]
    if len(colors) == 2:
        return _("for one %(first)s or %(second)s tile", first=colors[0], second=colors[1])
    return _("for one %(action)s tile", action=colors[0]) if colors else ""


def offered(state: State, seat: int, card: str) -> str:
    """Both halves of a card on offer, a line each: what the upper one brings, and whether `seat` has the tile that it
    costs; what the lower one is worth, of sets in short."""
    below = _("Bottom, at the end: %(what)s.", what=_in_short(state.rules, card))
    return f"{_above(state, seat, card)}\n{below}"


def _in_short(rules: Rules, card: str) -> str:
    """What `table` says, where that is long."""
    if card in rules.cathedral:
        vp, more = rules.cathedral_table_vp, rules.cathedral_set_vp
        words = game_words.words(rules)
        first, second = (words.card(kind) for kind in CATHEDRAL_KINDS if kind != card.partition("-")[0])
        return _(
            "%(vp)s VP, +%(more)s with the cards %(first)s and %(second)s",
            vp=vp,
            more=more,
            first=first,
            second=second,
        )
    return table(rules, card)


def _above(state: State, seat: int, card: str) -> str:
    names, colors = game_words.words(state.rules).tile_kinds, card_colors(state.rules, card)
    what, tiles = top(state.rules, card), state.players[seat].tiles
    mine = sum(tiles[COLOR_INDEX[color]] for color in colors)
    if len(colors) == 2:
        first, second = (names[color] for color in colors)
        if mine:
            return ngettext(
                "Top: %(what)s for one %(first)s or %(second)s tile. You have one.",
                "Top: %(what)s for one %(first)s or %(second)s tile. You have %(num)s.",
                mine,
                what=what,
                first=first,
                second=second,
            )
        return _(
            "Top: %(what)s for one %(first)s or %(second)s tile. You have none.",
            what=what,
            first=first,
            second=second,
        )
    if colors and mine:
        return ngettext(
            "Top: %(what)s, for a %(action)s tile. You have one.",
            "Top: %(what)s, for a %(action)s tile. You have %(num)s.",
            mine,
            what=what,
            action=names[colors[0]],
        )
    if colors:
        return _("Top: %(what)s, for a %(action)s tile. You have none.", what=what, action=names[colors[0]])
    if card == "first_chronicle" and state.players[seat].coins < state.rules.chronicle_seal_price:
        return _("Top: %(what)s. You have no coins.", what=what)
    if card == "ulm_sparrow" and not state.players[seat].sparrows:
        return _("Top: %(what)s. You have no sparrows.", what=what)
    return _("Top: %(what)s.", what=what)
