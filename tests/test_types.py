"""Public signatures of engine, service, replays and bots say what they take and return: no `Any` without a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path for room in ("server/engine", "server/service", "replays", "bots") for path in ROOT.glob(f"{room}/**/*.py")
)
REASON = "Any: "
Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def vague(source: str) -> Iterator[str]:
    """Each public function, class attribute and name of a module that is said to be `Any`, with no reason beside it.

    The reason stands in a comment on one of its lines or the one before, or in the text below: `Any: of the columns`.
    """
    lines = source.splitlines()

    def walk(body: list[ast.stmt], owner: str) -> Iterator[str]:
        for index, node in enumerate(body):
            if isinstance(node, Named) and node.name.startswith("_") and not node.name.startswith("__"):
                continue
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{owner}{node.name}.")
                continue
            following = body[index + 1] if index + 1 < len(body) else None
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name, end = node.name, node.body[0].lineno - 1
                said: list[ast.expr | None] = [node.returns]
                arguments = node.args
                every = [
                    *arguments.posonlyargs,
                    *arguments.args,
                    *arguments.kwonlyargs,
                    arguments.vararg,
                    arguments.kwarg,
                ]
                said += [argument.annotation for argument in every if argument is not None]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name, end, said = node.target.id, node.end_lineno or node.lineno, [node.annotation]
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, end, said = node.targets[0].id, node.end_lineno or node.lineno, [node.value]
            else:
                continue
            if name.startswith("_") and not name.startswith("__"):
                continue
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                end = following.end_lineno or end
            named = {one.id for each in said if each is not None for one in ast.walk(each) if isinstance(one, ast.Name)}
            if "Any" in named and not any(REASON in line for line in lines[max(node.lineno - 2, 0) : end]):
                yield f"line {node.lineno}: {owner}{name}"

    yield from walk(ast.parse(source).body, "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_any_without_a_reason(path: Path) -> None:
    assert list(vague(path.read_text("utf-8"))) == []


def test_what_is_vague_is_found() -> None:
    """Parameters, results, attributes and names of types; not what has a reason, nor what is private."""
    source = '''
from typing import Any

Json = Any
Row = tuple[Any, ...]  # Any: of columns
Other = dict[str, Any]
"""Any: as the kind says."""
_Own = Any


def taken(one: Any, two: int) -> None: ...
def given() -> dict[str, Any]:
    """Any: this is a docstring, not a reason."""
def both(
    one: Any,  # Any: of the library
) -> None: ...
def _private(one: Any) -> None: ...


class Thing:
    shown: list[Any]
    _hidden: Any

    def __init__(self, **more: Any) -> None: ...
    def method(self, *rest: Any) -> None: ...
    def fine(self) -> int: ...


class _Hidden:
    shown: Any
'''
    assert [line.partition(": ")[2] for line in vague(source)] == [
        "Json",
        "taken",
        "given",
        "Thing.shown",
        "Thing.__init__",
        "Thing.method",
    ]
