"""Every command of `ulm-replay` with every kind of input: one exit code for each, one line that says what is wrong."""

import gzip
import io
import json
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from replays.cli import main
from replays.commands import COMMANDS, options
from tests.replays.conftest import VECTORS, game

OUT = "OUT"
CORPUS = {
    "check": ["check", "PATH"],
    "audit": ["audit", "PATH"],
    "stats": ["stats", "PATH", "-o", f"{OUT}.json"],
    "table": ["table", "PATH", "-o", f"{OUT}.parquet"],
    "standings": ["standings", "PATH"],
}
"""Commands that read any number of records."""
SINGLE = {
    "show": ["show", "PATH", "-o", f"{OUT}.txt"], "step": ["step", "PATH"],
    "moves": ["moves", "PATH"], "report": ["report", "PATH", "-o", f"{OUT}.html"],
    "branch": ["branch", "PATH", "-o", f"{OUT}.ulm.json"],
}  # fmt: skip
"""Commands that read one."""


def test_every_command_is_in_the_tables() -> None:
    known = {words[0] for words in (*CORPUS.values(), *SINGLE.values())}
    elsewhere = {"analyse", "puzzles", "deal"}  # tests/replays/analysis, tests/service/contests
    assert {*known, *elsewhere} == {command.name for command in COMMANDS}


@dataclass(frozen=True)
class Given:
    """An input: how it is written on the command line, and what stands in the way (a part of the message)."""

    path: str
    says: str = ""


def one_line(path: Path) -> bytes:
    return json.dumps(json.loads(path.read_text("utf-8"))).encode() + b"\n"


GAME, OTHER = one_line(VECTORS[0]), one_line(VECTORS[1])
GARBAGE = bytes(range(256)) * 40


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, Given]:
    """Every kind of input by its name; messages are about the path that was given."""
    here = tmp_path / "in"
    (here / "nothing").mkdir(parents=True)
    packed, several = gzip.compress(GAME + OTHER), GAME + OTHER
    files = {
        "one.ulm.json": GAME, "one.ulm.json.gz": gzip.compress(GAME), "two.jsonl": several, "two.jsonl.gz": packed,
        "empty.jsonl": b"", "blank.jsonl.gz": gzip.compress(b"\n" * 15_000_000), "blank.jsonl": b"\n \n",
        "empty.ulm.json": b"", "empty.jsonl.gz": gzip.compress(b""),
        "cut.jsonl.gz": packed[:2000], "garbage.ulm.json": GARBAGE, "garbage.jsonl.gz": b"\x1f\x8b" + GARBAGE,
        "bad.jsonl": GAME + b'{"format": 3}\n' + OTHER, "odd.txt": GAME, "deep.ulm.json": b"{" * 50_000,
        "illegal.ulm.json": GAME.replace(b'"draw"', b'"dr\\u001b[31maw"', 3),
    }  # fmt: skip
    for name, data in files.items():
        (here / name).write_bytes(data)
    (here / "games").mkdir()
    for path in VECTORS[:2]:
        shutil.copy(path, here / "games")
    secret = here / "secret.ulm.json"
    secret.write_bytes(GAME)
    secret.chmod(0)
    says = {"missing.ulm.json": "there is no such file", "nothing": "no records under this directory",
            "empty.jsonl": "there is no record here", "blank.jsonl": "there is no record here",
            "blank.jsonl.gz": "there is no record here",
            "empty.jsonl.gz": "there is no record here", "odd.txt": "not a name of records",
            "missing.jsonl.gz:17": "there is no such file", "two.jsonl.gz:17": "there is no record here",
            "secret.ulm.json": "Permission denied", "cut.jsonl.gz": "cut off",
            "garbage.ulm.json": "", "garbage.jsonl.gz": "damaged", "empty.ulm.json": "", "bad.jsonl": "",
            "deep.ulm.json": "", "illegal.ulm.json": "31maw"}  # fmt: skip
    names = [*files, *says, "secret.ulm.json", "two.jsonl.gz:2"]
    found = {name: Given(str(here / name), says.get(name, "")) for name in [*names, "games"]}
    return {**found, "-": Given("-", "standard input: there is no record here")}


def run(words: list[str], given: Given, tmp_path: Path, capfd) -> tuple[int, str, str]:
    """Exit code, what was printed, and what went to stderr; what every end has in common is checked here."""
    out = tmp_path / "out"
    out.mkdir(exist_ok=True)
    argv = [word.replace("PATH", given.path).replace(OUT, str(out / "made")) for word in words]
    code = main(argv)
    printed, said = capfd.readouterr()
    text = printed + said
    assert "Traceback" not in text
    assert "\x1b" not in text, "what stands in a file writes to the terminal"
    assert not re.search(r"\b[A-Z]\w*(Error|Exception)\(", text), "an exception as programmers write it"
    left = sorted(path.name for path in out.iterdir())
    assert not [name for name in left if name.endswith(".part")]
    if code == 2:
        assert left == [], "what could not be done leaves nothing"
        assert said.startswith("ulm-replay: ")
        assert len(said.splitlines()) == 1
        assert len(said) < 400
    return code, printed, said


