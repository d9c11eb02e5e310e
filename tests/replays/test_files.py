"""Reading files, directories and streams."""

import gzip
import json
import tracemalloc

import pytest

from replays import files, reading
from replays.files import ReadError, texts
from server.engine import record
from tests.replays.conftest import GAMES, VECTORS


def test_sources_name_file_and_line(tmp_path, vectors):
    path = tmp_path / "two.jsonl"
    path.write_text(f"{record.dumps(vectors[0])}\n\n{record.dumps(vectors[1])}\n", "utf-8")
    assert [str(read.source) for read in reading.records([path])] == [f"{path}:1", f"{path}:3"]
    assert reading.one(f"{path}:3").record == vectors[1]
    with pytest.raises(ReadError, match=r"several records: name one, as in .*two\.jsonl:1"):
        reading.one(str(path))
    with pytest.raises(ReadError, match="no record here"):
        reading.one(f"{path}:2")


def test_a_directory_is_searched_in_order():
    assert [item.source.path for item in texts([GAMES])] == [str(path) for path in VECTORS]


def test_compression_is_told_by_the_bytes(tmp_path, vectors):
    path = tmp_path / "misnamed.jsonl"
    path.write_bytes(gzip.compress(record.dumps(vectors[2]).encode()))
    assert [read.record for read in reading.records([path])] == [vectors[2]]


def test_the_strict_reader_raises_at_the_first_defect(tmp_path, vectors):
    path = tmp_path / "some.jsonl"
    broken = json.loads(record.dumps(vectors[1]))
    broken["moves"][4][0] = "push N9"
    path.write_text("\n".join([record.dumps(vectors[0]), json.dumps(broken), "{}"]), "utf-8")
    found = reading.records([path], verify=True)
    assert next(found).record == vectors[0]
    with pytest.raises(ReadError) as caught:
        next(found)
    assert (caught.value.source.line, caught.value.ply) == (2, 5)


def test_memory_does_not_grow_with_the_stream(tmp_path, vectors):
    """Two thousand records, 20 MB unpacked, in less than what a few of them take."""
    path = tmp_path / "many.jsonl.gz"
    with gzip.open(path, "wt", 1) as file:
        file.writelines(record.dumps(vectors[number % 12]) + "\n" for number in range(2000))
    tracemalloc.start()
    try:
        total = sum(len(item.text or b"") for item in texts([path]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert total > 20_000_000
    assert peak < 1_000_000


def test_a_line_that_is_too_long_is_skipped_not_held(tmp_path, vectors, monkeypatch):
    monkeypatch.setattr(files, "RECORD_MOST", 50_000)
    path = tmp_path / "long.jsonl"
    good = record.dumps(vectors[0])
    path.write_text(f'"{"x" * 100_000}"\n{good}\n', "utf-8")
    items = list(texts([path]))
    assert [item.source.line for item in items] == [1, 2]
    assert "longer than 50000" in items[0].problem
    assert items[1].text == f"{good}\n".encode()


def test_a_file_that_is_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "RECORD_MOST", 50_000)
    path = tmp_path / "long.ulm.json"
    path.write_text("[" + "1," * 30_000 + "1]", "utf-8")
    assert "longer than" in next(iter(texts([path]))).problem
