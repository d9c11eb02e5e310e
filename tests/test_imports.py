"""The directions of docs/architecture.md: which part may import which, read from the source of every file."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from docs import draw_rooms
from docs.draw_rooms import FRAME, ROOT, ROWS, imports, module_name, source_files

BELOW_SERVICE = {
    "server.engine",
    "server.board",
    "replays",
    "bots",
    "server.language",
    "server.move_language",
    "server.settings",
    "server.addresses",
    "server.metering",
    "server.request_ids",
    "server.storage",
}

ALLOWED = {
    "server.engine": set(),
    "server.board": {"server.engine"},
    "replays": {"server.engine", "server.board", "bots"},
    "bots": {"server.engine"},
    "server.addresses": set(),
    "server.metering": set(),
    "server.request_ids": set(),
    "server.language": set(),
    "server.settings": {"server.addresses"},
    "server.logs": {"server.request_ids"},
    "server.storage": {"server.settings", "server.metering"},
    "server.move_language": {"server.engine", "server.board", "server.language"},
    "server.service": BELOW_SERVICE,
    "server.routes": {*BELOW_SERVICE, "server.service"},
    "server.notify": {*BELOW_SERVICE, "server.service"},
    "server.inbox": {*BELOW_SERVICE, "server.service"},
    "server.bot_workers": {
        "bots",
        "replays",
        "server.metering",
        "server.request_ids",
        "server.settings",
        "server.storage",
        "server.service",
    },
    "server.connections": set(),
    "server.static_cache": set(),
    "server.exchanges": {"server.static_cache"},
    "server.shared_cpu": set(),
    "server.request_threads": {"server.shared_cpu"},
    "server.wsgi_bridge": {"server.exchanges", "server.static_cache", "server.request_threads", "server.shared_cpu"},
    "server.httpd": {"server.connections", "server.shared_cpu", "server.wsgi_bridge"},
    "server.app": {
        "bots",
        "server.engine",
        "replays",
        "server.settings",
        "server.logs",
        "server.storage",
        "server.service",
        "server.routes",
        "server.notify",
    },
    "server.commands": {
        "server.engine",
        "replays",
        "bots",
        "server.settings",
        "server.logs",
        "server.metering",
        "server.storage",
        "server.service",
        "server.notify",
        "server.inbox",
        "server.bot_workers",
        "server.app",
        "server.connections",
        "server.httpd",
    },
    "server.cli": {
        "bots",
        "server.engine",
        "server.settings",
        "server.logs",
        "server.storage",
        "server.service",
        "server.commands",
    },
    "wsgi": {"server.settings", "server.logs", "server.storage", "server.service", "server.app"},
    "server": set(),  # the package itself: nothing but its docstring
}
"""Part → parts of this project that it may import. A part may always import itself."""

ENGINE_STANDARD_LIBRARY = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
    "textwrap",
    "types",
    "typing",
}
"""No clock, no chance of its own, no files, no network: `random`, `time`, `os` and `datetime` are not among them."""

ENGINE_BUILTINS_WITH_EFFECTS = {"open", "input", "print", "exec", "eval", "__import__", "compile", "breakpoint"}

FILES = source_files()


def part_of(module: str) -> str | None:
    """The part of the project that `module` belongs to; None for what is not ours."""
    ours = [part for part in ALLOWED if module == part or (part != "server" and module.startswith(part + "."))]
    return max(ours, key=len, default="server" if module.split(".")[0] == "server" else None)


def test_every_file_belongs_to_a_part():
    """A new part has to be put into ALLOWED, and with it into the architecture."""
    homeless = [
        str(path.relative_to(ROOT))
        for path in FILES
        if part_of(module_name(path)) == "server" and module_name(path) != "server"
    ]
    assert homeless == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path):
    own = part_of(module_name(path))
    assert own is not None
    wrong = [
        f"line {line}: {own} must not import {name}"
        for line, name in imports(path)
        if (part := part_of(name)) not in (None, own)
        and part not in ALLOWED[own]
        # `from server import logs` also names the bare package, which holds nothing
        and name != "server"
    ]
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sql_belongs_to_the_service(path):
    """And to the storage below it. All others know of it how times are written (`server.storage.times`), and nothing
    else."""
    if part_of(module_name(path)) in ("server.service", "server.storage"):
        return
    wrong = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if name.split(".")[0] == "peewee" or name.startswith(("server.storage.sql", "server.storage.models"))
    ]
    assert wrong == []


ENGINE_FILES = [path for path in FILES if part_of(module_name(path)) == "server.engine"]


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.name)
def test_the_engine_is_pure(path):
    tree = ast.parse(path.read_text("utf-8"))
    foreign = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if not name.startswith("server.engine") and name.split(".")[0] not in ENGINE_STANDARD_LIBRARY
    ]
    effects = [
        f"line {node.lineno}: {node.func.id}()"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ENGINE_BUILTINS_WITH_EFFECTS
    ]
    assert foreign + effects == []


ROOMS = [part.removeprefix(FRAME) for row in reversed(ROWS) for part in row if part.startswith(FRAME)]
"""The rooms of the service, each of which imports those before it and none behind it: the picture, upward."""

SERVICE_FILES = [path for path in FILES if part_of(module_name(path)) == "server.service"]


def room_of(module: str) -> str | None:
    """The room of the service that `module` is in; None for what is in none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["server", "service"] and len(parts) > 2 else None


