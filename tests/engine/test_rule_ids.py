"""Each rule of docs/rules.md is proved by a test that carries its id, and each id that a test carries is a rule."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parent.parent / "docs" / "rules.md"
SPAN = re.compile(r"test_([A-Z])(\d+)_to_\1(\d+)_")


def rule_ids() -> list[str]:
    """The ids of rules.md in their order: each rule begins a list item with its id."""
    return re.findall(r"^- ([A-Z]\d+)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def functions() -> dict[str, ast.FunctionDef]:
    """The test functions of this directory by name."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[node.name] = node
    return found


def ids_of(name: str) -> list[str]:
    """The ids at the head of a test's name; `V1_to_V12` stands for all of them, one parameter each."""
    span = SPAN.match(name)
    if span:
        return [f"{span[1]}{number}" for number in range(int(span[2]), int(span[3]) + 1)]
    head = re.match(r"test((?:_[A-Z]\d+)+)_", name)
    return head[1].strip("_").split("_") if head else []


def test_every_rule_has_a_test() -> None:
    """Lists the rules that no test name carries; a span such as V1_to_V12 alone is not enough."""
    proved = {rule for name in functions() if not SPAN.match(name) for rule in ids_of(name)}
    assert [rule for rule in rule_ids() if rule not in proved] == []


def test_every_id_in_a_name_is_a_rule() -> None:
    """Lists the tests that name a rule which rules.md does not have."""
    known = set(rule_ids())
    assert {name: ids_of(name) for name in functions() if not known.issuperset(ids_of(name))} == {}


def test_the_docstring_says_the_rule() -> None:
    """A test that names a rule begins its docstring with a rule or section, then what it says."""
    poor = []
    for name, node in functions().items():
        if ids_of(name):
            first = (ast.get_docstring(node) or "").split("\n")[0]
            if not re.match(r"(([A-Z]\d+|§\d+|record\.md §\d)(, )?)+: \S", first):
                poor.append(name)
    assert poor == []


def test_rules_md_is_read_whole() -> None:
    """The check itself would pass on an empty list: every letter of rules.md is there, none twice."""
    ids = rule_ids()
    assert {rule[0] for rule in ids} == set("CPTKADQWNBVLEOR")
    assert len(ids) == len(set(ids))
    for letter, last in {"K": 5, "A": 7, "Q": 9, "W": 5, "N": 9, "B": 11, "V": 12, "L": 5, "E": 6, "O": 4}.items():
        assert [rule for rule in ids if rule[0] == letter] == [f"{letter}{n}" for n in range(1, last + 1)]
