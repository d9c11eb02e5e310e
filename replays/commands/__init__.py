"""The commands of `ulm-replay`, ordered as in its help. Each has NAME, `add_arguments(parser)`, `run(args) -> int`."""

from replays.commands import audit, check, gif, moves, report, show, step

COMMANDS = (check, audit, show, step, moves, report, gif)
