"""The text board: its size, what it says, its ASCII and coloured forms."""

import re

import pytest

from server.board.listing import Lister
from server.board.measure import columns
from server.board.text import LETTERS, MARKS, board_text
from server.board.words import words_of
from server.engine.ulm1.tables import COLORS, QUARTERS, SLOTS
from server.engine.ulm1.view import view
from server.language import LANGUAGES

NAMES = (
    "Maximiliane von Hohenzollern-Sigmaringen",
    "李小龙漢字漢字漢字漢字漢字漢字",
    "Ærøskøbing Þórunn",
    "\x1b[31mred\x1b[0m\nx",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_core_fits_80_by_24(positions, language):
    for state in positions:
        for seat in (None, *range(len(state.players))):
            names = NAMES[: len(state.players)] if state.ply % 2 else None
            lines = board_text(view(state, seat), seat=seat, names=names, language=language).split("\n")
            assert len(lines) <= 24
            assert max(map(columns, lines)) <= 80
            assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("width", [74, 76, 100, 132])
def test_other_widths_hold_too(positions, width):
    with pytest.raises(ValueError, match="at least 74 columns, not 60"):
        board_text(view(positions[0], None), width=60)
    for state in positions[::3]:
        for full in (False, True):
            text = board_text(view(state, state.active), seat=state.active, width=width, full=full)
            assert max(map(columns, text.split("\n"))) <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_ascii_keeps_to_ascii(positions, language):
    for state in positions:
        names = NAMES[: len(state.players)]
        text = board_text(view(state, state.active), names=names, ascii=True, full=True, language=language)
        assert text.isascii()
        assert max(map(len, text.split("\n"))) <= 80
    assert "+ D'Art" in board_text(view(positions[0], 0), names=["D’Art", "B"], ascii=True, language=language)


@pytest.mark.parametrize("name", ["Иван Петров", "李 雷", "·", "Иван B", "علی رضا"])
def test_names_that_ascii_cannot_write_leave_the_name_of_the_seat(positions, name):
    """Not a blank, and not half of it: that may be the name of another."""
    text = board_text(view(positions[0], 0), names=[name, "Zoë Ørsted"], ascii=True)
    assert text == board_text(view(positions[0], 0), names=["", "Zoe Orsted"], ascii=True)
    assert "Zoe Orsted" in text


def test_it_says_what_the_view_says(positions):
    """Grid, gates, docks, bag, seals, barges and the players' numbers, read back from the text."""
    for state in positions:
        shown = view(state, None)
        lines = board_text(shown).split("\n")
        rows = [line for line in lines if re.match(r" W[123]", line)]
        assert [re.findall(r"[│] (\w) (?=[│])", row.replace("│", "││")) for row in rows] == [
            [LETTERS[color] for color in row] for row in shown["grid"]
        ]
        for index, row in enumerate(rows, 1):
            west = re.match(r" W\d(.)(.)", row)
            east = re.search(r"│ (\S) E\d(.?)", row)
            for slot, gate, mark in ((f"W{index}", west[2], west[1]), (f"E{index}", east[1], east[2].strip() or " ")):
                tile = shown["outer"].get(slot)
                assert gate == LETTERS[tile] if tile else gate in "#→←"
                owner = shown["coat_seals"].get(slot)
                assert mark == (MARKS[owner] if owner is not None else " ")
        docks = next(line for line in lines if "Docks" in line)
        for color, letter in LETTERS.items():
            assert f"{letter}{shown['docks'][color]}" in docks
        water = next(line for line in lines if "~~~" in line)
        for seat, player in enumerate(shown["players"]):
            assert water.count(MARKS[seat]) == 1, (water, player["barge"])
        seals = "".join(lines[lines.index(water) - 2 : lines.index(water) + 4])
        for seat in range(len(shown["players"])):
            placed = sum(owners.count(seat) for owners in shown["quarters"].values())
            placed += list(shown["crests"].values()).count(seat) + 1  # its barge
            assert seals.count(MARKS[seat]) - _signs(seals, MARKS[seat]) == placed
        if not shown["scores"]:
            for seat, player in enumerate(shown["players"]):
                numbers = re.findall(r"-?\d+", lines[-len(shown["players"]) + seat])
                assert numbers == [
                    str(player[key]) for key in ("vp", "coins", "sparrows", "seals", "crests", "hand_size", "played")
                ] + [str(count) for count in (player["tiles"][color] for color in COLORS)]


def _signs(text: str, mark: str) -> int:
    """How often a mark is the sign of a space's worth."""
    return len(re.findall(r"\+\d", text)) if mark == "+" else 0


def test_barges_stand_over_their_spaces(positions):
    for state in positions:
        lines = board_text(view(state, None)).split("\n")
        water = next(index for index, line in enumerate(lines) if "~~~" in line)
        for seat, player in enumerate(state.players):
            if player.barge > 1:
                at = lines[water].index(MARKS[seat])
                assert lines[water - 1][: at + 1].split()[-1].removeprefix("][") == str(player.barge)


def test_full_shows_everything_else(crowded):
    text = board_text(view(crowded, 0), seat=0, full=True, names=("Anna", "Ben", "Cleo", "Dan"))
    flat = " ".join(text.split())
    for seat, name in enumerate(("Anna", "Ben", "Cleo", "Dan")):
        assert f"{name}, Table:" in flat
        for coat in crowded.players[seat].coats:
            assert f"{coat}: " in flat
    assert "Discard pile: " in flat
    assert len(SLOTS) == 12
    for quarter in QUARTERS:
        assert words_of("en").privileges[quarter].split(",")[0] in flat


def test_a_colour_agrees_with_the_number_of_its_tiles():
    """ "2 grigie", never "2 grigia": where a number stands beside a colour, the words know both."""
    counts = dict(zip(COLORS, (1, 2, 0, 3, 1), strict=True))
    said = {code: Lister(words_of(code), (), None, by_color=True).counted(counts) for code in LANGUAGES}
    assert said == {
        "en": "1 gray, 2 white, 3 turquoise, 1 orange",
        "de": "1 grau, 2 weiß, 3 türkis, 1 orange",
        "it": "1 grigia, 2 bianche, 3 turchesi, 1 arancione",
    }
    assert words_of("it").tinged(0, "brown") == "0 marroni"
    assert Lister(words_of("it"), (), None).counted(counts) == "1 × Moneta, 2 × Sgombra, 3 × Naviga, 1 × Sigillo"
