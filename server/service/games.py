"""Everything about games, under one name: what routes, commands and mail call (docs/architecture.md).

Each function owns its transaction; the modules behind are parted by what they do.
"""

from server.service.example import ensure_example
from server.service.lobby import create, fill_with_bots, join, leave
from server.service.reading import etag, legal_moves, listing, log, page, wait_for_change
from server.service.turns import play, preview, undo

__all__ = [
    "create",
    "ensure_example",
    "etag",
    "fill_with_bots",
    "join",
    "leave",
    "legal_moves",
    "listing",
    "log",
    "page",
    "play",
    "preview",
    "undo",
    "wait_for_change",
]
