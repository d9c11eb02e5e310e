"""The board as text, for terminals and plain mails: `board_text`. The core board fits 80 columns by 24 lines."""

import unicodedata
from collections.abc import Sequence
from typing import TypedDict

from server.board import listing, measure
from server.board.measure import pad
from server.board.svg import seat_names
from server.board.words import words_of
from server.engine import rulesets
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import BRIDGE_AFTER, COLORS, LAST_SPACE, LINES, QUARTERS, SLOTS

MIN_WIDTH = 74
LETTERS = dict(zip(COLORS, "GWBTO", strict=True))  # initials, in English and German alike
MARKS = "+^=*"  # of the seats, as in the picture: cross, triangle, two bars, star

_ARROWS = {"N": "↓", "S": "↑", "W": "→", "E": "←"}
_ASCII = str.maketrans({
    **dict(zip("↓↑→←─│┌┐└┘├┤┼┬┴…·×−ØøłŁđð’‘“”„–", "v^><-|+++++++++~-x-OolLdd\'\'\"\"\"-", strict=True)),
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE",
    "œ": "oe", "Þ": "Th", "þ": "th",
})  # fmt: skip


class TextStyle(TypedDict, total=False):
    """How a board of text is to look; see `board_text`."""

    width: int
    full: bool
    ascii: bool
    language: str


def board_text(
    view: View,
    *,
    seat: int | None = None,
    names: Sequence[str] | None = None,
    width: int = 80,
    full: bool = False,
    ascii: bool = False,  # noqa: A002
    language: str = "en",
    legend: bool = False,
) -> str:
    """Return the board of a view as lines of at most `width` columns, without a newline at the end.

    `seat` is the reader's own, `names` those of the seats. `ascii` keeps to ASCII; `full`
    adds everything that 24 lines cannot hold: supplies card by card, discard pile, privileges, legend; `legend` adds
    the last of these alone.

    Raises `ValueError` for fewer than 74 columns, another number of names than seats, an unknown language.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"the text board needs at least {MIN_WIDTH} columns, not {width}")
    words = words_of(language, rulesets.rules_for(view["ruleset"]))
    shown = seat_names(view, names, words.seats)
    if ascii:  # before anything is measured: a letter may become two
        shown = [_ascii_name(name) or _ascii(words.seats[index]) for index, name in enumerate(shown)]
    board = _Board(view, listing.Lister(words, shown, seat, by_color=True), width, ascii)
    lines = board.core() + (board.panels() if full else ["", *board.legend()] if legend else [])
    return "\n".join(line.rstrip() for line in lines)


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
    return plain.encode("ascii", "ignore").decode()


def _ascii_name(name: str) -> str:
    """A name in ASCII; empty where a letter of it has none: half a name is another's."""
    plain = " ".join(_ascii(name).split())
    lost = any(c.isalnum() and not _ascii(c) for c in name) or not any(map(str.isalnum, plain))
    return plain if name.isascii() or not lost else ""


