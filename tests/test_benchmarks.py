"""The benchmarks run: each part once, cut short. What they measure is nobody's business here."""

from collections.abc import Callable

import pytest

from benchmarks import engine, http, rates, replays, streams
from benchmarks.timing import Figure, show
from tests.postgres import NoPostgresError


def _once(name: str, unit: str, work: Callable[[], int], note: str = "") -> Figure:
    done = work()
    assert done > 0, f"{name} did nothing"
    return Figure(name, unit, (1e-6,), note)


def test_the_engine_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(engine, "measure", _once)
    figures = list(engine.figures())
    assert {"legal_moves", "copy", "digest", "replay, digest at every ply"} <= {figure.name for figure in figures}
    show("Engine", figures)
    assert "1 000 000 plies/s" in capsys.readouterr().out


def test_the_http_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A refused POST would raise: the moves played out beforehand are those that the server takes."""
    monkeypatch.setattr(http, "ROUNDS", 1)
    monkeypatch.setattr(http, "CLIENTS", 2)
    monkeypatch.setattr(http, "SECONDS", 0.3)
    http.run()
    assert capsys.readouterr().out.count("\n  POST of a move ") == 2


@pytest.mark.slow
def test_the_rates_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be had is left out, and said."""
    for name, value in {"ROUNDS": 1, "CLIENTS": 2, "BARE_POSTS": 20}.items():
        monkeypatch.setattr(rates, name, value)
    monkeypatch.setattr(http, "SECONDS", 0.3)
    monkeypatch.setattr(rates, "Cluster", _nothing)
    rates.run()
    said = capsys.readouterr().out
    assert "POST of a move, SQLite" in said
    assert "left out: PostgreSQL: there is none" in said


def _nothing(*arguments: object, **options: str) -> None:
    raise NoPostgresError("there is none")


def test_the_streams_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(streams, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(streams, "MOVES", 6)
    streams.run((24,))
    assert "\n  24 streams" in capsys.readouterr().out


def test_the_replays_part_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "GAMES", 1)
    monkeypatch.setattr(replays, "CORPUS", 40)
    names = {figure.name for figure in replays.figures()}
    assert {"text to states, moves checked", "corpus checked, 1 process"} <= names
