"""Catalogues straight from their .po files: what translators edit is what runs, and nothing has to be compiled."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

FOLDER = Path(__file__).parent / "translations"


@lru_cache  # 23 ms each time
def of(language: str) -> NullTranslations:
    """The translations into a language (none: unchanged). Raises `ValueError` for an unreadable catalogue."""
    path = FOLDER / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    packed = BytesIO()
    write_mo(packed, catalogue)
    packed.seek(0)
    return Translations(packed, domain="messages")
