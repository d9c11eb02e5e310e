"""The same arena on a Dask cluster."""

from __future__ import annotations

import json

import pytest

from server.cli import main

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
def test_a_cluster_of_two_workers(capsys):
    """It comes to what one process comes to; an address where nobody is is told."""
    args = ["arena", "apprentice", "random", "--deals", "2", "--json"]
    assert main([*args, "--jobs", "1"], {}) == 0
    alone = json.loads(capsys.readouterr().out)["rows"][0]["points"]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert main([*args, "--cluster", cluster.scheduler_address], {}) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["points"] == alone
