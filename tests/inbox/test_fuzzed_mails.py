"""Broken mails are read or refused, quickly and in little room, and never mean what the whole ones do not.

`make test` reads some hundreds, `pytest tests/inbox/test_fuzzed_mails.py --fuzz-mails 10000 -s` as many as are wanted,
and tells what became of them.
"""

import resource
import time
from collections import Counter
from functools import cache

import pytest

from server.engine.rulesets import NEWEST
from server.inbox import message_reading
from server.move_language.program import Command, Play, Problems, Program, Step
from tests.inbox import fuzzed_mails
from tests.inbox.corpus import make
from tests.inbox.corpus.said import parsed

MEGABYTES = 300
"""More than this no reading takes, however many mails are read."""


def read(name: str, data: bytes) -> Program | Problems:
    return parsed(name.split("-")[1], message_reading.read(data).own)


def asked(result: Program | Problems) -> set[str]:
    """Everything that a program would do, each step by itself."""
    return set() if isinstance(result, Problems) else {text for step in result.steps for text in _texts(step)}


def _texts(step: Step) -> list[str]:
    match step:
        case Play():
            moves = [" ".join(move) for move in step.phrase.meanings(NEWEST)] if step.phrase.words else []
            return [f"#{step.phrase.number}" if step.phrase.number else "/".join(moves)]
        case Command():
            return [step.name]


@cache
def whole(name: str) -> frozenset[str]:
    return frozenset(asked(read(name, make.corpus()[name][0])))


def test_broken_mails_do_no_harm(pytestconfig: pytest.Config) -> None:
    number = pytestconfig.getoption("--fuzz-mails")
    became: Counter[str] = Counter()
    slowest = (0.0, "")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    for name, mutations, data in fuzzed_mails.fuzzed(number):
        start = time.process_time()
        try:
            result = read(name, data)
        except message_reading.UnreadableMailError:
            became["refused"] += 1
            continue
        took = time.process_time() - start
        slowest = max(slowest, (took, f"{name} {mutations} {len(data)}"))
        steps = asked(result)
        assert steps <= whole(name), (name, mutations, steps)
        if {one.__name__ for one in fuzzed_mails.KEEPING} >= set(mutations):
            assert steps == whole(name), (name, mutations, steps)
        kind = "asked back" if isinstance(result, Problems) else "moves" if result.steps else "nothing to play"
        became[kind] += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"\n{number} mails: {dict(became)}; {time.process_time() - began:.0f} s of processor,"
        f" slowest {slowest[0]:.2f} s ({slowest[1]});"
        f" at most {peak / 1024:.0f} MB, {(peak - before) / 1024:.0f} more than before"
    )
    assert (peak - before) / 1024 < MEGABYTES
    assert {"moves", "refused", "nothing to play"} <= became.keys()
