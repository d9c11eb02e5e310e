"""Pictures for mails, drawn once: PNG files are kept beside the database and found again by what was drawn.

Drawing takes a core for a quarter of a second. The reminder for a turn, a second try and a take-over by another
process show the same picture, which is the same for a game, a ply and a seat; its name is the hash of the SVG, so a
kept one is never stale.
"""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from server.board.png import PicturesMissingError, palette_png
from server.settings import Settings

log = logging.getLogger("ulm.mail")

_BEGIN, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


def directory(settings: Settings) -> Path:
    """Where the pictures are kept. They show hands: the directory is for the server's account alone."""
    return settings.data_dir / "pictures"


def png(settings: Settings, svg: str) -> bytes | None:
    """`svg` as a PNG, as wide as the settings say.

    None when pictures are switched off or the extra `pictures` is not installed: a mail goes without one then.
    """
    if not settings.mail_pictures:
        return None
    wide = settings.mail_picture_width
    path = directory(settings) / f"{sha256(f'{wide} {svg}'.encode()).hexdigest()[:40]}.png"
    try:
        kept = path.read_bytes()
        if kept.startswith(_BEGIN) and kept.endswith(_END):
            return kept
    except OSError:
        pass
    try:
        drawn = palette_png(svg, wide)
    except PicturesMissingError:
        return None
    _keep(path, drawn)
    return drawn


def clean_up(settings: Settings, before: datetime) -> int:
    """Remove pictures that were drawn before that; how many."""
    removed = 0
    for path in directory(settings).glob("*.png*"):
        try:
            if path.stat().st_mtime < before.timestamp():
                path.unlink()
                removed += 1
        except OSError:
            continue  # another process was faster
    return removed


def _keep(path: Path, drawn: bytes) -> None:
    """Put the file there whole or not at all. A full disk costs the next mail its time and nothing else."""
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.write_bytes(drawn)
        os.replace(unfinished, path)
    except OSError:
        log.warning("a picture could not be kept", exc_info=True)
        with suppress(OSError):
            unfinished.unlink()
