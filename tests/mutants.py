"""Which small changes of the rules no test of `tests/engine` notices: `python -m tests.mutants FOLDER`.

`cosmic-ray` makes them in a copy of the last commit in FOLDER, of which as many as are asked for are drawn by a seed,
and tries each; begun anew with the same folder it goes on. What it reports survived: a test is missing, or the change
means nothing (docs/testing.md).
"""

import argparse
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

_RULES = ("cards", "cathedral", "coats", "danube", "descendants", "game", "quarters", "scoring", "setup", "supply",
          "tower", "turn")  # fmt: skip
_TESTS = ("test_statements.py", "test_rulebook_examples.py", "test_rules_*.py", "test_vectors.py", "test_battery.py",
          "test_legality.py", "test_remaining.py", "test_views.py", "test_record.py")  # fmt: skip
"""Those that notice most come first."""


def prepare(folder: Path, number: int, seed: int) -> Path:
    """Copy the last commit into `folder`, and draw `number` mutants there; return their database."""
    database = folder / "mutants.sqlite"
    if database.exists():
        return database
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", folder], input=archive, check=True)
    tests = [str(path.relative_to(folder)) for name in _TESTS for path in sorted((folder / "tests/engine").glob(name))]
    rules = [f"server/engine/ulm1/{name}.py" for name in _RULES]
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {' '.join(tests)}"
    (folder / "mutants.toml").write_text(
        f'[cosmic-ray]\nmodule-path = {rules}\ntimeout = 200.0\nexcluded-modules = []\ntest-command = "{command}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        "utf-8",
    )
    subprocess.run(["cosmic-ray", "init", "mutants.toml", database.name], cwd=folder, check=True)
    with sqlite3.connect(database) as made:
        found = made.execute(
            "SELECT job_id FROM mutation_specs WHERE operator_name NOT LIKE '%BitOr%'"  # of types
            " ORDER BY module_path, operator_name, operator_args, occurrence"
        ).fetchall()
        drawn = random.Random(seed).sample(found, min(number, len(found)))
        made.execute("CREATE TEMP TABLE drawn (job_id)")
        made.executemany("INSERT INTO drawn VALUES (?)", drawn)
        for table in ("mutation_specs", "work_items"):
            made.execute(f"DELETE FROM {table} WHERE job_id NOT IN (SELECT job_id FROM drawn)")
    return database


def survivors(database: Path) -> list[tuple[str, str]]:
    """Where a mutant survived, and what it changed."""
    with sqlite3.connect(database) as made:
        return made.execute(
            "SELECT module_path || ' ' || definition_name, diff FROM work_results JOIN mutation_specs USING (job_id)"
            " WHERE test_outcome = 'SURVIVED' ORDER BY module_path, start_pos_row"
        ).fetchall()


def main() -> int:
    """Make mutants, try them, and print those that survived; 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=30)
    asked = parser.parse_args()
    database = prepare(asked.folder, asked.number, asked.seed)
    subprocess.run(["cosmic-ray", "exec", "mutants.toml", database.name], cwd=asked.folder, check=True)
    found = survivors(database)
    for place, diff in found:
        print(place, *(line for line in diff.splitlines()[2:] if line[0] in "+-"), sep="\n")
    print(f"{len(found)} of {asked.number} survived")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
