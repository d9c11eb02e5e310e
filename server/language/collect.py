"""`python -m server.language.collect`: gather the texts of the source into `translations/messages.pot`, update the
catalogues, and print how many texts are still to be translated."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

from server.language import DEFAULT, LANGUAGES
from server.language.catalogue import FOLDER

ROOT = Path(__file__).parent.parent.parent
TEMPLATE = FOLDER / "messages.pot"
BOARD = Path("server/board/words.json")
"""The words of the board by kinds, which are the contexts of their translations."""
TEXTS = Path("server/service/explain/texts.json")
"""Texts about the pieces and moves, which have no contexts."""
LESSONS = Path("server/service/learning/lessons.toml")
"""What the coach says: all texts in it."""
EVENTS = Path("server/board/events.json")
"""The sentences of what happened; of those with a plural there are two."""
KEYWORDS = {**DEFAULT_KEYWORDS, "plain": None, "counted": (1, 2)}
"""By which functions texts are marked; the last two in the engine, which knows nothing of catalogues."""
_HEADER = """# Texts of Ulm by mail. `make messages` keeps this file up to date with the source; translations
# are written here by hand. Names in %(…)s and in {…} have to stay as they are, tags of HTML too."""
# What changes by itself would make every update look like work.
_DATED = (
    b'"POT-Creation-Date:',
    b'"PO-Revision-Date:',
    b'"Last-Translator:',
    b'"Generated-By:',
    b'"Language-Team:',
    b'"Report-Msgid-Bugs-To:',
    b'"Project-Id-Version:',
)


def collected() -> Catalog:
    """The texts of all sources and templates, as `babel.cfg` lists them."""
    catalogue = Catalog(project="Ulm by mail", header_comment=_HEADER, charset="utf-8", fuzzy=False)
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found = extract_from_dir(
        ROOT, methods, options, KEYWORDS, ("Translators:",), strip_comment_tags=True, directory_filter=_of_the_source
    )
    for name, _line, message, comments, context in found:
        catalogue.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    for said in _strings(tomllib.loads((ROOT / LESSONS).read_text("utf-8"))):
        catalogue.add(said, locations=[(LESSONS.as_posix(), 0)])
    for texts in json.loads((ROOT / EVENTS).read_text("utf-8")).values():
        for text in texts.values():
            catalogue.add(text if isinstance(text, str) else tuple(text), locations=[(EVENTS.as_posix(), 0)])
    for kind, texts in json.loads((ROOT / BOARD).read_text("utf-8")).items():
        for text in texts.values():
            catalogue.add(text, locations=[(BOARD.as_posix(), 0)], context=f"board {kind}")
    for texts in json.loads((ROOT / TEXTS).read_text("utf-8")).values():
        for found in texts.values():
            counted = isinstance(found, dict)
            for text in [(found["one"], found["many"])] if counted else [found] if isinstance(found, str) else found:
                catalogue.add(text, locations=[(TEXTS.as_posix(), 0)])
    return catalogue


def _strings(data: object) -> Iterator[str]:
    """All texts in data of a file."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _strings(part)


def _of_the_source(folder: str | os.PathLike[str]) -> bool:
    """Whether to look into a folder: what else lies about (an environment, caches) is many times as much."""
    return Path(folder).relative_to(ROOT).parts[0] in ("server", "replays")


def stored(language: str) -> Catalog:
    """The catalogue of a language as it is on disk; an empty one when there is none."""
    path = FOLDER / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, project="Ulm by mail", header_comment=_HEADER, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def untranslated(catalogue: Catalog) -> list[str]:
    """The texts that have no translation in it, or an unsure one."""
    return [
        str(message.id if isinstance(message.id, str) else message.id[0])
        for message in catalogue
        if message.id
        and (message.fuzzy or not (all(message.string) if isinstance(message.string, list | tuple) else message.string))
    ]


def write(path: Path, catalogue: Catalog) -> None:
    """Put a catalogue into its file, in the order of the source, without places: they would change with every move."""
    text = BytesIO()
    write_po(text, catalogue, width=110, sort_by_file=True, no_location=True, ignore_obsolete=True)
    lines = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_DATED)]
    path.write_bytes(b"".join(lines))


def main() -> int:
    """Write the template and every catalogue."""
    template = collected()
    write(TEMPLATE, template)
    for language in LANGUAGES:
        if language == DEFAULT:
            continue
        catalogue = stored(language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.header_comment = _HEADER
        write(FOLDER / f"{language}.po", catalogue)
        sys.stdout.write(f"{language}: {len(untranslated(catalogue))} of {len(catalogue)} texts to be translated\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
