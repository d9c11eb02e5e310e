"""`python -m tests.inbox.corpus.make`: write the answers of the corpus anew, and what each is to be read as.

Every program answers in every language, with what `answers.json` has in turn; that goes to `made/`. What stands in
`by_hand/` is not touched, nor are its lines in `expected.txt`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.inbox.corpus.letters import letter
from tests.inbox.corpus.programs import PROGRAMS, packed

FOLDER = Path(__file__).parent
ANSWERS = json.loads((FOLDER / "answers.json").read_text("utf-8"))
"""What people write, by language, and what it has to be read as, written by hand in the form of `said.py`."""
EXPECTED = FOLDER / "expected.txt"
EACH = 3
"""So many answers of each program in each language."""


def made() -> Iterator[tuple[str, bytes, str]]:
    """The name, the bytes and the expected reading of each."""
    number = 0
    for language, answers in ANSWERS.items():
        taken = 0
        for times in range(EACH):
            for program in PROGRAMS:
                number += 1
                own, expected = answers[taken % len(answers)]
                taken += 1
                name = f"made/{number:03}-{language}-{program.__name__}{times + 1}.eml"
                yield name, packed(program(own, letter(language)), letter(language), number), expected


def expectations() -> dict[str, str]:
    """Name of a mail -> what it is to be read as."""
    lines = [line for line in EXPECTED.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return dict(line.split(" = ", 1) for line in lines)


def main() -> int:
    by_hand = {name: text for name, text in expectations().items() if name.startswith("by_hand/")}
    (FOLDER / "made").mkdir(exist_ok=True)
    for old in (FOLDER / "made").glob("*.eml"):
        old.unlink()
    expected: dict[str, str] = {}
    for name, data, text in made():
        (FOLDER / name).write_bytes(data)
        expected[name] = text
    lines = [
        "# What each answer of the corpus is to be read as. `made` is written by make.py out of answers.json;",
        "# `by_hand` stands here as it was written.",
        *(f"{name} = {text}" for name, text in {**expected, **dict(sorted(by_hand.items()))}.items()),
    ]
    EXPECTED.write_text("\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
