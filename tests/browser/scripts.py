"""What tests ask of a page in the browser's own language: the pieces of `scripts.js`."""

from __future__ import annotations

import re
from pathlib import Path

_PIECES = dict(
    re.findall(
        r"^// # (\S+)\n(?://[^\n]*\n)*(.*?)\n*(?=^// # |\Z)",
        (Path(__file__).parent / "scripts.js").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)


def script(name: str) -> str:
    """A piece by its name, for `evaluate` and `wait_for_function`. Raises `KeyError` for another name."""
    return _PIECES[name]
