"""The files that describe the project agree with each other."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from server.engine.which import ENGINE

ROOT = Path(__file__).parent.parent
FILE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, WHEEL = FILE["project"], FILE["tool"]["hatch"]["build"]["targets"]["wheel"]


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9A-Za-z.]*)", line) for line in lines if line[:1] != "#"]
    assert None not in found, "constraints.txt holds names and versions alone, no addresses"
    return {normal(match[1]): match[2] for match in found if match}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_is_pinned():
    extras = PROJECT["optional-dependencies"].values()
    wanted = [*PROJECT["dependencies"], *(line for lines in extras for line in lines)]
    names = {normal(re.match(r"[A-Za-z0-9._-]+", line)[0]) for line in wanted} - {"ulm-by-mail"}
    assert names - pins().keys() == set()


def test_the_version_is_told_once():
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", "--version"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"ulm {PROJECT['version']}, {ENGINE} engine\n"


def test_each_release_has_its_own_number():
    """What the head of the changelog tells is what pip compares: a newer wheel is no "already installed"."""
    heads = re.findall(r"(?m)^## (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    numbers = [tuple(map(int, head.split("."))) for head in heads]
    assert heads[0] == PROJECT["version"]
    assert numbers == sorted(set(numbers), reverse=True)


@pytest.mark.parametrize("target", ["run", "test", "lint", "bench", "compiled", "pure"])
def test_make_knows_its_targets(target):
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_bot_of_another_package_is_checked_against_our_types(tmp_path):
    """Only where `py.typed` says that there are some does mypy look at them."""
    (tmp_path / "bot.py").write_text('from bots.offers import Offer\n\nOffer("mine", {"en": "Mine"}, "two", print)\n')
    shutil.copy(ROOT / "examples" / "ulm-bot-hasty" / "ulm_bot_hasty.py", tmp_path)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "bot.py", "ulm_bot_hasty.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'bot.py:3: error: Argument 3 to "Offer" has incompatible type "str"; expected "int"' in done.stdout
    assert "ulm_bot_hasty.py" not in done.stdout
    assert [package for package in WHEEL["packages"] if not (ROOT / package / "py.typed").exists()] == []
