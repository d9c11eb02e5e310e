"""The commands of `ulm-replay`, ordered as in its help."""

from replays.commands.branch import BRANCH
from replays.commands.check import AUDIT, CHECK
from replays.commands.look import MOVES, REPORT, SHOW, STEP
from replays.commands.stats import STATS
from replays.commands.think import ANALYSE, PUZZLES

COMMANDS = (CHECK, AUDIT, SHOW, STEP, MOVES, REPORT, STATS, ANALYSE, PUZZLES, BRANCH)
