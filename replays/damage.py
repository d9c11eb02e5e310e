"""The lenient reader: everything that is wrong with a record, not just the first thing.

    record, defects = examine(text)     # a record as far as one can be made out, and what had to be said about it

A text that breaks off is read as far as it goes. A part of the wrong shape is named and left out; a move that is
illegal is named and skipped, and what follows is tried all the same.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import NamedTuple

from replays import sandbox, variations
from replays.errors import rule_of
from replays.reading import loads
from server.engine import record, rulesets, seeds
from server.engine.canonical import Json
from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError
from server.engine.record import HEX16, HEX64, PLY, TIME, MoveEntry, Record
from server.engine.replaying import play_log
from server.engine.ulm1.state import State

MOST = 1000
"""How many defects of one record are listed."""


class Defect(NamedTuple):
    """One thing that is wrong: the ply that record.md names for it, the rule of an illegal move, and in words what."""

    ply: int
    rule: str | None
    message: str


class Examination(NamedTuple):
    """What `examine` finds: `record` is None where there is nothing to replay; `state` is the last one reached."""

    record: Record | None
    defects: list[Defect]
    state: State | None


def examine(text: bytes | str) -> Examination:
    """Read a record leniently and replay it. Never raises for what stands in `text`."""
    defects: list[Defect] = []
    try:
        found: Record | None = sandbox.loads(text) if sandbox.looks_like(text) else loads(text)
    except RecordError as error:
        data = _salvage(text, defects, error)
        found = _mend(data, defects) if data is not None else None
        if not defects:  # what was refused is nothing that could be mended: twice the same key, nested too deep
            defects.append(Defect(error.ply, None, error.message))
    if found is None:
        return Examination(None, defects[:MOST], None)
    state = _replay(found, defects)
    try:
        variations.verify(found)
    except RecordError as error:
        if not defects:  # else the game itself is what cannot be replayed
            defects.append(Defect(error.ply, rule_of(error), error.message))
    return Examination(found, sorted(defects, key=lambda defect: defect.ply)[:MOST], state)


def _salvage(text: bytes | str, defects: list[Defect], error: RecordError) -> dict[str, Json] | None:
    """The object in a text, if need be of a text that breaks off, which is then the first defect."""
    if isinstance(text, bytes):
        try:
            text.decode()
        except UnicodeDecodeError as bad:
            defects.append(Defect(0, None, f"not UTF-8 from byte {bad.start} on"))
    words = text if isinstance(text, str) else text.decode(errors="replace")
    try:
        data = json.loads(words)
    except (ValueError, RecursionError):
        defects.append(Defect(0, None, error.message))
        data = _longest_beginning(words)
    if isinstance(data, dict):
        return data
    if not defects:
        defects.append(Defect(0, None, error.message))
    return None


_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([\[{])|([\]}])|([,:])|([^\s\[\]{},:"]+))', re.DOTALL)


def _longest_beginning(text: str) -> Json:
    """What JSON text that breaks off or goes wrong somewhere holds up to there; None where that is nothing."""
    closers: list[str] = []
    safe: list[tuple[int, str]] = []  # places after a whole value, with what closes the text there; the last few
    position = 0
    while found := _TOKEN.match(text, position):
        opening, closing, mark = found[2], found[3], found[4]
        if mark == ",":  # before it stands a whole value, whatever comes after it
            safe = [*safe[-7:], (found.start(), "".join(reversed(closers)))]
        elif opening:
            closers.append("]" if opening == "[" else "}")
            if len(closers) > 60:
                return None
        elif closing:
            if not closers or closers.pop() != closing:
                break
            if not closers:
                break
        position = found.end()
    for end, tail in reversed(safe):
        try:
            return json.loads(text[:end] + tail)
        except (ValueError, RecursionError):
            continue
    return None


def _mend(data: dict[str, Json], defects: list[Defect]) -> Record | None:
    """A record from an object that is none: what is wrong is named and, where that is possible, done without."""
    good = dict(data)
    seats = len(data["players"]) if isinstance(data.get("players"), list) else 0
    if not 2 <= seats <= 4 and isinstance(data.get("seed"), dict) and isinstance(data["seed"].get("clients"), list):
        seats = len(data["seed"]["clients"])
    substitutes: dict[str, Json] = {
        "format": record.FORMAT, "ruleset": rulesets.NEWEST.name, "id": "", "name": "", "digests": {}, "result": None,
        "options": {"rotate_start": False, "tower": False}, "moves": [],
        "players": [{"name": f"seat {seat}"} for seat in range(seats)],
    }  # fmt: skip
    _mend_moves(good, defects)
    _mend_digests(good, defects)
    _mend_commitment(good, defects)
    for _ in range(len(substitutes) + 1):
        try:
            return record.from_dict(good)
        except RecordError as error:
            defects.append(Defect(error.ply, None, error.message))
            wrong = _culprit(good, substitutes)
            if wrong is None:
                return None
            good[wrong] = substitutes.pop(wrong)
    return None


def _culprit(data: dict[str, Json], substitutes: dict[str, Json]) -> str | None:
    """The first part without which `data` would be a record, or would come a step nearer to one."""
    before = _complaint(data)
    for key, value in substitutes.items():
        if (key not in data or data[key] != value) and _complaint({**data, key: value}) != before:
            return key
    return None


def _complaint(data: dict[str, Json]) -> str | None:
    try:
        record.from_dict(data)
    except RecordError as error:
        return error.message
    return None


def _mend_moves(data: dict[str, Json], defects: list[Defect]) -> None:
    """Name every line of the log that is no line; the log ends before the first of them."""
    lines = data.get("moves")
    if not isinstance(lines, list):
        return
    whole = len(lines)
    for ply, line in enumerate(lines, 1):
        shape = isinstance(line, list) and len(line) == 3 and isinstance(line[0], str) and type(line[1]) is int
        good_time = shape and (line[2] is None or (isinstance(line[2], str) and bool(TIME.fullmatch(line[2]))))
        if shape and good_time and 0 <= line[1] < 4:
            continue
        if shape and 0 <= line[1] < 4:  # only its time
            defects.append(Defect(ply, None, "the time of the move is neither null nor like 2026-11-21T09:30:00Z"))
            lines = [*lines[: ply - 1], [line[0], line[1], None], *lines[ply:]]
            continue
        defects.append(Defect(ply, None, "the move is not [text, seat, time or null]"))
        whole = min(whole, ply - 1)
    data["moves"] = lines[:whole]


def _mend_digests(data: dict[str, Json], defects: list[Defect]) -> None:
    digests = data.get("digests")
    if not isinstance(digests, dict):
        return
    last = len(data["moves"]) if isinstance(data.get("moves"), list) else 0
    good = {}
    for key, value in digests.items():
        known = bool(PLY.fullmatch(key)) and int(key) <= last
        if known and isinstance(value, str) and HEX16.fullmatch(value):
            good[key] = value
        elif known:
            defects.append(Defect(int(key), None, "the digest is not 16 lower-case hex digits"))
        else:
            defects.append(Defect(last, None, f"there is a digest of an unknown ply {key[:20]!r}"))
    data["digests"] = good


def _mend_commitment(data: dict[str, Json], defects: list[Defect]) -> None:
    seed = data.get("seed")
    if not isinstance(seed, dict) or not isinstance(seed.get("server"), str):
        return
    if HEX64.fullmatch(seed["server"]):
        right = seeds.commitment(bytes.fromhex(seed["server"]))
        if seed.get("commitment") != right:
            defects.append(Defect(0, None, "the commitment does not match the server's seed"))
            data["seed"] = {**seed, "commitment": right}


def _replay(found: Record, defects: list[Defect]) -> State:
    """Play what can be played. Digests are compared until the first move that had to be skipped."""
    state, skipped = found.first_state(), False

    def skip(ply: int, entry: MoveEntry, error: InvalidMoveError | IllegalMoveError) -> None:
        nonlocal skipped
        rule = error.rule if isinstance(error, IllegalMoveError) else None
        note = ", after a move that had to be skipped" if skipped else ""
        defects.append(Defect(ply, rule, f"{entry.text[:60]!r} by seat {entry.seat}: {error}{note}"))
        skipped = True
        if len(defects) >= MOST:
            raise RecordError(ply, "nothing more is looked for")

    _compare(found, state, True, defects)
    with suppress(RecordError):
        for step in play_log(state, found.moves, refused=skip):
            state = step.state
            if not skipped:
                new_round = state.round != step.before.round
                _compare(found, state, new_round or step.ply == len(found.moves), defects)
    if not skipped and not record.same_result(found.result, record.result_of(state)):
        defects.append(Defect(state.ply, None, "the result differs"))
    return state


def _compare(found: Record, state: State, marked: bool, defects: list[Defect]) -> None:
    digest = found.digests.get(state.ply)
    if digest is None:
        if marked:
            defects.append(Defect(state.ply, None, "the digest that must stand here is missing"))
    elif digest != state.digest():
        defects.append(Defect(state.ply, None, "the digest differs"))
