"""The commands of `ulm-replay`, ordered as in its help."""

from replays.commands.check import audit, branch, check, deal, standings, stats, table
from replays.commands.look import moves, report, show, step
from replays.commands.think import analyse, puzzles

COMMANDS = (check, audit, show, step, moves, report, stats, table, standings, deal, analyse, puzzles, branch)
