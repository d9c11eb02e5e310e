"""The board as HTML tables, for mails without a picture: `board_table`.

What mail programs keep: tables with `bgcolor` and `width`, styles on the element, characters. No classes, no positions,
no flex. Every ground comes with the colour of its text, so that a dark mode can leave both or turn both; and every
colour with a letter or a mark, so that the board can be read without any. It fits 260 pixels, which a mail has on a
phone of 320, and takes two columns where there is room.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from server.board import listing
from server.board.canvas import Canvas, ascii_only, escape
from server.board.describe import description, headline
from server.board.listing import minus, signed
from server.board.svg import canvas_for
from server.board.text import LETTERS
from server.board.themes import Theme
from server.board.words import Words
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import PlayerView, View
from server.engine.ulm1.tables import BRIDGE_AFTER, COLORS, LAST_SPACE, LINES, PUSH_CELLS, QUARTERS, SLOTS

MARKS = "✚▲═★"  # of the seats, as in the picture; none of them has a form as an emoji
CREST, FREE, BLOCKED = "◆", "○", "#"
_ARROWS = {"N": "↓", "S": "↑", "W": "→", "E": "←"}
_SIDE = 256  # pixels of the square, and of what stands beside it where there is room
_SMALL = "font-size:11px;line-height:14px"
_TINY = "font-size:10px;line-height:12px"


def board_table(
    view: View, *, seat: int | None = None, names: Sequence[str] | None = None, theme: str = "light",
    language: str = "en",
) -> str:  # fmt: skip
    """Return the board of a view as one HTML element, in ASCII.

    `seat` is the reader's own, `names` those of the seats, `theme` one of `themes.THEMES`.

    Raises `ValueError` for another number of names than seats, an unknown theme or language.
    """
    canvas = canvas_for(view, seat, names, theme=theme, language=language)
    return ascii_only(_Table(canvas, view).whole())


def _table(rows: str, more: str = "", spacing: int = 0, style: str = "") -> str:
    return (
        f'<table role="presentation" width="100%" cellpadding="0" cellspacing="{spacing}"{more} '
        f'style="table-layout:fixed;{style}">{rows}</table>'
    )


def _row(cells: Iterable[str], ground: str = "") -> str:
    """One row; `ground` is the colour of the cells that have none of their own."""
    return f'<tr align="center"{_ground(ground)}>{"".join(cells)}</tr>'


def _ground(color: str) -> str:
    return f' bgcolor="{color}"' if color else ""


@lru_cache(1 << 11)
def _cell(content: str, ground: str = "", ink: str = "", span: int = 1, more: str = "", style: str = "") -> str:
    """One cell; `ground` and `ink` are colours (none: those around it), `more` is other attributes."""
    style = (f"color:{ink};" if ink else "") + style
    return (
        "<td"
        + _ground(ground)
        + (f' colspan="{span}"' if span > 1 else "")
        + more
        + (f' style="{style}"' if style else "")
        + f">{content}</td>"
    )


@lru_cache
def _badge(theme: Theme, seat: int, sign: str = "") -> str:
    """The mark of a seat on its colour."""
    wax, mark = theme.seats[seat]
    edge = f";border:1px solid {theme.gold}" if sign else ""
    return f'<span style="background:{wax};color:{mark};padding:0 2px{edge}">{sign}{MARKS[seat]}</span>'


class _Table:
    """One board in the making."""

    def __init__(self, canvas: Canvas, view: View) -> None:
        self.canvas, self.view = canvas, view
        self.words, self.theme, self.lister = canvas.words, canvas.theme, canvas.lister
        self.names = [escape(name) for name in canvas.names]

    def badge(self, seat: int, sign: str = "") -> str:
        """Return the mark of a seat."""
        return _badge(self.theme, seat, sign)

    def whole(self) -> str:
        """Return everything."""
        theme, view = self.theme, self.view
        first = self.final() if view["scores"] else self.turn()
        parts = (self.head() + first, self.sides(), self.town(), self.players(), _legend(self.words, theme))
        rows = "".join(f'<tr><td style="padding:6px 4px">{part}</td></tr>' for part in parts)
        told = escape(f"{headline(self.canvas, view)}. {description(self.canvas, view)}")
        return (
            f'<table role="img" aria-label="{told}" width="100%" cellpadding="0" cellspacing="0"'
            f'{_ground(theme.paper)} style="table-layout:fixed;border:1px solid {theme.line};color:{theme.ink};'
            "font:12px/16px Arial,Helvetica,sans-serif;-webkit-text-size-adjust:100%;word-wrap:break-word;"
            f'overflow-wrap:anywhere">{rows}</table>'
        )

    def head(self) -> str:
        """Return the title."""
        ply = self.words["ply"].format(self.view["ply"])
        return _table(
            "<tr>"
            + _cell(f"<b>{escape(headline(self.canvas, self.view))}</b>", style="font-size:15px;line-height:20px")
            + _cell(escape(ply), ink=self.theme.muted, more=' width="30%" align="right"')
            + "</tr>"
        )

    def turn(self) -> str:
        """Return whose turn it is, what for, and the Tower tiles in force and next."""
        view, theme = self.view, self.theme
        said = escape(self.lister.turn(view))
        offer = self.lister.offer(view)
        said += f"<br>{escape(self.words['offer'])}: {escape(offer)}" if offer else ""
        tower = "<br>".join(map(escape, self.lister.tower(view)))
        mark = "" if view["active"] is None else self.badge(view["active"]) + " "
        box = f"padding:4px 6px;border-left:4px solid {theme.accent}"
        return _table(
            _row([_cell(f"<b>{mark}{said}</b>", theme.panel, more=' align="left"', style=box)])
            + (_row([_cell(tower, ink=theme.muted, more=' align="left"', style=_SMALL)]) if tower else "")
        )

    def final(self) -> str:
        """Return the final scores, best first, each under its name."""
        view, words, theme = self.view, self.words, self.theme
        rows = [_row([_cell(f"<b>{escape(self.lister.winners(view))}</b>", span=4, more=' align="left"')])]
        for seat in listing.ranking(view):
            score = (view["scores"] or [])[seat]
            name = f"{score['rank']}. {self.badge(seat)} <b>{self.names[seat]}</b>"
            rows.append(_row([_cell(name, theme.panel, "", 4, ' align="left"', "padding:2px 4px")]))
            cells = []
            for column in listing.COLUMNS:
                number = minus(listing.column(score, column))
                label = escape(words[f"score_{column}"])
                cells.append(_cell(f"{label} <b>{number}</b>" if column == "total" else f"{label} {number}"))
            rows += [_row(cells[:4], theme.panel), _row(cells[4:], theme.panel)]
        return _table("".join(rows), style=_SMALL)

    def sides(self) -> str:
        """Return the square and the supply, side by side where there is room and one below the other where not."""
        # The one thing that is no table: Word, which sets them below each other in any case, knows no such block.
        block = f"display:inline-block;width:100%;max-width:{_SIDE}px;vertical-align:top;font-size:12px"
        supply = f'<div style="padding:0 3px">{self.supply()}</div>'
        sides = "".join(f'<div style="{block}">{part}</div>' for part in (self.square(), supply))
        return f'<div align="center" style="font-size:0">{sides}</div>'

    def square(self) -> str:
        """Return grid and outer slots."""
        view, theme = self.view, self.theme
        pushed = PUSH_CELLS[SLOTS.index(view["turn"]["slot"])] if view["turn"]["slot"] else ()
        corner = _cell("")
        rows = [_row([corner, *(self.slot(f"N{column}") for column in (1, 2, 3)), corner])]
        for row in range(3):
            cells = [self.tile(view["grid"][row][column], row * 3 + column in pushed) for column in range(3)]
            rows.append(_row([self.slot(f"W{row + 1}"), *cells, self.slot(f"E{row + 1}")]))
        rows.append(_row([corner, *(self.slot(f"S{column}") for column in (1, 2, 3)), corner]))
        return _table("".join(rows), _ground(theme.ground), 3, _SMALL)

    def tile(self, color: str, pushed: bool) -> str:
        """Return a cell of the grid; one of the line that was pushed this turn has a frame (K3)."""
        face, mark = self.theme.tiles[COLORS.index(color)]
        edge = f"border:3px solid {self.theme.gold if pushed else face};"
        return _cell(f"<b>{LETTERS[color]}</b>", face, mark, more=' height="40"', style=edge + "font-size:20px")

    def slot(self, name: str) -> str:
        """Return an outer slot: its tile, the way in, or that the line is blocked (K4)."""
        view, theme = self.view, self.theme
        owner = view["coat_seals"].get(name)
        label = name if owner is None else f"{name} {self.badge(owner)}"
        if name in view["outer"]:
            (ground, ink), sign = theme.tiles[COLORS.index(view["outer"][name])], LETTERS[view["outer"][name]]
        elif any(SLOTS[end] in view["outer"] for end in LINES[SLOTS.index(name) % 6]):
            ground, ink, sign = theme.ground, theme.muted, BLOCKED
        else:
            pushing = view["phase"] == "push"  # what may be pushed is seen at a glance
            ground, ink = (theme.space, theme.accent) if pushing else (theme.panel, theme.muted)
            sign = _ARROWS[name[0]]
        return _cell(f'{label}<br><b style="font-size:17px">{sign}</b>', ground, ink, 1, ' height="46"')

    def supply(self) -> str:
        """Return the tower, docks, bag and piles."""
        view, words, theme = self.view, self.words, self.theme
        rows = [self.tower()] if view["phase"] != "over" else []
        for kind, tiles in (("docks", view["docks"]), ("bag", view["bag"])):
            title = f"<b>{escape(words[kind])}</b>: {sum(tiles.values()) or escape(words['empty'])}"
            rows.append(_table(_row([_cell(title, more=' align="left"', span=5)])
                               + _row(self.count(color, tiles[color]) for color in COLORS), spacing=2))  # fmt: skip
        piles = (("pile", view["pile_size"]), ("discard", len(view["discard"])), ("coats", view["coats_size"]))
        counts = " · ".join(f"{escape(words[kind])} <b>{count}</b>" for kind, count in piles)
        cards = self.lister.cards(view["discard"][::-1])
        counts += f"<br>{escape(words['discard'])}: {escape(cards)}" if cards else ""
        people = ", ".join(words.descendants[name] for name in view["descendants"]) or words["nothing"]
        counts += f"<br>{escape(words.quarters['oath_house'])}: {escape(people)}"
        rows.append(_table(_row([_cell(counts, ink=theme.ink, more=' align="left"', style=_SMALL)]), spacing=2))
        return "".join(rows)

    def tower(self) -> str:
        """Return the rounds, the present one in gold."""
        theme, now = self.theme, self.view["round"]
        cells = []
        for number in range(1, self.words.rules.rounds + 1):
            if number == now:
                cells.append(_cell(f"<b>{number}</b>", theme.gold, theme.on_metal))
            else:
                cells.append(_cell(str(number), theme.panel if number > now else ""))
        tower = self.words["tower"]
        title = _cell(escape(tower[:1].upper() + tower[1:]), theme.paper, "", len(cells), ' align="left"')
        return _table(_row([title]) + _row(cells, theme.stone), spacing=2, style=_SMALL)

    def count(self, color: str, count: int) -> str:
        """Return how many tiles there are of a colour."""
        if not count:
            return _cell(f"{LETTERS[color]} 0", self.theme.panel, self.theme.muted)
        face, mark = self.theme.tiles[COLORS.index(color)]
        return _cell(f"{LETTERS[color]} <b>{count}</b>", face, mark)

    def town(self) -> str:
        """Return both stretches of the river with the quarters on their banks, cut at the bridge."""
        return self.reach(1, BRIDGE_AFTER) + '<div style="height:6px;font-size:0">&nbsp;</div>' + self.reach(
            BRIDGE_AFTER + 1, LAST_SPACE
        )  # fmt: skip

    def reach(self, first: int, last: int) -> str:
        """Return one stretch: north bank, numbers, barges, what the spaces are worth, south bank."""
        theme, rules, spaces = self.theme, self.words.rules, range(first, last + 1)
        lying = [player["barge"] for player in self.view["players"]]
        barges = []
        for space in spaces:
            fleet = [seat for seat, place in enumerate(lying) if place == space] if space in lying else ()
            barges.append(_cell(" ".join(map(self.badge, fleet)) or "~"))
        numbers, values = _spaces(rules, theme, first, last)
        return _table(
            _row(self.bank(rules.north_bank, spaces), theme.ground)
            + numbers + _row(barges, theme.river) + values
            + _row(self.bank(rules.south_bank, spaces), theme.meadow), spacing=1, style=_TINY,
        )  # fmt: skip

    def bank(self, bank: Sequence[tuple[int, int, int]], spaces: range) -> list[str]:
        """Return the quarters of one bank of a stretch, each beside the spaces that reach it (D5)."""
        return [
            _cell(self.quarter(quarter), "", "", last - first + 1, ' valign="top"', f"padding:2px 1px;{_SMALL}")
            for first, last, quarter in bank
            if first in spaces
        ]

    def quarter(self, index: int) -> str:
        """Return a quarter with what is in it."""
        name, view = QUARTERS[index], self.view
        return _quarter(self.words, self.theme, index, tuple(view["quarters"][name]), view["crests"].get(name))

    def players(self) -> str:
        """Return what lies before each player."""
        seats = list(range(len(self.view["players"])))
        if self.canvas.seat in seats:  # the reader first, then round the table, as in the picture
            seats = seats[self.canvas.seat :] + seats[: self.canvas.seat]
        return "".join(self.player(seat, self.view["players"][seat]) for seat in seats)

    def player(self, seat: int, player: PlayerView) -> str:
        """Return what lies before one player: name and points, goods, tiles, and in words what else there is."""
        words, theme, across = self.words, self.theme, len(COLORS)
        notes = self.lister.notes(self.view, seat, short=True)
        total = self.view["scores"][seat]["total"] if self.view["scores"] else player["vp"]
        name = f"{self.badge(seat)} <b>{self.names[seat]}</b>" + (f" ({escape(notes)})" if notes else "")
        points = f'<b style="font-size:15px">{minus(total)}</b> {escape(words["vp"])}'
        goods = {
            "coins": player["coins"],
            "sparrows": player["sparrows"],
            "seals": player["seals"],
            "crests": player["crests"],
            "cards": player["hand_size"],
        }
        rows = [
            _row([_cell(name, span=across - 1, more=' align="left"'), _cell(points)]),
            _row(_cell(f"{escape(words[f't_{key}'])} <b>{count}</b>") for key, count in goods.items()),
            _row(self.count(color, player["tiles"][color]) for color in COLORS),
        ]
        said = "<br>".join(map(escape, self.belongings(seat, player)))
        if said:
            rows.append(_row([_cell(said, span=across, more=' align="left"')]))
        edge = f"border-left:4px solid {theme.seats[seat][0]};border-bottom:3px solid {theme.paper};{_SMALL}"
        return _table("".join(rows), _ground(theme.panel), 2, edge)

    def belongings(self, seat: int, player: PlayerView) -> list[str]:
        """Return Descendants, coats, cards on the table and the open hand of a seat, a line for each kind."""
        words, lister = self.words, self.lister
        said = []
        if player["descendants"]:
            said.append(", ".join(words.descendants[one] for one in player["descendants"]))
        if player["coats"]:
            said.append(f"{words['coats']}: {'; '.join(map(lister.short_coat, player['coats']))}")
        if player["table"]:
            said.append(f"{words['table']}: {lister.cards(player['table'])}")
        if player.get("hand"):
            said.append(f"{words['hand']}: {lister.cards(player['hand'])}")
        return said


@lru_cache(32)  # of so many as there are rulesets, themes and reaches
def _spaces(rules: Rules, theme: Theme, first: int, last: int) -> tuple[str, str]:
    """Return the rows of a reach's numbers and of what its spaces are worth."""
    spaces = range(first, last + 1)
    numbers = (_cell(str(space)) for space in spaces)
    values = (_cell(signed(rules.space_value[space])) for space in spaces)
    return _row(numbers, theme.river), _row(values, theme.space)


