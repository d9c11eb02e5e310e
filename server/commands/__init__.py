"""The sub-commands of `ulm`, one module each.

A module has `add_parser(subparsers)`, which adds its argparse parser and sets `module` to itself, and
`run(args, settings) -> int`, which does the work and returns the exit code. `StoreError` and `CommandError` become one
line and exit code 2. cli.py lists the modules.
"""

from __future__ import annotations


class CommandError(Exception):
    """The command cannot do its work. The message is one line and says what to change."""
