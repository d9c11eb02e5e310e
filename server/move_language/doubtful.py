"""Lines of which nobody can tell whether their writer wrote them, or a mail program broke a quoted line there.

They are handed on with a mark. As moves they are asked back; otherwise they are passed over.
"""

from __future__ import annotations

_MARK = "\ufffc "


def doubtful(line: str) -> str:
    """`line` with the mark."""
    return _MARK + line


def is_doubtful(line: str) -> bool:
    """Whether a line has the mark."""
    return line.startswith(_MARK)


def without_doubt(line: str) -> str:
    """The line as it was written."""
    return line.removeprefix(_MARK)
