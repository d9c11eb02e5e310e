"""The corpus: answers to our mails, each with what it has to be read as.

Every program answers in every language, with what `answers.json` has in turn: those are made here. Oddities stand as
files in `by_hand/`, and what each is to be read as in `expected.txt`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tests.inbox.corpus.letters import letter
from tests.inbox.corpus.programs import PROGRAMS, answered

FOLDER = Path(__file__).parent
ANSWERS = json.loads((FOLDER / "answers.json").read_text("utf-8"))
"""What people write, by language, and what it has to be read as, written by hand in the form of `said.py`."""
EACH = 3
"""So many answers of each program in each language."""


@cache
def made() -> dict[str, tuple[bytes, str]]:
    """The bytes of each that is made, and what it is to be read as, by its name."""
    found: dict[str, tuple[bytes, str]] = {}
    for language, answers in ANSWERS.items():
        for taken, program in enumerate(PROGRAMS * EACH):
            own, expected = answers[taken % len(answers)]
            number = len(found) + 1
            found[f"{number:03}-{language}-{program}"] = answered(program, own, letter(language), number), expected
    return found


@cache
def corpus() -> dict[str, tuple[bytes, str]]:
    """The same of all, those that were written by hand too."""
    lines = [line for line in (FOLDER / "expected.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    by_hand = dict(line.split(" = ", 1) for line in lines)
    return {**made(), **{name: ((FOLDER / name).read_bytes(), said) for name, said in by_hand.items()}}
