"""The sub-commands of `ulm`: functions under `@command` that return the exit code (None: 0). `CommandError`,
`StoreError` and `ServiceError` become one line and exit code 2. What several need is here; cli.py lists the modules."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import Any, NamedTuple

from tqdm import tqdm

from server.settings import Settings
from server.storage import ownership
from server.storage.database import Store, open_database, sqlite_file
from server.storage.migrate import pending

Add = Callable[[Any], object]
"""Adds an argument, or a group of them, to a parser."""
Run = Callable[[argparse.Namespace, Settings], int | None]


class CommandError(Exception):
    """The command cannot do its work. The message is one line and says what to change."""


class Command(NamedTuple):
    """A sub-command: its words (`verify`, `admin find`), what the help says, its arguments, and what it does."""

    words: str
    about: str
    arguments: tuple[Add, ...]
    run: Run
    epilog: str | None
    failed: int

    def add_to(self, subparsers: Any) -> None:
        """Add its parser."""
        name, about = self.words.split()[-1], self.about
        described = f"{about[0].upper()}{about[1:]}."
        parser = subparsers.add_parser(name, help=about, description=described, epilog=self.epilog)
        for add in self.arguments:
            add(parser)
        parser.set_defaults(run=self.run, failed=self.failed)


def command(
    words: str, about: str, *arguments: Add, epilog: str | None = None, failed: int = 2
) -> Callable[[Run], Command]:
    """Make a sub-command of the function below. `failed` is its exit code when something has to be changed first."""
    return lambda run: Command(words, about, arguments, run, epilog, failed)


def argument(*names: str, **how: Any) -> Add:
    """An argument of a command, as argparse wants it."""
    return lambda parser: parser.add_argument(*names, **how)


def one_of(*arguments: Add, required: bool = False) -> Add:
    """Arguments of which one may be given, or has to be."""

    def add(parser: Any) -> None:
        group = parser.add_mutually_exclusive_group(required=required)
        for each in arguments:
            each(group)

    return add


def number(text: str) -> int:
    """A number from 1 on, as an argument. Raises `argparse.ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit()) or not 0 < int(text[:12]) < 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


JSON = argument("--json", action="store_true", help="print JSON, for programs")


_WHERE = "ULM_DATA_DIR or ULM_DATABASE_URL says where it is, as for the server"


def require_database(settings: Settings) -> None:
    """Raise `CommandError` where there is none: without the service's settings a command would make an empty one."""
    path = sqlite_file(settings.database)
    if path is not None and ownership.is_missing(path):
        raise CommandError(f"there is no database {path}; {_WHERE} (a new one: `ulm db migrate`)")


def require_place(settings: Settings) -> None:
    """Raise `CommandError` where a database would be made in a folder that nobody named or made."""
    folder = settings.data_dir
    if not settings.database_url and folder == Settings.data_dir and not folder.is_dir():
        raise CommandError(f"there is no folder {folder.absolute()}; {_WHERE}")


@contextmanager
def up_to_date(settings: Settings, threads: int = 1) -> Iterator[Store]:
    """The database, closed behind the block. Raises `CommandError` where there is none, or not of the present
    schema."""
    require_database(settings)
    store = open_database(settings.database, threads=threads)
    try:
        if pending(store):
            raise CommandError("the schema is not up to date: run `ulm db migrate` first")
        yield store
    finally:
        store.close()


def with_database(run: Callable[[argparse.Namespace, Store], int | None]) -> Run:
    """A command that needs the database and no settings."""

    @wraps(run)
    def opened(args: argparse.Namespace, settings: Settings) -> int | None:
        with up_to_date(settings) as store:
            return run(args, store)

    return opened


def progress(what: str, total: int | None = None, unit: str = " games", quiet: bool = False) -> Any:
    """A bar on stderr, for people alone, and only when it takes longer than a second."""
    return tqdm(desc=what, unit=unit, total=total, delay=1, leave=False, disable=quiet or None)


def printable(text: str) -> str:
    """On one line: what others sent (a mail server's answer) must not write to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def say(text: str) -> None:
    """Print a line that may hold what others wrote."""
    print(printable(text))


def say_fields(fields: Mapping[str, object]) -> None:
    """Print names with what stands under them: one line each, several for a list, none for None."""
    for name, value in fields.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                say(f"{name + ':':<16} {one}")


def told(done: bool, yes: str, no: str) -> int:
    """Print what was done, or that there was nothing to do; the exit code of either."""
    print(yes if done else no)
    return 0 if done else 1


def count(number: int, one: str, many: str) -> str:
    """`1 mail is` or `2 mails are`."""
    return f"{number} {one if number == 1 else many}"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
