"""What lies in front of each player: score, supply, seals, crests, Descendants, coats, cards."""

from server.board.canvas import Box, Canvas
from server.board.chips import card_chip, coat_chip, descendant_chip, flow, label_chip
from server.board.listing import minus
from server.board.measure import fit, width
from server.engine.ulm1.shapes import PlayerView, View
from server.engine.ulm1.tables import COLORS

_ROOMY = 420  # so wide is a panel of the wide layout in which notes beside a name have room to be whole


def draw_player(canvas: Canvas, view: View, seat: int, w: float) -> tuple[str, float]:
    """What stands in the panel of a seat, and its height: `frame_player` puts both onto the canvas."""
    player = view["players"][seat]
    start = len(canvas.parts)
    total = view["scores"][seat]["total"] if view["scores"] else player["vp"]
    note = canvas.lister.notes(view, seat, short=w < _ROOMY and not canvas.layout.close)
    pad = canvas.layout.pad
    left, inner = pad + 3, w - 2 * pad - 3
    top = pad - 2
    with canvas.group(f"player-{seat}", canvas.names[seat], seat=seat, active=str(view["active"] == seat).lower()):
        top += _head(canvas, seat, total, note, left, top, inner)
        top += _counts(canvas, seat, player, left, top, inner) + (5 if canvas.layout.close else 7)
        words = canvas.words
        own = [coat_chip(canvas, coat) for coat in player["coats"]]
        own += [descendant_chip(canvas, name)._replace(link="") for name in player["descendants"]]
        table = [card_chip(canvas, card) for card in player["table"]]
        hand = [card_chip(canvas, card, "card") for card in player.get("hand", ())]
        gap = 4 if canvas.layout.close else 5
        for name, chips in (("own", own), ("table", table), ("hand", hand)):
            if not chips:
                continue
            if name != "own":
                chips = [label_chip(words[name]), *chips]
            with canvas.group(f"{name}-{seat}"):
                top += flow(canvas, chips, left, top, inner) + gap
    drawn = "".join(canvas.parts[start:])
    del canvas.parts[start:]
    return drawn, top + pad - 5


def frame_player(canvas: Canvas, view: View, seat: int, drawn: str, box: Box) -> None:
    """Put a panel onto the canvas, in a frame at `box` (x, y, w, h)."""
    x, y, w, high = box
    with canvas.at(x, y):
        canvas.frame(0, 0, w, high)
        canvas.add(drawn)
        canvas.rect(0, 0, 6, high, f"seat{seat}", "ink", 0.8, 2)
        if view["active"] == seat:
            canvas.rect(0, 0, w, high, "none", "accent", 2.4, 4)
        if canvas.marked(f"player-{seat}"):
            canvas.circle(w - 1, 1, 5, "accent", "ink", 0.8)


def _head(canvas: Canvas, seat: int, total: int, note: str, x: float, y: float, w: float) -> float:
    """The mark, the name, what is to be said of the seat, the score."""
    words = canvas.words
    side = 22 if canvas.layout.close else 28
    size = canvas.body * 1.1
    base = y + side / 2 + size * 0.36
    canvas.use(f"seal-{seat}", x, y, side / 24)
    score = minus(total)
    big = canvas.body * 1.6
    canvas.text(x + w, base + 1, words["vp"], canvas.small, "muted", "panel", "end")
    right = x + w - width(words["vp"], canvas.small) - 4
    canvas.text(right, base + 2, score, big, "ink", "panel", "end", True)
    room = right - width(score, big) - 8 - (x + side + 7)
    note_room = min(width(note, canvas.small) + 8, room * 0.5) if note else 0
    took = canvas.fitted(x + side + 7, base, canvas.names[seat], size, room - note_room, on="panel", bold=True)
    if note:
        canvas.text(x + side + 15 + took, base, fit(note, canvas.small, note_room), canvas.small, "muted", "panel")
    return side + 5


def _counts(canvas: Canvas, seat: int, player: PlayerView, x: float, y: float, w: float) -> float:
    """Tiles by colour, then coins, sparrows, seals, crests, hand; in one row, or in two where there is no room."""
    words = canvas.words
    tiles = [(f"pip-{color}", player["tiles"][color], words.action_names[color], f"tiles-{color}") for color in COLORS]
    goods = [
        ("coin", player["coins"], words["coins"], "coins"),
        ("sparrow", player["sparrows"], words["sparrows"], "sparrows"),
        (f"seal-{seat}", player["seals"], words["seals"], "seals"),
        (f"crest-{seat}", player["crests"], words["crests"], "crests"),
        ("card", player["hand_size"], words["cards"], "hand-size"),
        ("quill", player["played"], words["played"].format(player["played"]), "played"),
    ]
    side = 17 if canvas.layout.close else 22
    rows = (goods, tiles) if w < 500 else (goods + tiles,)
    for row in rows:
        step = w / len(row)
        for index, (symbol, count, name, key) in enumerate(row):
            link = f"supply-{key.removeprefix('tiles-')}" if seat == canvas.seat else ""
            _count(canvas, symbol, count, name, key, (x + index * step, y, step, side), link)
        y += side + 4
    return len(rows) * (side + 4)


def _count(canvas: Canvas, symbol: str, count: int, name: str, key: str, box: Box, link: str) -> None:
    """One symbol, and how many there are of it."""
    left, y, step, side = box
    title = name if key == "played" else f"{name}: {count}"
    canvas.add(f'<g data-count="{key}"><title>{title}</title>')
    with canvas.link(link, (left - 3, y - 4, step - 1, side + 8)):
        canvas.use(symbol, left, y, side / (48 if symbol.startswith("pip") else 24), "" if "-" in symbol else "ink")
        canvas.text(left + side + 3, y + side / 2 + canvas.body * 0.36, str(count), canvas.body,
                    "ink" if count else "muted", "panel", bold=bool(count))  # fmt: skip
    canvas.add("</g>")
