"""`ulm-replay step` in a real terminal (a pty), and its screen without one."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from replays.stepper import Stepper
from server.engine.game import Game
from tests.replays.conftest import GAMES, ROOT, VECTORS, ulm_replay


class Terminal:
    """A process in a pty of 80×24, and the newest screen that it drew."""

    def __init__(self, *args: object) -> None:
        self.main, worker = pty.openpty()
        self.resize(80, 24)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "replays.cli", "step", *map(str, args)],
            cwd=ROOT,
            stdin=worker,
            stdout=worker,
            stderr=worker,
            start_new_session=True,
            env={k: v for k, v in os.environ.items() if k not in ("LINES", "COLUMNS")} | {"TERM": "vt100"},
            # A test run in the background of a shell has Ctrl+C switched off.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(worker)
        self.raw = b""

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self.main, keys.encode())

    def wait_for(self, text: str, seconds: float = 15) -> None:
        """Until the newest screen shows `text`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in self.raw.decode("utf-8", "replace").rpartition("\x1b[J")[2]:
                return
            if select.select([self.main], [], [], 0.1)[0]:
                try:
                    self.raw += os.read(self.main, 65536)
                except OSError:
                    break
        raise AssertionError(f"no screen with {text!r}: {self.raw[-3000:].decode('utf-8', 'replace')}")

    def leave(self, keys: str = "q") -> int:
        if keys:
            self.press(keys)
        deadline = time.monotonic() + 10
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.main], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):
                    self.raw += os.read(self.main, 65536)
        code = self.process.wait(30)
        os.close(self.main)
        return code


def test_a_walk_through_a_game():
    terminal = Terminal(GAMES / "vector-02.ulm.json")
    try:
        terminal.wait_for("ply 0/276")
        terminal.press("\x1bOC")
        terminal.wait_for("ply 1/276")
        terminal.press("]")
        terminal.wait_for("ply 6/276")
        terminal.press("g150\r")
        terminal.wait_for("ply 150/276")
        terminal.press("/first seal in the Garden\r")
        terminal.wait_for("seal garden: player 1 pays 2 coins and places a seal in garden")
        terminal.press("G")
        terminal.wait_for("ply 276/276")
        terminal.press("\x1bOD\x1bOD")
        terminal.wait_for("ply 274/276")
        terminal.press("s")
        terminal.wait_for("player 0 sees")
        terminal.resize(100, 40)
        os.kill(terminal.process.pid, signal.SIGWINCH)
        terminal.wait_for("Discard pile: ")
    finally:
        code = terminal.leave()
    assert code == 0


def test_ctrl_c_gives_the_terminal_back():
    terminal = Terminal(GAMES / "vector-03.ulm.json")
    terminal.wait_for("ply 0/")
    os.kill(terminal.process.pid, signal.SIGINT)
    assert terminal.leave("") == 130


def test_without_a_terminal():
    result = ulm_replay("step", GAMES / "vector-03.ulm.json")
    assert result.returncode == 2
    assert b"needs a terminal" in result.stderr


def typed(stepper: Stepper, text: str) -> None:
    for key in text:
        stepper.press("enter" if key == "\r" else key)


@pytest.fixture
def stepper(vectors) -> Stepper:
    return Stepper(Game(vectors[1]))


def test_jumps(stepper):
    last = stepper.replay.plies
    stepper.press("left")
    assert (stepper.ply, stepper.message) == (0, "This is the set-up.")
    stepper.press("}")
    assert stepper.replay.state(stepper.ply).round == 1
    stepper.press("}")
    assert stepper.replay.state(stepper.ply - 1).round == 2 or stepper.replay.state(stepper.ply).round == 2
    stepper.press("end")
    stepper.press("right")
    assert (stepper.ply, stepper.message) == (last, "This is the last ply.")
    typed(stepper, "g999999\r")
    assert stepper.message == f"The plies are 0 to {last}."
    typed(stepper, "g7\r")
    assert stepper.ply == 7


def test_search_goes_round_and_both_ways(stepper):
    typed(stepper, "/money\r")
    first = stepper.ply
    stepper.press("n")
    second = stepper.ply
    assert 0 < first < second
    stepper.press("N")
    assert stepper.ply == first
    stepper.press("N")
    last = stepper.ply
    assert last > second
    typed(stepper, "/first money\r")
    assert stepper.ply == first
    typed(stepper, "/last money\r")
    assert stepper.ply == last
    typed(stepper, "/no such thing here\r")
    assert stepper.ply == last
    assert "Nothing found" in stepper.message


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_every_screen_fits_80_by_24_and_shows_the_scores(path, vectors):
    replay = Game(next(one for one in vectors if path.name.startswith(one.id)))
    stepper = Stepper(replay)
    for ply in range(0, replay.plies + 1, 7):
        stepper.ply = ply
        screen = stepper.screen(80, 24)
        assert len(screen) == 24
        assert max(map(len, screen)) <= 80
        for name in replay.names:  # the lines with the scores are the last of the board: none is cut off
            assert any(name in line for line in screen[14:23])


@pytest.mark.parametrize(("width", "height"), [(20, 5), (1, 1), (200, 60)])
def test_odd_terminals(stepper, width, height):
    screen = stepper.screen(width, height)
    assert len(screen) == height
    assert max(map(len, screen)) <= width
