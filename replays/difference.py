"""Where two records differ first, and one corpus replayed by two checkouts of the engine, each in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from replays.errors import ReplayError, Source
from replays.files import Item
from replays.replay import Replay
from server.engine.record import Record

RUNNER = Path(__file__).with_name("engine_runner.py")
_MOST = 12  # parts of a state that are listed


def records(left: Record, right: Record) -> list[str]:
    """What differs first between two games, in a few lines; [] when they are the same game.

    Names, times and ids are no part of a game. A move is looked at before the position that it leads to.
    """
    lines = []
    for name, one, other in (
        ("ruleset", left.ruleset, right.ruleset),
        ("options", left.options, right.options),
        ("players", len(left.players), len(right.players)),
        ("seed.server", left.server_seed.hex(), right.server_seed.hex()),
        ("seed.clients", left.client_seeds, right.client_seeds),
    ):
        if one != other:
            lines.append(f"{name}: {one} | {other}")
    if lines:
        return ["the games are set up differently", *lines]
    for ply, (one_move, other_move) in enumerate(zip(left.moves, right.moves, strict=False), 1):
        if one_move[:2] != other_move[:2]:
            written = [f"{move.text} by seat {move.seat}" for move in (one_move, other_move)]
            return [f"ply {ply}: {written[0]} | {written[1]}"]
    for ply in sorted(left.digests.keys() & right.digests.keys()):
        if left.digests[ply] != right.digests[ply]:
            return [f"ply {ply}: the digests differ: {left.digests[ply]} | {right.digests[ply]}"]
    if len(left.moves) != len(right.moves):
        shorter = min(len(left.moves), len(right.moves))
        return [f"ply {shorter + 1}: one goes on, {len(left.moves)} | {len(right.moves)} plies"]
    return [] if left.result == right.result else [f"the results differ: {left.result} | {right.result}"]


def positions(left: Record, right: Record, ply: int) -> list[str]:
    """How the positions of two records at one ply differ. Raises `RecordError`, `IndexError`."""
    return list(parts(Replay(left).state(ply).to_dict(), Replay(right).state(ply).to_dict()))


def parts(one: object, other: object, path: str = "") -> Iterator[str]:
    """Every part in which two JSON values differ, as `path: one | other`."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in sorted(one.keys() | other.keys()):
            yield from parts(one.get(key), other.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from parts(a, b, f"{path}[{index}]")
    elif one != other or type(one) is not type(other):
        yield f"{path}: {json.dumps(one)} | {json.dumps(other)}"


class Compared(NamedTuple):
    """One record under two engines: lines on the first difference ([] for none), and seconds of CPU under each."""

    source: Source
    plies: int
    differences: list[str]
    seconds: tuple[float, float]


def engines(left: Path, right: Path, items: Iterable[Item]) -> Iterator[Compared]:
    """Replay every record under the engine of two checkouts and compare the digests of all plies.

    Each engine runs in a process of its own, which lives as long as the corpus lasts; records pass one at a time.
    Raises `ReplayError` when a checkout has no engine, or an engine dies.
    """
    with _Engine(left) as one, _Engine(right) as other:
        for item in items:
            if item.text is None:
                yield Compared(item.source, 0, [item.problem or "cannot be read"], (0.0, 0.0))
                continue
            text = item.text.decode("utf-8", "replace")
            one.ask(text)
            other.ask(text)  # both are at work now
            yield _compare(item.source, text, one, other)


def _compare(source: Source, text: str, one: _Engine, other: _Engine) -> Compared:
    first, second = one.answer(), other.answer()
    seconds = (float(first["seconds"]), float(second["seconds"]))
    ours, theirs = first["digests"], second["digests"]
    plies = max(len(ours), len(theirs)) - 1
    both = min(len(ours), len(theirs))
    ply = next((ply for ply in range(both) if ours[ply] != theirs[ply]), None)
    if ply is not None:
        one.ask(text, ply)
        other.ask(text, ply)
        found = list(parts(one.answer()["state"], other.answer()["state"]))
        shown = found[:_MOST] + ([f"and {len(found) - _MOST} more"] if len(found) > _MOST else [])
        return Compared(source, plies, [f"ply {ply}: the states differ", *shown], seconds)
    if first["error"] != second["error"]:
        said = f"ply {both}: {first['error'] or 'fine'} | {second['error'] or 'fine'}"
        return Compared(source, plies, [said], seconds)
    if first["result"] != second["result"]:
        found = list(parts(first["result"], second["result"], "result"))
        return Compared(source, plies, found[:_MOST], seconds)
    return Compared(source, plies, [], seconds)


class _Engine:
    """The engine of one checkout in a process that answers a line of JSON with a line of JSON."""

    def __init__(self, directory: Path) -> None:
        if not (directory / "server" / "engine").is_dir():
            raise ReplayError(f"{directory}: no checkout of this project, it has no server/engine")
        self.directory = directory
        self.process = subprocess.Popen(  # noqa: S603 - this interpreter and a file of this package
            [sys.executable, "-I", str(RUNNER), str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> _Engine:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # it died; `answer` has said so
                    pipe.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def ask(self, text: str, ply: int | None = None) -> None:
        if self.process.stdin is None:
            raise ReplayError("the engine has no input")
        try:
            self.process.stdin.write(json.dumps({"record": text, "ply": ply}).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise ReplayError(f"{self.directory}: its engine does not run") from None

    def answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline() if self.process.stdout else b""
        if not line:
            raise ReplayError(f"{self.directory}: its engine ended without an answer")
        answer: dict[str, Any] = json.loads(line)
        return answer
