"""Stepping through a game in a terminal: what is on the screen, what a key does, and the terminal itself (curses)."""

from __future__ import annotations

import locale
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from replays.files import ReplayError, printable
from replays.sight import Line, chapters, sight
from server.board.text import MIN_WIDTH, board_text
from server.engine.game import Game

HELP = """\
→ l space  a move on            ← h        a move back
PgDn  ]    a turn on            PgUp  [    a turn back
}          a round on           {          a round back
End  G     to the end           Home       to the set-up
g          go to a ply: its number, then Enter
/          search moves and sentences: first seal garden, last Red coat, push N2; then Enter
n  N       next, previous match
s          look as the next seat knew it; after the last seat, with nothing withheld
↓ j  ↑ k   scroll a board that is taller than the terminal
?          this page            q Esc      leave"""
_SKIPPED = frozenset({"the", "a", "an", "in", "of", "to", "at", "on", "and"})
_FOOT = 4


class Stepper:
    """One game, where one is in it, and what was asked of it last."""

    def __init__(self, replay: Game, seat: int | None = None, ply: int = 0) -> None:
        """Begin at `ply`, seen by `seat` (None: nothing withheld)."""
        self.replay = replay
        self.ply = ply
        self.seat = seat
        self.message = ""
        self._asking = ""  # "g" or "/", while a number or a text is being typed
        self._typed = ""
        self._query = ""
        self._scroll = 0
        self._help = False
        self._read()
        self._keys: dict[str, Callable[[], None]] = {
            "right": lambda: self._go(self.ply + 1), "left": lambda: self._go(self.ply - 1),
            "home": lambda: self._go(0), "end": lambda: self._go(self.replay.plies),
            "pgdn": lambda: self._go(self._next(self._turns)), "pgup": lambda: self._go(self._previous(self._turns)),
            "}": lambda: self._go(self._next(self._rounds)), "{": lambda: self._go(self._previous(self._rounds)),
            "g": lambda: self._ask("g"), "/": lambda: self._ask("/"), "n": lambda: self._find(1),
            "N": lambda: self._find(-1), "s": self._change_seat, "?": self._toggle_help,
            "down": lambda: self._move(1), "up": lambda: self._move(-1),
        }  # fmt: skip
        same = {"l": "right", " ": "right", "h": "left", "]": "pgdn", "[": "pgup", "G": "end", "j": "down", "k": "up"}
        self._keys |= {key: self._keys[meant] for key, meant in same.items()}

    def press(self, key: str) -> bool:
        """Do what a key asks; False when it asks to leave. Arrows come by name (`left`, `pgdn`), others as typed."""
        if self._asking:
            self._type(key)
            return True
        self.message = ""
        if key in ("q", "escape"):
            return False
        if self._help and key != "?":
            self._help = False
            return True
        self._keys.get(key, lambda: None)()
        return True

    def screen(self, width: int, height: int) -> list[str]:
        """Exactly `height` lines of at most `width` characters: the board, what the ply did, where one is."""
        shown, core = (HELP.splitlines(), 0) if self._help else self._board(width, height)
        # The words get what the core of the board leaves, two to four lines with the status.
        foot = max(2, min(_FOOT, height - core))
        room = max(1, height - foot)
        self._scroll = max(0, min(self._scroll, len(shown) - room))
        shown = shown[self._scroll : self._scroll + room]
        lines = [*shown, *[""] * (room - len(shown)), *self._words(width, foot - 1), self._status()]
        return [printable(line)[:width] for line in lines[-height:]]

    def _board(self, width: int, height: int) -> tuple[list[str], int]:
        """The lines of the board, the panels with all supplies below it, and how many are its core."""
        seen, names = sight(self.replay, self.ply, self.seat), self.replay.names
        wide = max(MIN_WIDTH, min(width, 120))
        core, full = (board_text(seen, seat=self.seat, names=names, width=wide, full=full) for full in (False, True))
        size = len(core.splitlines())
        lines = full.splitlines()
        # In 24 lines something must give way to the words: the head line, which says what the status line says, an
        # empty line, what the spaces of the Danube are worth.
        spare = [0, *(number for number in range(1, size) if not lines[number])]
        spare += [number for number in range(1, size) if lines[number].startswith("   -11-10")]
        dropped = spare[: max(0, size + 2 - height)]
        return [line for number, line in enumerate(lines) if number not in dropped], size - len(dropped)

    def _words(self, width: int, most: int) -> list[str]:
        text = self.message or "The set-up."
        if self.ply and not self.message:
            line = self._lines[self.ply - 1]
            text = f"{line.move}: {' '.join(line.text)}"
        wrapped = textwrap.wrap(text, width, max_lines=most, placeholder=" …")
        return [*wrapped, *[""] * most][:most]

    def _status(self) -> str:
        if self._asking:
            return f"{'go to ply' if self._asking == 'g' else 'search'}: {self._typed}_"
        eyes = "all" if self.seat is None else self.replay.names[self.seat][:20]
        keys = "←→ move  PgUp/Dn turn  / search  ? help  q leave"
        number = sum(first <= self.ply for first in self._rounds[1:-1]) or 1
        return f"round {number} ply {self.ply}/{self.replay.plies} {eyes} sees  {keys}"

    def _read(self) -> None:
        self._lines: list[Line] = []
        self._turns, self._rounds, number = [0], [0], 0
        for chapter in chapters(self.replay, self.seat):
            if chapter.round != number:
                number = chapter.round
                self._rounds.append(chapter.lines[0].ply)
            self._lines += chapter.lines
            self._turns.append(chapter.lines[-1].ply)
        self._rounds.append(self.replay.plies)
        names = self.replay.names
        self._found = [f"{line.move} {names[line.seat]} {' '.join(line.text)}".lower() for line in self._lines]

    def _go(self, ply: int) -> None:
        wanted = max(0, min(self.replay.plies, ply))
        if wanted != ply:
            self.message = "This is the set-up." if ply < 0 else "This is the last ply."
        self.ply = wanted

    def _next(self, places: list[int]) -> int:
        return next((place for place in places if place > self.ply), self.replay.plies)

    def _previous(self, places: list[int]) -> int:
        return next((place for place in reversed(places) if place < self.ply), 0)

    def _move(self, lines: int) -> None:
        self._scroll += lines

    def _toggle_help(self) -> None:
        self._help = not self._help
        self._scroll = 0

    def _change_seat(self) -> None:
        seats: list[int | None] = [*range(len(self.replay.names)), None]
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
        self._read()

    def _ask(self, what: str) -> None:
        self._asking, self._typed = what, ""

    def _type(self, key: str) -> None:
        if key == "enter":
            asked, self._asking = self._asking, ""
            self._answer(asked, self._typed.strip())
        elif key == "escape":
            self._asking = ""
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif len(key) == 1 and key.isprintable() and len(self._typed) < 60:
            self._typed += key

    def _answer(self, asked: str, typed: str) -> None:
        if asked == "/":
            self._query = typed or self._query
            first = self._query.lower().split()[:1]
            if first in (["first"], ["last"]):
                self.ply = 0 if first == ["first"] else self.replay.plies + 1
                self._query = self._query.split(None, 1)[1] if " " in self._query else ""
            self._find(-1 if first == ["last"] else 1)
        elif typed.isascii() and typed.isdigit() and len(typed) < 10 and int(typed) <= self.replay.plies:
            self.ply = int(typed)
        else:
            self.message = f"The plies are 0 to {self.replay.plies}."

    def _find(self, direction: int) -> None:
        """Go to the next ply in whose move, name or sentences all words of the query stand, round the end."""
        words = [word for word in self._query.lower().split() if word not in _SKIPPED]
        plies = len(self._found)
        start = self.ply if self.ply <= plies else plies + 1
        for distance in range(1, plies + 1):
            ply = (start - 1 + direction * distance) % plies + 1 if plies else 0
            if words and all(word in self._found[ply - 1] for word in words):
                self.ply = ply
                self.message = ""
                return
        self.ply = min(self.ply, self.replay.plies)
        self.message = f"Nothing found for {' '.join(words)!r}." if words else "Type what to search for."


