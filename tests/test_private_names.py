"""Tests see the project from outside: what begins with an underscore in it is nobody's but its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def named(node: ast.AST) -> str | None:
    """The name that a piece of source defines, if it does."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name
    return None


def defined(source: str) -> set[str]:
    """The private names of a module: functions, classes, values, methods, attributes."""
    return {name for node in ast.walk(ast.parse(source)) if (name := named(node)) and private(name)}


def reached(source: str, names: set[str]) -> Iterator[str]:
    """Where a test takes one of these names from somebody else, or hands it to somebody as a word."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if name in names:
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.ImportFrom(module=module, names=imported):
                yield from (f"{node.lineno}: {module}.{one.name}" for one in imported if one.name in names)
            case ast.Call(
                func=ast.Attribute(attr="setattr" | "delattr") | ast.Name(id="getattr" | "setattr"), args=args
            ):
                words = [one.value for one in args if isinstance(one, ast.Constant)]
                yield from (f"{node.lineno}: {word}" for word in words if word in names)


def test_no_test_reaches_for_a_private_name() -> None:
    names = {
        name
        for folder in ("server", "replays")
        for path in (ROOT / folder).rglob("*.py")
        for name in defined(path.read_text("utf-8"))
    }
    assert len(names) > 500
    found = {
        f"{path.relative_to(ROOT)}:{place}"
        for path in (ROOT / "tests").rglob("*.py")
        for place in reached(path.read_text("utf-8"), names)
    }
    assert found == set()


def test_it_would_be_seen() -> None:
    assert defined("_LIST = 1\nclass _A:\n    def _go(self):\n        self._left = _ = 2\n") == {
        "_LIST", "_A", "_go", "_left",
    }  # fmt: skip
    source = "from server.a import _b\na._c()\nself._c\npatch.setattr(a, '_c', 1)\na._other\ngetattr(a, '_b')\n"
    assert list(reached(source, {"_b", "_c"})) == ["1: server.a._b", "4: _c", "6: _b", "2: a._c"]
