"""The same arena on a Dask cluster."""

from __future__ import annotations

import json

import pytest

from replays.cli import main as replay_main
from server.cli import main
from tests.replays.conftest import GAMES

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
def test_a_cluster_of_two_workers(capsys):
    """It comes to what one process comes to; an address where nobody is is told."""
    args = ["arena", "apprentice", "random", "--deals", "2", "--json"]
    assert main([*args, "--jobs", "1"], {}) == 0
    alone = json.loads(capsys.readouterr().out)["rows"][0]["points"]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        assert main([*args, "--cluster", cluster.scheduler_address], {}) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["points"] == alone


@pytest.mark.slow
def test_records_are_checked_on_a_cluster(capsys, tmp_path):
    """What comes from a cluster is what comes from here, in order."""
    games = tmp_path / "games"
    games.mkdir()
    for number in (1, 2, 3):
        (games / f"{number}.ulm.json").write_bytes((GAMES / f"vector-{number:02}.ulm.json").read_bytes())
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        assert replay_main(["check", "--json", "-q", str(games), "--cluster", cluster.scheduler_address]) == 0
    found = [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["vector-01", "vector-02", "vector-03"]