@pytest.mark.parametrize("path", SERVICE_FILES, ids=lambda path: str(path.relative_to(ROOT / "server/service")))
def test_rooms_import_downward(path):
    own = room_of(module_name(path))
    if own is None:  # the docstring of the service itself
        assert list(imports(path)) == []
        return
    below = ROOMS[: ROOMS.index(own) + 1]
    wrong = [
        f"line {line}: {own} must not import {name}"
        for line, name in imports(path)
        if (room := room_of(name)) is not None and room not in below
    ]
    assert wrong == []


def test_every_room_says_what_lives_in_it():
    """Its docstring says in a line what it is for, and then what lives there and what may not."""
    folders = {path.parent for path in SERVICE_FILES if room_of(module_name(path))}
    assert sorted(folder.name for folder in folders) == sorted(ROOMS)
    for folder in folders:
        text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
        assert len(text.splitlines()) in (3, 4), folder.name
        assert "Here live" in text or "Here nothing" in text, folder.name
        assert " may not" in text or "Nothing here may" in text, folder.name


ROUTES = "server.routes"
ROUTES_FOLDERS = {
    "http": (),
    "api.schemas": ("http",),
    "api": ("http", "api.schemas"),
    "pages.shared": ("http",),
    "pages.game": ("http", "pages.shared"),
    "pages.learn": ("http", "pages.shared", "pages.game"),
    "pages.replay": ("http", "pages.shared", "api.schemas"),
    "pages.account": ("http", "pages.shared"),
    "pages.lobby": ("http", "pages.shared"),
    "pages.operating": ("http", "pages.shared"),
    "pages.rulebook": ("http", "pages.shared"),
}
"""Folder of the routes → folders of the routes that it may import. A folder may always import itself."""

ROUTES_FILES = [path for path in FILES if module_name(path).startswith(f"{ROUTES}.")]


def folder_of(module: str) -> str | None:
    """The folder of the routes that a module lies in; None for what registers them."""
    found = [name for name in ROUTES_FOLDERS if f"{module}.".startswith(f"{ROUTES}.{name}.")]
    return max(found, key=len, default=None)


def has_routes(path: Path) -> bool:
    """Whether a module defines a blueprint."""
    return any(
        isinstance(target, ast.Name) and target.id == "blp"
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
    )


@pytest.mark.parametrize("path", ROUTES_FILES, ids=lambda path: str(path.relative_to(ROOT / "server/routes")))
def test_folders_of_the_routes_import_one_way(path):
    own = folder_of(module_name(path))
    if own is None:  # what registers endpoints and pages, and what looks at all of them
        return
    may = (own, *ROUTES_FOLDERS[own])
    wrong = [
        f"line {line}: {own} must not import {name}"
        for line, name in imports(path)
        if name.startswith(f"{ROUTES}.") and folder_of(name) not in may
    ]
    assert wrong == []


def users_of_routes(files: list[Path]) -> list[str]:
    """Who imports a module with routes and is not the package that registers it: what several need is a helper."""
    register = {
        module_name(path): f"{ROUTES}.pages" if module_name(path).startswith(f"{ROUTES}.pages.") else ROUTES
        for path in files
        if has_routes(path)
    }
    return [
        f"{module_name(path)} imports {found}"
        for path in files
        for _, name in imports(path)
        for found in (name, name.rpartition(".")[0])
        if found in register and module_name(path) not in (found, register[found])
    ]


def test_a_module_with_routes_is_a_library_for_nobody():
    assert len([path for path in FILES if has_routes(path)]) > 20
    assert users_of_routes(FILES) == []