_TYPED = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "q", "\x1b": "escape"}
_NAMED = {"KEY_UP": "up", "KEY_DOWN": "down", "KEY_LEFT": "left", "KEY_RIGHT": "right", "KEY_HOME": "home",
          "KEY_END": "end", "KEY_PPAGE": "pgup", "KEY_NPAGE": "pgdn", "KEY_ENTER": "enter",
          "KEY_BACKSPACE": "backspace"}  # fmt: skip
_ESCAPE_WAIT = 50  # ms in which the rest of an arrow key must come; a lone Esc is one that nothing follows


def run(stepper: Stepper) -> None:
    """Show a stepper until its reader leaves. Raises `ReplayError` without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ReplayError("stepping needs a terminal; `ulm-replay show` and `ulm-replay moves` do not")
    import curses  # not everywhere

    def show(window: Any) -> None:  # noqa: ANN401 - curses makes it
        with suppress(curses.error):  # some terminals cannot hide the cursor
            curses.curs_set(0)
        going = True
        while going:
            height, width = window.getmaxyx()
            window.clear()
            for row, line in enumerate(stepper.screen(width, height)):
                with suppress(curses.error):  # after the last cell there is none for the cursor
                    window.addstr(row, 0, line)
            window.refresh()
            key = window.get_wch()
            name = _TYPED.get(key, key) if isinstance(key, str) else _NAMED.get(curses.keyname(key).decode(), "")
            going = not name or stepper.press(name)

    locale.setlocale(locale.LC_ALL, "")
    try:
        curses.set_escdelay(_ESCAPE_WAIT)
        curses.wrapper(show)
    except curses.error as error:
        raise ReplayError(f"this terminal cannot be used: {error}") from error
