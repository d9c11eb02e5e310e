"""What the documents say of the tree: files that they name are there, links lead somewhere, the picture is true."""

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

import replays.cli
import server.cli
from docs import draw_rooms

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])
FROM = (
    "",
    "server",
    "server/routes",
    "server/routes/http",
    "server/routes/api",
    "server/routes/pages",
    "server/routes/pages/templates",
    "server/notify/templates",
    "server/routes/pages/static",
    "docs",
    "clients/python/src/ulm_client",
)
"""Where a path in a document may begin."""

TREE = {path.relative_to(ROOT)
        for top in ("server", "replays", "bots", "ulm", "tests", "benchmarks", "docs", "clients", "examples", ".ci")
        for path in (ROOT / top).rglob("*") if "__pycache__" not in path.parts}  # fmt: skip


def missing(text: str, folder: Path) -> list[str]:
    """Files of the project that `text` names and links that it has, which are not there."""
    named = re.findall(r"(?<![\w/.*…])((?:[a-z_0-9]+/)+[a-z_0-9]+\.(?:py|js|css|html|svg|md))\b", text)
    linked = re.findall(r"\]\((?!https?:|/|#|mailto:)([^)]+)\)", text)
    return [
        *(name for name in named if not any(Path(start, name) in TREE for start in FROM)),
        *(link for link in linked if not leads_somewhere(folder, *link.partition("#")[::2])),
    ]


def leads_somewhere(folder: Path, link: str, anchor: str) -> bool:
    """Whether a linked file is there, and has a title of that name, if the link names one."""
    if not (folder / link).exists():
        return False
    titles = re.findall(r"^#+ (.*)$", (folder / link).read_text("utf-8"), re.MULTILINE) if anchor else []
    names = {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}
    return not anchor or anchor in names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_are_there(path: Path) -> None:
    if path.name == "CHANGELOG.md":  # tells of its time
        return
    assert missing(path.read_text("utf-8"), path.parent) == []


@pytest.mark.parametrize("path", draw_rooms.source_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_the_source_names_are_there(path: Path) -> None:
    assert missing(re.sub(r"\]\([^)]*\)", "", path.read_text("utf-8")), path.parent) == []


def test_the_picture_shows_what_imports_what() -> None:
    """`python -m docs.draw_rooms` draws it anew; it fails itself where a part would import one above it."""
    assert draw_rooms.PICTURE.read_text("utf-8") == draw_rooms.picture()


def test_what_is_not_there_is_found() -> None:
    text = "`server/engine/none.py`, `service/accounts/players.py`, [a](none.md), [b](api.md#none) and `some/x.py`"
    assert missing(text, ROOT / "docs") == ["server/engine/none.py", "some/x.py", "none.md", "api.md#none"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_command_that_installs_names_the_environment(path: Path) -> None:
    """That of `make run` and of docs/club.md has no pip of its own: `pip install …` would go elsewhere."""
    commands = re.findall(r"(?m)^ {4}(.*\bpip\b.*\binstall .*)$", path.read_text("utf-8"))
    assert [each for each in commands if "python3 -m pip --python .venv/bin/python install" not in each] == []


def commands(text: str) -> list[str]:
    """What a document has for a shell: in blocks and within lines."""
    blocks = re.findall(r"^```(?:sh|bash|console)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)
    lines = "\n".join([*blocks, *indented]).replace("\\\n", " ").splitlines()
    inline = re.findall(r"`((?:ulm|ulm-replay|make|python -m) [^`]+)`", text)
    parts = [part for line in [*lines, *inline] for part in re.split(r"\s(?:&&|\|\|?|;|>>?|#|&)(?:\s|$)|; ", line)]
    return [part.strip().removeprefix("$ ") for part in parts]


def wrong(command: str) -> str | None:
    """Why there is no such command, or it has no such option; None where there is, and where it is none of ours."""
    try:
        words = [word for word in shlex.split(re.sub(r"[(){}\[\]<]", " ", command)) if word not in ("…", "...", "=")]
    except ValueError:
        return None
    while words and (words[0] == "sudo" or re.fullmatch(r"[A-Z_]+=.*", words[0])):
        words.pop(0)
    name, *rest = words or [""]
    if name == "make":
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
        paths = [path for word in rest if "=" in word for path in word.partition("=")[2].split() if "/" in path]
        lost = [word for word in rest if word.islower() and "=" not in word and word not in targets]
        return ", ".join([*lost, *(path for path in paths if not (ROOT / path.partition("::")[0]).exists())]) or None
    if name.startswith("python") and rest[:1] == ["-m"] and (ROOT / rest[1].partition(".")[0]).is_dir():
        module = ROOT / rest[1].replace(".", "/")
        return None if module.with_suffix(".py").exists() or (module / "__main__.py").exists() else rest[1]
    if name not in ("ulm", "ulm-replay") or not rest or not rest[0].islower() or re.match(r"\S+\s\s", command):
        return None
    parser = {"ulm": server.cli.parser, "ulm-replay": replays.cli.build_parser}[name]()
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said), suppress(SystemExit):
        parser.parse_args(["7" if word.isupper() else word for word in rest])
    found = re.search(r"(invalid choice: '(?!7')[^']*'|unrecognized arguments: .*|ambiguous .*)", said.getvalue())
    return found and found[0]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_that_are_named_are_there(path: Path) -> None:
    """Those of README.md, docs/playing.md and docs/replays.md are carried out by tests of their own."""
    if path.name == "CHANGELOG.md":
        return
    found = {command: why for command in commands(path.read_text("utf-8")) if (why := wrong(command))}
    assert found == {}


def test_a_command_that_is_not_there_is_found() -> None:
    text = "    ulm arena random --no 3\n`make test ARGS='tests/api -k x'`, `ulm nobody knows`, `python -m tests.none`"
    assert all(map(wrong, commands(text)))
    assert [wrong(command) for command in commands("`ulm mail list`, `make run`, `python -m tests.chaos`")] == [
        None
    ] * 3