SHARED = {"shapes", "state", "tables", "notation", "ruleset", "sentences", "turn"}
"""What all rulesets share, in the folder of the first: types, names, words, the moves that stand alone."""


@pytest.mark.parametrize("path", sorted(set(FILES) - set(ENGINE_FILES)), ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_are_asked_of_a_ruleset(path):
    """Outside the engine nobody plays by the functions of one: a game may stand under another (`engine.rulesets`)."""
    wrong = [
        f"line {line}: ask the ruleset of the game, not {name}"
        for line, name in imports(path)
        if (parts := name.split("."))[:2] == ["server", "engine"]
        and len(parts) > 3
        and parts[2].startswith("ulm")
        and parts[3] not in SHARED
    ]
    assert wrong == []


def circles(files: dict[str, Path]) -> list[str]:
    """The modules that cannot be put into an order in which each imports only earlier ones."""
    needs = {
        name: {
            found
            for _, target in imports(path)
            for found in (target, target.rpartition(".")[0])
            if found in files and found != name and not name.startswith(found + ".")
        }
        for name, path in files.items()
    }
    done: set[str] = set()
    while ready := {name for name, others in needs.items() if name not in done and others <= done}:
        done |= ready
    return sorted(needs.keys() - done)


def test_no_module_imports_itself_by_others():
    """In all packages, whether an import is for types alone or not."""
    assert circles({module_name(path): path for path in FILES}) == []


def test_importing_does_nothing(tmp_path):
    """No thread, no file, no log set-up: all modules of the server can be imported in an empty directory."""
    modules = [module_name(path) for path in FILES if path.name != "wsgi.py" and "migrations" not in path.parts]
    code = (
        "import importlib, logging, os, sys, threading\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "assert logging.getLogger().handlers == []\n"
        "assert os.listdir('.') == [], os.listdir('.')\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_checks_see_what_they_forbid(tmp_path, monkeypatch):
    """A file that breaks each rule is found out: the checks above are not blind."""
    monkeypatch.setattr(draw_rooms, "ROOT", tmp_path)
    bad = tmp_path / "server" / "engine" / "bad.py"
    bad.parent.mkdir(parents=True)
    bad.write_text("from ..service import games\nimport random\nfrom .cards import x\n\ndef f():\n    open('x')\n")
    assert [name for _, name in imports(bad)] == ["server.service.games", "random", "server.engine.cards.x"]
    with pytest.raises(AssertionError, match=r"must not import server\.service\.games"):
        test_imports_run_one_way(bad)
    with pytest.raises(AssertionError, match=r"line 1: ser"):
        test_the_engine_is_pure(bad)
    bad.write_text("def f():\n    open('x')\n")
    with pytest.raises(AssertionError, match=r"line 2: open\(\)"):
        test_the_engine_is_pure(bad)
    bad.write_text("import random\n")
    with pytest.raises(AssertionError, match="line 1: random"):
        test_the_engine_is_pure(bad)
    one, two = bad.with_name("one.py"), bad.with_name("two.py")
    one.write_text("from server.engine.two import f\n")
    two.write_text("def f():\n    from server.engine import one\n")
    assert circles({"server.engine.one": one, "server.engine.two": two}) == ["server.engine.one", "server.engine.two"]
    up = tmp_path / "server" / "service" / "chat" / "up.py"
    up.parent.mkdir(parents=True)
    up.write_text("from server.service.views import drafts\n")
    with pytest.raises(AssertionError, match=r"chat must not import server\.service\.views"):
        test_rooms_import_downward(up)
    page = tmp_path / "server" / "routes" / "pages" / "lobby" / "page.py"
    page.parent.mkdir(parents=True)
    page.write_text("from server.routes.pages.game import panels\n")
    with pytest.raises(AssertionError, match=r"lobby must not import server\.routes\.pages\.game\.panels"):
        test_folders_of_the_routes_import_one_way(page)
    page.write_text("from server.storage import sql\n")
    with pytest.raises(AssertionError, match=r"line 1: server\.storage\.sql"):
        test_sql_belongs_to_the_service(page)
    page.write_text("from server.routes.pages.lobby.other import f\n")
    other = page.with_name("other.py")
    other.write_text("blp = Blueprint()\n")
    assert users_of_routes([page, other]) == ["server.routes.pages.lobby.page imports server.routes.pages.lobby.other"]
    assert part_of("server.routes.games") == "server.routes"
    assert part_of("server") == "server"
    assert part_of("serverless") is None
    assert part_of("flask.app") is None