class _Board:
    """One text board in the making."""

    def __init__(self, view: View, lister: listing.Lister, width: int, plain: bool) -> None:
        self.view, self.lister, self.width, self.plain = view, lister, width, plain
        self.words, self.names = lister.words, lister.names

    def cut(self, text: str, room: int) -> str:
        """Return `text` cut to `room` columns."""
        return measure.cut(text, room, "~" if self.plain else measure.ELLIPSIS)

    def line(self, text: str) -> str:
        """Return running text as one line that fits."""
        return self.cut(_ascii(text) if self.plain else text, self.width)

    def lines(self, text: str, width: int, most: int) -> list[str]:
        """Return running text as up to `most` lines of at most `width` columns, the later ones indented."""
        rows: list[str] = []
        row = ""
        for word in (_ascii(text) if self.plain else text).split(" "):
            if row and len(rows) < most - 1 and len(row) + 1 + len(word) > width:
                rows.append(self.cut(row, width))
                row = "  " + word
            else:
                row = f"{row} {word}" if row else word
        return [*rows, self.cut(row, width)]

    def core(self) -> list[str]:
        """Return the 24 lines that matter most."""
        view, words, lister = self.view, self.words, self.lister
        ply = words["ply"].format(view["ply"])
        head = words["title_over"] if view["scores"] else words["title"].format(round=view["round"])
        lines = [pad(self.line(head), self.width - len(ply) - 1) + " " + self.line(ply)]
        if view["scores"]:
            lines += [self.line(lister.winners(view)), ""]
        else:
            turn = self.cut(self.line(lister.turn(view)), self.width - 2)
            lines.append(MARKS[view["active"] or 0] + " " + turn)
            lines.append(self.line(" ".join(lister.tower(view))))
        side = self.beside()
        lines += [left + ("   " + right if right else "") for left, right in zip(self.square(), side, strict=True)]
        lines += self.river()
        return lines + (self.score_table() if view["scores"] else self.player_table())

    def beside(self) -> list[str]:
        """Return the nine lines at the right of the square: supply, Oath House, hand, what is on offer."""
        view, words, lister = self.view, self.words, self.lister
        room = self.width - 31
        lines = []
        for kind in ("docks", "bag"):
            total = sum(view[kind].values())
            label = self.cut(self.line(words[kind]), 8)
            cells = " ".join(LETTERS[color] + f"{view[kind][color]:<2}" for color in COLORS)
            lines.append(pad(label, 9) + cells + f" ={total:3}")
        sizes = (
            (words["pile"], view["pile_size"]),
            (words["discard"], len(view["discard"])),
            (words["coats"], view["coats_size"]),
        )
        lines.append(self.cut(self.line(", ".join(f"{label} {count}" for label, count in sizes)), room))
        lines.append("")
        people = ", ".join(words.descendants[name] for name in view["descendants"]) or words["nothing"]
        lines += self.lines(f"{words.quarters['oath_house']}: {people}", room, 2)
        offer = lister.offer(view, short=True)
        if offer:
            lines += self.lines(f"{words['offer']}: {offer}", room, 2)
        hand = lister.hand(view)
        if hand:
            lines += self.lines(f"{words['hand']}: {hand}", room, 9 - len(lines))
        return (lines + [""] * 9)[:9]

    def square(self) -> list[str]:
        """Return the nine lines of grid and gates, each 28 columns wide."""
        view = self.view
        cross = [self.line(rule) for rule in ("┌───┬───┬───┐", "└───┴───┴───┘")]
        wall = self.line("│")
        rows = []
        for row in range(3):
            west, east = f"W{row + 1}", f"E{row + 1}"
            cells = wall.join(f" {LETTERS[color]} " for color in view["grid"][row])
            left, right = self.gate_name(west) + self.gate(west), self.gate(east) + " " + self.gate_name(east)
            rows.append(f" {left} {wall}{cells}{wall} {right} ")
        names, gates = [], []
        for side in "NS":
            names.append(" " * 7 + " ".join(self.gate_name(f"{side}{column}") for column in (1, 2, 3)) + " " * 10)
            gates.append(" " * 8 + "   ".join(self.gate(f"{side}{column}") for column in (1, 2, 3)) + " " * 11)
        frames = [f"      {one}         " for one in cross]
        return [names[0], gates[0], frames[0], *rows, frames[1], gates[1], names[1]]

    def gate(self, slot: str) -> str:
        """Return a gate as one column: its tile, `#` when the line is blocked, or the arrow of an open push (K4)."""
        outer = self.view["outer"]
        if slot in outer:
            return LETTERS[outer[slot]]
        index = SLOTS.index(slot)
        if any(SLOTS[end] in outer for end in LINES[index % 6]):
            return "#"
        return self.line(_ARROWS[slot[0]])

    def gate_name(self, slot: str) -> str:
        """Return a gate's name in three columns, with the mark of whose coat seal lies beside it."""
        owner = self.view["coat_seals"].get(slot)
        return slot + (MARKS[owner] if owner is not None else " ")

    def river(self) -> list[str]:
        """Return the seven lines of the town: both banks, numbers, barges, what the spaces are worth."""
        rules = self.words.rules
        lying = [player["barge"] for player in self.view["players"]]
        numbers = worth = barges = ""
        for space in range(1, LAST_SPACE + 1):
            bridge = "][" if space == BRIDGE_AFTER + 1 else ""
            numbers += f"{bridge}{space:3}"
            worth += f"{bridge}{rules.space_value[space]:+3}"
            fleet = [seat for seat, place in enumerate(lying) if place == space]
            water = "~" * ((4 if space == 1 else 3) - len(fleet))
            barges += bridge + water + "".join(map(MARKS.__getitem__, fleet))
        north, south = self.bank(rules.north_bank), self.bank(rules.south_bank)
        return ["  " + row for row in (*north, " " + numbers, barges, " " + worth, *reversed(south))]

    def bank(self, bank: Sequence[tuple[int, int, int]]) -> list[str]:
        """Return two lines of a bank: names above the spaces that reach them, then seals and the crest's owner."""
        names, seals, edge = " ", " ", self.line("│")
        for first, last, quarter in bank:
            room = 3 * (last - first + 1) + (2 if first <= BRIDGE_AFTER < last else 0)
            gap = "  " if first == BRIDGE_AFTER + 1 else ""
            name = QUARTERS[quarter]
            called = self.words.quarters[name]
            names += gap + pad(edge + self.cut(_ascii(called) if self.plain else called, room - 2), room)
            placed, owner = self.view["quarters"][name], self.view["crests"].get(name)
            spaces = self.words.rules.seal_spaces[quarter]
            used = 1 + spaces + (2 if owner is not None else 0)
            crest = "!" + MARKS[owner] if owner is not None else ""
            free = "." * (spaces - len(placed))
            seals += gap + edge + "".join(map(MARKS.__getitem__, placed)) + free + crest + " " * (room - used)
        return [names, seals]

    def player_table(self) -> list[str]:
        """Return one line for each seat under a heading."""
        words = self.words
        keys = ("coins", "sparrows", "seals", "crests", "cards", "played")
        room = self.width - 2 - 4 - 5 * len(keys) - 18 - 1
        head = "  " + " " * room + f"{words['vp']:>4}" + "".join(f"{words['t_' + key]:>5}" for key in keys) + "   "
        lines = [self.line(head) + "  ".join(LETTERS.values())]
        for seat, player in enumerate(self.view["players"]):
            numbers = (player["coins"], player["sparrows"], player["seals"], player["crests"], player["hand_size"],
                       player["played"])  # fmt: skip
            notes = self.lister.notes(self.view, seat, short=True)
            label = self.line(self.names[seat] + (f" ({notes})" if notes else ""))
            tiles = "".join(f"{player['tiles'][color]:>3}" for color in COLORS)
            lines.append(MARKS[seat] + " " + pad(self.cut(label, room), room) + f"{player['vp']:>4}"
                         + "".join(f"{number:>5}" for number in numbers) + "  " + tiles)  # fmt: skip
        return lines

    def score_table(self) -> list[str]:
        """Return the final scores, best first, under a heading."""
        words, step = self.words, 8
        room = self.width - 2 - step * len(listing.COLUMNS)
        lines = [self.line(" " * (room + 2) + "".join(f"{self.cut(words['score_' + name], step - 1):>{step}}"
                                                      for name in listing.COLUMNS))]  # fmt: skip
        for seat in listing.ranking(self.view):
            score = (self.view["scores"] or [])[seat]
            numbers = "".join(f"{listing.column(score, name):>{step}}" for name in listing.COLUMNS)
            lines.append(MARKS[seat] + " " + pad(self.cut(self.line(self.names[seat]), room), room) + numbers)
        return lines

    def panels(self) -> list[str]:
        """Return what `full` adds."""
        view, words, lister = self.view, self.words, self.lister
        lines: list[str] = [""]
        for seat in range(len(view["players"])):
            for text in lister.belongings(view, seat):
                lines += self.lines(text, self.width, 9)
        if view["discard"]:
            lines += self.lines(f"{words['discard']}: {lister.cards(list(reversed(view['discard'])))}", self.width, 9)
        lines.append("")
        for quarter in QUARTERS:
            lines += self.lines(f"{words.quarters[quarter]}: {words.privileges[quarter]}", self.width, 2)
        return lines + self.legend()

    def legend(self) -> list[str]:
        """Return what the signs of the board mean, and what the tiles do."""
        words = self.words
        tiles = ", ".join(
            f"{letter} {words.colors[color]} ({words.actions[color]})" for color, letter in LETTERS.items()
        )
        seats = ", ".join(f"{MARKS[seat]} {name}" for seat, name in enumerate(self.names))
        return self.lines(words["legend"].format(tiles, seats), self.width, 9)
