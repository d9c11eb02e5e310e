"""What the processes that think are given of this one's environment."""

from __future__ import annotations

import os
import sys

_OURS = "ULM_"  # how settings are called; the address of the database and secrets are among them


def environment() -> dict[str, str]:
    """Return the variables for a process that imports what this one can, and knows none of the server's settings: what
    runs there may be somebody else's bot, and it is told over its pipe all that it needs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