REFUSED = ["missing.ulm.json", "missing.jsonl.gz:17", "two.jsonl.gz:17", "nothing", "empty.jsonl", "blank.jsonl",
           "blank.jsonl.gz", "empty.jsonl.gz", "odd.txt", "-"]  # fmt: skip


@pytest.mark.parametrize("name", [*CORPUS, *SINGLE])
def test_what_cannot_be_read_is_2_everywhere_and_leaves_no_file(
    name: str, inputs: dict[str, Given], tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = CORPUS.get(name) or SINGLE[name]
    for kind in REFUSED if os.geteuid() == 0 else [*REFUSED, "secret.ulm.json"]:
        with open(os.devnull, encoding="utf-8") as nothing:
            monkeypatch.setattr(sys, "stdin", nothing)
            code, _printed, said = run(words, inputs[kind], tmp_path, capfd)
        assert (kind, code) == (kind, 2)
        assert inputs[kind].says in said, kind
        assert kind == "-" or inputs[kind].path.removesuffix(":17") in said


GOOD = ["one.ulm.json", "one.ulm.json.gz", "two.jsonl.gz:2"]
MANY = ["two.jsonl", "two.jsonl.gz", "games"]


@pytest.mark.parametrize("name", [*CORPUS, *(name for name in SINGLE if name != "step")])
def test_what_is_good_is_read_however_it_is_packed(name: str, inputs: dict[str, Given], tmp_path: Path, capfd) -> None:
    words = CORPUS.get(name) or SINGLE[name]
    for kind in GOOD if name in SINGLE else [*GOOD, *MANY]:
        assert (kind, run(words, inputs[kind], tmp_path, capfd)[0]) == (kind, 0)


@pytest.mark.parametrize("name", SINGLE)
def test_who_wants_one_record_is_told_of_several(name: str, inputs: dict[str, Given], tmp_path: Path, capfd) -> None:
    for kind in MANY:
        code, _printed, said = run(SINGLE[name], inputs[kind], tmp_path, capfd)
        assert (kind, code) == (kind, 2)
        assert "holds several records: name one, as in" in said


DAMAGED = ["cut.jsonl.gz", "garbage.ulm.json", "garbage.jsonl.gz", "empty.ulm.json", "deep.ulm.json",
           "illegal.ulm.json", "bad.jsonl"]  # fmt: skip


@pytest.mark.parametrize("name", [*CORPUS, "analyse", "puzzles"])
def test_a_damaged_record_among_others_is_named(name: str, inputs: dict[str, Given], tmp_path: Path, capfd) -> None:
    """1, and it is said where."""
    for kind in DAMAGED if name in CORPUS else DAMAGED[:-1]:
        if (name, kind) == ("audit", "illegal.ulm.json"):
            continue  # an audit looks at the set-up alone
        code, printed, said = run(CORPUS.get(name) or [name, "PATH"], inputs[kind], tmp_path, capfd)
        assert (kind, code) == (kind, 1)
        assert inputs[kind].path in printed + said
        assert inputs[kind].says in printed + said
        assert len(printed + said) < 3000
    assert name not in CORPUS or f"{inputs['bad.jsonl'].path}:2" in printed + said


@pytest.mark.parametrize("name", SINGLE)
def test_one_damaged_record_is_2(name: str, inputs: dict[str, Given], tmp_path: Path, capfd) -> None:
    for kind in DAMAGED[:-1]:
        code, _printed, said = run(SINGLE[name], inputs[kind], tmp_path, capfd)
        assert (kind, code) == (kind, 2)
        assert inputs[kind].path in said


class Terminal(io.TextIOWrapper):
    """Stands for standard output on a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "words", [words for words in (*CORPUS.values(), *SINGLE.values()) if words[0] != "table"], ids=" ".join
)
def test_what_names_say_commands_no_terminal(words: list[str], save, monkeypatch: pytest.MonkeyPatch) -> None:
    strange = "An\x1b[2Jn \x9b2J \x00"
    data = {**game(1), "name": strange}
    data["players"] = [{"name": strange, "bot": strange} for _ in data["players"]]
    terminal = Terminal(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "stdout", terminal)
    main([str(save(data)) if word == "PATH" else word for word in words if word != "-o" and OUT not in word])
    shown = terminal.buffer.getvalue().decode()
    assert shown or words[0] == "step"
    assert not {"\x1b", "\x9b", "\x00"} & {*shown}


@pytest.mark.parametrize(
    "words", [words for words in (*CORPUS.values(), *SINGLE.values()) if "-o" in words], ids=" ".join
)
def test_an_ending_that_is_not_written_is_refused(
    words: list[str], inputs: dict[str, Given], tmp_path: Path, capfd
) -> None:
    code, _printed, said = run([*words[:-1], f"{OUT}.pdf"], inputs["one.ulm.json"], tmp_path, capfd)
    assert (code, "writes no .pdf" in said) == (2, True)


@pytest.mark.parametrize("name", CORPUS)
def test_no_bar_where_nobody_looks(name: str, inputs: dict[str, Given], tmp_path: Path, capfd, monkeypatch) -> None:
    monkeypatch.setattr(options, "BAR_DELAY", 0.0)
    _code, printed, said = run(CORPUS[name], inputs["two.jsonl"], tmp_path, capfd)
    assert "\r" not in printed + said
    assert "|" not in said
