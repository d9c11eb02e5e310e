"""What was read, in a line that people can read: the form of what the corpus expects."""

from collections.abc import Iterable

from server.engine.rulesets import NEWEST
from server.move_language import grammar
from server.move_language.program import Command, Phrase, Play, Problems, Program, Step
from tests.inbox.corpus.letters import letter

SHOWN_MOST = 4
PROBLEMS_MOST, LINE_MOST = 2, 60


def parsed(language: str, lines: Iterable[str]) -> Program | Problems:
    """What lines ask for below the letter in a language."""
    return grammar.parse(tuple(lines), NEWEST, [NEWEST.parse_move(text) for text in letter(language).moves])


def said(result: Program | Problems) -> str:
    """One line: steps, what is said, other text; or the lines that could not be read."""
    if isinstance(result, Problems):
        lines = [f"PROBLEM {problem.line[:LINE_MOST]}" for problem in result.problems[:PROBLEMS_MOST]]
        return "; ".join([*lines, *(["…"] if len(result.problems) > PROBLEMS_MOST else [])])
    parts = [_step(step) for step in result.steps]
    parts += [f"say “{text}”" for text in result.says]
    parts += [f"other “{' / '.join(result.other_text.split(chr(10)))}”"] if result.other_text else []
    return "; ".join(parts) or "nothing"


def _step(step: Step) -> str:
    match step:
        case Play():
            return ("then " if step.goes_on else "") + _phrase(step.phrase)
        case Command():
            return f"<{step.name}{' ' if step.steps else ''}{'; '.join(map(_step, step.steps))}>"


def _phrase(phrase: Phrase) -> str:
    texts = [" ".join(move) for move in phrase.meanings(NEWEST)] if phrase.words else []
    shown = " or ".join([*texts[:SHOWN_MOST], *(["…"] if len(texts) > SHOWN_MOST else [])])
    if phrase.number is None:
        return shown
    return f"#{phrase.number}" + (f" = {shown}" if shown else "")
