"""Replay games under the engine of two checkouts and compare every state: python .ci/compare_engines.py A B PATH…

A PATH is a .jsonl.gz or a directory of such files. Exit code 1 where anything differs, with file, line, ply and the
parts of the state. Each engine runs in processes of its own, which import nothing but that checkout's engine.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPLAY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from server.engine import record
wanted = int(sys.argv[2])
for line in sys.stdin:
    said = {"digests": [], "error": None, "result": None, "state": None}
    try:
        for step in record.replay(record.loads(line)):
            said["digests"].append(step.state.digest())
            said["result"] = step.state.scores
            if step.state.ply == wanted:
                said["state"] = step.state.to_dict()
    except Exception as error:
        said["error"] = str(error)
    print(json.dumps(said))
"""


def played(checkout: str, games: list[str], ply: int = -1) -> list[dict[str, Any]]:
    """What a checkout makes of games; the state at one ply of each, too."""
    command = [sys.executable, "-I", "-c", REPLAY, checkout, str(ply)]
    done = subprocess.run(command, input="\n".join(games), capture_output=True, text=True, check=True)  # noqa: S603
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(one: object, other: object, path: str = "") -> Iterator[str]:
    """Every part in which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif one != other:
        yield f"{path.lstrip('.')}: {json.dumps(one)} | {json.dumps(other)}"


def compared(left: str, right: str, game: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """How one game differs; [] when it does not."""
    for ply, (one, other) in enumerate(zip(ours["digests"], theirs["digests"], strict=False)):
        if one != other:
            states = [played(checkout, [game], ply)[0]["state"] for checkout in (left, right)]
            return [f"ply {ply}: the states differ", *differences(*states)]
    rest = ("error", "result")
    return list(differences({key: ours[key] for key in rest}, {key: theirs[key] for key in rest}))


def main(left: str, right: str, paths: list[str]) -> int:
    """Compare all games of all files; 1 where one differs."""
    files = [file for path in map(Path, paths) for file in (sorted(path.glob("*.gz")) if path.is_dir() else [path])]
    number = plies = differing = 0
    for file in files:
        games = gzip.decompress(file.read_bytes()).decode().splitlines()
        for line, told in enumerate(zip(games, played(left, games), played(right, games), strict=True), 1):
            found = compared(left, right, *told)
            number, plies, differing = number + 1, plies + len(told[1]["digests"]) - 1, differing + bool(found)
            for part in found:
                sys.stdout.write(f"{file}:{line}: {part}\n")
    sys.stdout.write(f"{number} games, {plies} plies, {differing} differ\n")
    return 1 if differing or not number else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
