"""Whose turn it is and what is left to do in it, with the Tower tiles in force and next."""

from server.board.canvas import Canvas
from server.board.chips import Chip, button_chip, card_chip, coat_offer_chip, descendant_chip, flow, label_chip, small
from server.board.listing import CREDITS
from server.board.measure import fit, width
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS

# Keys of links that the panel shows as buttons, in this order; `barge` stands for `barge-0`, `barge-1` …
BUTTONS = ("draw", "coin", "search", "levy", "salvage", "barge", "pass", "end")
_SHRINK = 0.82  # of its size the line that says what comes next may become, before a name is cut


def draw_turn(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw the panel of the turn; returns its height. The game must not be over."""
    with canvas.at(x, y):
        start = len(canvas.parts)
        high = _turn(canvas, view, w)
        canvas.frame_behind(start, 0, 0, w, high)
        canvas.rect(0, 0, 5, high, f"seat{view['active']}", "ink", 0.8, 2)
    return high


def _turn(canvas: Canvas, view: View, w: float) -> float:
    pad = canvas.layout.pad
    inner, left = w - 2 * pad, pad
    seat = view["active"] or 0  # somebody is, until the game is over
    top = pad
    with canvas.group("turn", seat=seat, phase=view["phase"]):
        side = 24 if canvas.layout.close else 34
        canvas.use(f"seal-{seat}", left, top, side / 24)
        size = canvas.body * 1.15
        room = inner - side - 8
        # In a replay it stands beside what has just happened.
        phrase = canvas.words["next_move"].format(canvas.lister.phrase(view))
        size *= max(_SHRINK, min(1.0, room / width(phrase.format(canvas.names[seat]), size)))
        # The name gives way, not what is to be done.
        left_over = room - width(phrase.replace("{}", ""), size)
        text = phrase.replace("{}", fit(canvas.names[seat], size, max(left_over, room * 0.3)))
        canvas.fitted(left + side + 8, top + side / 2 + size * 0.36, text, size, room, on="panel", bold=True)
        top += side + 6
        gap = 4 if canvas.layout.close else 6
        # Before the first chip there is as much room: in a film nothing below it moves when it comes.
        least = top + small(canvas).high + gap
        rows = (turn_chips, use_chips, pending_chips, button_chips, tower_chips)
        for chips in (row(canvas, view) for row in rows):
            if chips:
                top += flow(canvas, chips, left, top, inner) + gap
    return max(top, least) + pad - 4


def turn_chips(canvas: Canvas, view: View) -> list[Chip]:
    """Return tiles in hand, what is activated and still unused, credits and the free play."""
    words, turn = canvas.words, view["turn"]
    chips: list[Chip] = []
    if turn["tiles"]:
        chips.append(Chip("", words["in_hand"], tuple(turn["tiles"]), canvas.lister.colors(turn["tiles"])))
    if turn["slot"]:
        chips.append(Chip("arrow", words["pushed"].format(turn["slot"])))
    left = [color for color in COLORS for _ in range(turn["activated"][color])]
    if left:
        chips.append(Chip("", words["activated"], tuple(left), canvas.lister.colors(left)))
    return chips + [Chip(*right) for right in canvas.lister.rights(view)]


def use_chips(canvas: Canvas, view: View) -> list[Chip]:
    """Return what can be chosen of this turn's tiles, credits and rights, each as a link: `tile-gray`, `use-gray`…"""
    words = canvas.words
    if not canvas.links:
        return []
    chips = [Chip(f"pip-{color}", words.action_names[color], link=f"tile-{color}") for color in COLORS]
    chips += [Chip(f"pip-{color}", words.actions[color], link=f"use-{color}") for color in COLORS]
    chips += [Chip("", words[f"credit_{credit}"], link=f"credit-{credit}") for credit in CREDITS]
    return [chip for chip in chips if chip.link in canvas.links]


def button_chips(canvas: Canvas, view: View) -> list[Chip]:
    """Return the links for what is no thing on the board: `BUTTONS`."""
    steps = [f"barge-{number}" for number in range(canvas.rules.most_steps + 1)]
    keys = [one for key in BUTTONS for one in (steps if key == "barge" else [key])]
    return [button_chip(canvas, key) for key in keys if key in canvas.links]


def pending_chips(canvas: Canvas, view: View) -> list[Chip]:
    """Return what is on offer to the reader, and the choices that wait beneath."""
    if not view["pending"]:
        return []
    choice = view["pending"][-1]
    chips: list[Chip] = []
    offer = choice.get("offer", ())
    if offer:
        coats = choice["kind"] == "coat"
        each_chip = [coat_offer_chip(canvas, one) if coats else card_chip(canvas, one, "card") for one in offer]
        chips += [label_chip(canvas.words["offer"]), *each_chip]
    elif choice["kind"] == "descendant" and canvas.links:
        # They wait beside the Oath House too, where they are small.
        people = [descendant_chip(canvas, name) for name in view["descendants"]]
        chips += [chip for chip in people if chip.link in canvas.links]
    return chips + [Chip(*one) for one in canvas.lister.waiting(view)]


def tower_chips(canvas: Canvas, view: View) -> list[Chip]:
    """Return the Tower tiles in force and next, in the advanced game."""
    chips = []
    for edict in canvas.lister.edicts(view):
        told = f"{canvas.words.tower[edict.name]}: {edict.effect}"
        text = f"{edict.label} ({edict.effect})" if edict.when == "now" else edict.label
        chips.append(Chip("steeple", text, (), told, ("tower", edict.name)))
    return chips
