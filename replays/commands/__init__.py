"""The commands of `ulm-replay`, ordered as in its help. Each has NAME, `add_arguments(parser)`, `run(args) -> int`."""

from replays.commands import (
    analyse,
    anonymise,
    audit,
    branch,
    check,
    diff,
    gif,
    migrate,
    moves,
    puzzles,
    report,
    show,
    stats,
    step,
    timeline,
)

COMMANDS = (
    check,
    audit,
    show,
    step,
    moves,
    report,
    gif,
    timeline,
    stats,
    analyse,
    puzzles,
    diff,
    branch,
    migrate,
    anonymise,
)
