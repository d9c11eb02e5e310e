"""The corpus: answers to our mails, each with what it has to be read as.

Every program answers in every language, with what `answers.json` has in turn: those are made here. Oddities stand as
files in `by_hand/`, and what each is to be read as in `expected.txt`.
"""

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


_MADE = [
    (language, program, *answers[taken % len(answers)])
    for language, answers in ANSWERS.items()
    for taken, program in enumerate(PROGRAMS * EACH)
]
MADE = [f"{number:03}-{language}-{program}" for number, (language, program, *_) in enumerate(_MADE, 1)]
"""The names of those that are made."""
_LINES = [line for line in (FOLDER / "expected.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
BY_HAND = dict(line.split(" = ", 1) for line in _LINES)
"""Those that were written by hand, and what each is to be read as."""


@cache
def corpus() -> dict[str, tuple[bytes, str]]:
    """The bytes of each, and what it is to be read as, by its name."""
    made = {
        name: (answered(program, own, letter(language), number), expected)
        for number, (name, (language, program, own, expected)) in enumerate(zip(MADE, _MADE, strict=True), 1)
    }
    return made | {name: ((FOLDER / name).read_bytes(), said) for name, said in BY_HAND.items()}
