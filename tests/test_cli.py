"""The `ulm` command: what it prints, how it ends, and what it says when it cannot begin."""

import signal
import socket
import urllib.request
from collections.abc import Callable

import pytest

from server.cli import main
from tests.live import LiveServer


@pytest.fixture
def live_server(start_server: Callable[..., LiveServer]) -> LiveServer:
    """A server that was started as people start it."""
    return start_server(forked=False, ULM_SHUTDOWN_SECONDS="60")


def environment(tmp_path, **more: str) -> dict[str, str]:
    return {"ULM_DATA_DIR": str(tmp_path / "data"), "ULM_PORT": "0", "ULM_EXAMPLE": "off", **more}


def get(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as response:
        response.read()
        return int(response.status)


def test_serve_prints_the_next_steps(start_server):
    server = start_server(forked=False)
    text = "".join(server.welcome)
    assert text == f"Ulm by mail listens on {server.url}\n"
    server.process.terminate()
    rest = server.process.stdout.read()
    assert f"{server.url}/api/docs" in rest
    assert "README.md" in rest
    assert str(server.data_dir / "ulm.sqlite3") in rest


def test_an_empty_database_gets_an_example_once(start_server):
    def example(server) -> str | None:
        server.process.terminate()
        found = [line.split()[-1] for line in server.process.stdout.read().splitlines() if "/replays/" in line]
        server.stop()
        return found[0].rpartition("/")[2] if found else None

    first = start_server(ULM_EXAMPLE="on")
    assert example(first)
    again = start_server(ULM_EXAMPLE="on")
    assert example(again) is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quickly_and_in_order(live_server, number):
    assert get(f"{live_server.url}/healthz") == 200
    live_server.process.send_signal(number)
    # This sends a second signal: it changes nothing. Nor does it wait the 60 seconds that running requests would have.
    assert live_server.stop(timeout=30) == 0
    assert "stopped" in live_server.log()
    assert "Traceback" not in live_server.log()


def test_migrate_is_told_apart_from_its_check(tmp_path, capsys):
    environ = environment(tmp_path)
    assert main(["db", "migrate", "--check"], environ) == 1
    assert "pending: 0001" in capsys.readouterr().out
    assert main(["db", "migrate"], environ) == 0
    assert "applied: 0001" in capsys.readouterr().out
    assert main(["db", "migrate"], environ) == 0
    assert capsys.readouterr().out == "The schema is up to date.\n"
    assert main(["db", "migrate", "--check"], environ) == 0


@pytest.mark.parametrize("words", [
    "db migrate", "db migrate --check", "verify", "verify --recount", "archive", "rulesets", "audit", "restore FILE",
    "restore --finish", "backup FILE", "links revoke", "links end abc", "replays list", "worker", "admin find ann",
    "admin errors", "mail list", "mail show 1", "mail pause", "mail resume", "mail received",
    "mail test ann@example.org",
])  # fmt: skip
def test_without_the_settings_of_the_server_nothing_is_made(words: str, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words.replace("FILE", __file__).split(), {}) == 2
    said = capsys.readouterr()
    assert "there is no " in said.err
    assert "ULM_DATA_DIR or ULM_DATABASE_URL says where it is" in said.err
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


def one_line(capsys) -> str:
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("ulm: ")
    return captured.err


def test_a_port_in_use_is_one_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve"], environment(tmp_path, ULM_PORT=port)) == 2
    line = one_line(capsys)
    assert f"cannot listen on 127.0.0.1 port {port}: address already in use; set ULM_HOST or ULM_PORT" in line


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_a_host_that_is_not_ours_is_one_line(tmp_path, capsys, host):
    assert main(["serve"], environment(tmp_path, ULM_HOST=host)) == 2
    assert f"cannot listen on {host}" in one_line(capsys)


def test_a_data_directory_that_cannot_be_made_is_one_line(tmp_path, capsys):
    (tmp_path / "data").write_text("a file")
    assert main(["serve"], environment(tmp_path)) == 2
    assert "ULM_DATA_DIR" in one_line(capsys)


def test_an_unreachable_database_is_one_line(tmp_path, capsys):
    pytest.importorskip("psycopg")
    url = "postgresql://ulm:hunter2@127.0.0.1:1/ulm"
    assert main(["serve"], environment(tmp_path, ULM_DATABASE_URL=url)) == 2
    line = one_line(capsys)
    assert "cannot reach the database postgresql://ulm@127.0.0.1:1/ulm" in line
    assert "hunter2" not in line


def test_wrong_settings_are_a_line_each(tmp_path, capsys):
    assert main(["serve"], environment(tmp_path, ULM_PORT="x", ULM_PROT="1")) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["ULM_PORT", "ULM_PROT"]


def test_without_a_command_the_usage_is_shown(capsys):
    with pytest.raises(SystemExit) as caught:
        main([], {})
    assert caught.value.code == 2
    assert "usage: ulm" in capsys.readouterr().err
