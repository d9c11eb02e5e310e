"""A terminal as a screen of lines and a source of keys: ANSI and termios, so that 80×24 looks the same anywhere."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from replays.errors import ReplayError
from replays.stepper import Stepper

_SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
    "[5~": "pgup", "[6~": "pgdn",
}  # fmt: skip
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "q"}
_ESCAPE_WAIT = 0.05  # seconds in which the rest of an arrow key must come; a lone Esc is one that nothing follows


def run(stepper: Stepper) -> None:
    """Show a stepper until its reader leaves. Raises `ReplayError` without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ReplayError("stepping needs a terminal; `ulm-replay show` and `ulm-replay moves` do not")
    with _raw_terminal() as wake:
        keys = _keys(sys.stdin.fileno(), wake)
        while True:
            size = os.get_terminal_size(sys.stdout.fileno())
            lines = stepper.screen(size.columns, size.lines)
            text = "\x1b[H" + "\r\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J"
            os.write(sys.stdout.fileno(), text.encode())
            key = next(keys, "q")
            if key and not stepper.press(key):
                return


@contextmanager
def _raw_terminal() -> Iterator[int]:
    """Keys unbuffered and unechoed, the other screen, no cursor; all as before at the end. Yields a wake-up pipe."""
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    old_handler = signal.signal(signal.SIGWINCH, lambda *_: None)  # the pipe does the waking
    old_waker = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        tty.setcbreak(keyboard)
        os.write(sys.stdout.fileno(), b"\x1b[?1049h\x1b[?25l\x1b[2J")
        yield wake
    finally:
        os.write(sys.stdout.fileno(), b"\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(old_waker)
        signal.signal(signal.SIGWINCH, old_handler)
        os.close(wake)
        os.close(waker)


def _keys(keyboard: int, wake: int) -> Iterator[str]:
    """Keys by name, or an empty text when the terminal has another size; ends when the terminal is gone."""
    pending = b""
    while True:
        if not pending:
            ready, _, _ = select.select([keyboard, wake], [], [])
            if wake in ready:
                os.read(wake, 512)
                yield ""
                continue
            pending = os.read(keyboard, 512)
            if not pending:
                return
        if pending in (b"\x1b", b"\x1b[", b"\x1bO") and select.select([keyboard], [], [], _ESCAPE_WAIT)[0]:
            pending += os.read(keyboard, 512)
        key, pending = parse_key(pending)
        if key:
            yield key


def parse_key(data: bytes) -> tuple[str, bytes]:
    """The first key in what a terminal sent ("" for one without a name here), and what comes after it."""
    if data[:1] == b"\x1b" and len(data) > 1 and data[1:2] in (b"[", b"O"):
        end = 2
        while end < len(data) and not 0x40 <= data[end] <= 0x7E:
            end += 1
        return _SEQUENCES.get(data[1 : end + 1].decode("ascii", "replace"), ""), data[end + 1 :]
    if data[:1] == b"\x1b":
        return "escape", data[1:]
    length = next((size for lead, size in ((0xF0, 4), (0xE0, 3), (0xC0, 2)) if data[0] >= lead), 1)
    text = data[:length].decode("utf-8", "replace")
    return _CONTROLS.get(text, text), data[length:]
