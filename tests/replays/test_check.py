"""`ulm-replay check`."""

import json

import pytest

from replays import checking
from replays.checking import advance, check, in_parallel
from replays.files import Item, ReplayError, Source
from server.engine import record
from tests.replays.conftest import GAMES, game, good, ulm_replay


def test_json_lines(save):
    data = game(2)
    data["digests"]["40"] = "0" * 16
    result = ulm_replay("check", "--json", save(data), GAMES / "vector-03.ulm.json")
    assert result.returncode == 1
    bad, fine = map(json.loads, result.stdout.decode().splitlines())
    assert (bad["valid"], bad["ply"], bad["rule"], bad["message"]) == (False, 40, None, "the digest differs")
    assert (fine["valid"], fine["ply"], fine["id"], fine["line"]) == (True, None, "vector-03", None)
    assert b"2 records checked, 1 defective" in result.stderr


def test_lines_on_standard_input(vectors):
    text = "\n".join(record.dumps(one) for one in vectors[:3]) + "\n{}\n"
    out = good("check", "-", stdin=text.encode(), code=1)
    assert "standard input:4: ply 0: 'format' is not 'ulm-record/1'" in out


@pytest.mark.parametrize("alone", [0.0, 60.0])
def test_many_records_in_order_on_several_processes(alone, vectors, monkeypatch):
    """From the first one on, or all of them here."""
    monkeypatch.setattr(checking, "ALONE", alone)
    texts = [record.dumps(vectors[number % 12]) for number in range(90)]
    for number in (7, 37, 77):
        texts[number] = texts[number].replace('"draw"', '"end"', 1)
    items = [Item(Source("x", line), text.encode()) for line, text in enumerate(texts, 1)]
    found = list(in_parallel(items, check, 2))
    assert [one.source.line for one in found] == list(range(1, 91))
    assert [one.source.line for one in found if one.message is not None] == [8, 38, 78]


def _dies(item: Item) -> None:
    import os

    os._exit(9)


def test_a_worker_that_dies_is_an_error_not_a_hang():
    items = [Item(Source("x"), b"{}")] * 40
    with pytest.raises(ReplayError, match="ended from outside"):
        list(in_parallel(items, _dies, 2, batch=1))


def test_the_first_finding_comes_before_all_is_read(monkeypatch):
    """The reader never runs far ahead of the workers."""
    handed_out = 0

    def endless():
        nonlocal handed_out
        while True:
            handed_out += 1
            yield Item(Source("x", handed_out), b"{}")

    monkeypatch.setattr(checking, "ALONE", 0.0)
    findings = in_parallel(endless(), check, 2)
    assert [next(findings).source.line for _ in range(100)] == list(range(1, 101))
    assert handed_out < 100 + 32 * (2 * 3 + 3)
    findings.close()


@pytest.mark.parametrize("args", [["check"], ["check", "-j", "0", "x"], ["nothing"], []])
def test_wrong_use_ends_with_a_code_and_no_traceback(args):
    result = ulm_replay(*args)
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def _steps(item: Item) -> Source:
    advance(7)
    return item.source


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_waits_is_told_how_far_the_work_is(jobs):
    items = [Item(Source("x", number), b"") for number in range(5)]
    told: list[int] = []
    assert list(in_parallel(items, _steps, jobs, 1, told.append)) == [item.source for item in items]
    assert sum(told) == 35
