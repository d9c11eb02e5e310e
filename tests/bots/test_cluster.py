"""The same arena on a Dask cluster."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from replays.cli import main as replay_main
from server.cli import main
from tests.replays.conftest import GAMES

distributed = pytest.importorskip("distributed")


def two_workers(folder: Path) -> distributed.LocalCluster:
    """A cluster on ports and in a folder of its own."""
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=str(folder / "dask")
    )


@pytest.mark.slow
def test_a_cluster_of_two_workers(capsys, tmp_path):
    """It comes to what one process comes to; an address where nobody is is told."""
    args = ["arena", "apprentice", "random", "--deals", "2", "--json"]
    assert main([*args, "--jobs", "1"], {}) == 0
    alone = json.loads(capsys.readouterr().out)["rows"][0]["points"]
    with two_workers(tmp_path) as cluster:
        assert main([*args, "--cluster", cluster.scheduler_address], {}) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["points"] == alone


@pytest.mark.slow
def test_records_are_checked_and_analysed_on_a_cluster(capsys, tmp_path):
    """What comes from a cluster is what comes from here, in order."""
    games = tmp_path / "games"
    games.mkdir()
    for number in (1, 2, 3):
        (games / f"{number}.ulm.json").write_bytes((GAMES / f"vector-{number:02}.ulm.json").read_bytes())
    with two_workers(tmp_path) as cluster:
        assert replay_main(["check", "--json", "-q", str(games), "--cluster", cluster.scheduler_address]) == 0
        found = [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]
        assert found == ["vector-01", "vector-02", "vector-03"]
        short = tmp_path / "short.jsonl"
        short.write_text(min(corpus(), key=len))
        assert replay_main(["analyse", "--json", "-q", str(short), "--cluster", cluster.scheduler_address]) == 0
    there = capsys.readouterr().out
    assert replay_main(["analyse", "--json", "-q", "--jobs", "1", str(short)]) == 0
    assert there == capsys.readouterr().out
    assert len(there.splitlines()) == 1


def corpus() -> list[str]:
    """Records of random games, some of which end soon."""
    with gzip.open(GAMES.parent.parent / "replays/corpus.jsonl.gz", "rt") as file:
        return list(file)