@lru_cache(32)  # of so many as there are languages, rulesets and themes: 0.01 ms a board
def _legend(words: Words, theme: Theme) -> str:
    """Return what letters and marks stand for."""
    tiles = ", ".join(
        f"{letter} {words.action_names[color]} ({words.colors[color]})" for color, letter in LETTERS.items()
    )
    said = words["marks"].format(tiles, BLOCKED, CREST, FREE)
    for space, bonus in words.rules.space_bonus.items():
        said += f" {space} {words['gives'].format(words[f'bonus_{bonus}'])}."
    return ascii_only(f'<div style="color:{theme.muted};{_TINY}">{escape(said)}</div>')


@lru_cache(1 << 10)  # 0.02 ms a board
def _quarter(words: Words, theme: Theme, index: int, placed: tuple[int, ...], owner: int | None) -> str:
    """Return a quarter's name, its seals and free seal spaces, whose family crest is there and what a later seal
    brings it (W5)."""
    name = QUARTERS[index]
    seals = [_badge(theme, seat) for seat in placed] + [FREE * (words.rules.seal_spaces[index] - len(placed))]
    crest = "" if owner is None else f" {_badge(theme, owner, CREST)} +{words.rules.crest_vp[index]}"
    return f"<b>{escape(words.quarters[name])}</b><br>{' '.join(filter(None, seals))}{crest}"
