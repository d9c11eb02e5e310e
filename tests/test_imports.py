"""The directions of docs/architecture.md. Which part may import which stands in pyproject.toml (import-linter)."""

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs.draw_rooms import ROOT, imports, module_name, source_files

ENGINE_STANDARD_LIBRARY = {
    *("__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "difflib", "enum"),
    *("functools", "hashlib", "hmac", "itertools", "json", "math", "operator", "re", "string", "textwrap"),
    *("types", "typing"),
}
"""No clock, no chance of its own, no files, no network: `random`, `time`, `os` and `datetime` are not among them."""

ENGINE_BUILTINS_WITH_EFFECTS = {"open", "input", "print", "exec", "eval", "__import__", "compile", "breakpoint"}

ENGINE_FILES = sorted((ROOT / "server" / "engine").rglob("*.py"))


def test_imports_run_one_way():
    """In a process of its own: import-linter sets up logging, and switches off the loggers that there are."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def impure(path: Path) -> list[str]:
    """What a file of the engine takes from elsewhere than the engine and the harmless part of the standard library."""
    foreign = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if not name.startswith("server.engine") and name.split(".")[0] not in ENGINE_STANDARD_LIBRARY
    ]
    effects = [
        f"line {node.lineno}: {node.func.id}()"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ENGINE_BUILTINS_WITH_EFFECTS
    ]
    return foreign + effects


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.name)
def test_the_engine_is_pure(path):
    assert impure(path) == []


def test_every_room_of_the_service_says_what_lives_in_it():
    for folder in {path.parent for path in (ROOT / "server" / "service").glob("*/*.py")}:
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))), folder.name


def test_importing_does_nothing(tmp_path):
    """No thread, no file, no log set-up: all modules of the server can be imported in an empty directory."""
    left_out = {"wsgi", *(["ulm.env"] if find_spec("pettingzoo") is None else [])}  # whoever tests without the extra
    modules = [
        module_name(path)
        for path in source_files()
        if "migrations" not in path.parts and not module_name(path).startswith(tuple(left_out))
    ]
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
