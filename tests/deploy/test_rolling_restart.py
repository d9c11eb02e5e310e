"""A site without containers: two servers behind a real proxy, two workers, PostgreSQL; each server is restarted while
people play, and no request fails."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.storage import sql
from server.storage.database import Store
from tests.deploy.programs import DEPLOY, nginx_conf, program
from tests.live import COUNTERS, GENEROUS, LiveServer
from tests.notify.sink import Sink
from tests.ports import Port
from tests.processes import Forked

pytestmark = pytest.mark.slow
ON_POSTGRES = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
WAIT = 60.0
API = "/api/v1"


class Front:
    """The proxy, as people reach it: on a port, by TLS where `certificate` is given, which is for ulm.example.org."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, certificate: Path | None = None) -> None:
        self.process, self.port, self._certificate = process, port, certificate

    def connection(self) -> http.client.HTTPConnection:
        """A new one."""
        made = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        if self._certificate is not None:
            plain = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
            trusted = ssl.create_default_context(cafile=str(self._certificate))
            made.sock = trusted.wrap_socket(plain, server_hostname="ulm.example.org")
        return made


class Caller:
    """Somebody with a kept connection, or a new one for each request. Any answer but 2xx is an error, as is none."""

    def __init__(self, front: Front, kept: bool = False, again: bool = False) -> None:
        self._front, self._kept, self._again = front, kept, again
        self._connection: http.client.HTTPConnection | None = None
        self.headers: http.client.HTTPMessage | None = None

    def ask(self, method: str, path: str, data: Any = None, token: str = "", **headers: str) -> Any:
        """The JSON of the answer. Nothing is sent twice, unless `again` says so for what a proxy answered by 502."""
        if self._connection is None or self._connection.sock is None:
            self._connection = self._front.connection()
        headers |= {"Host": "ulm.example.org", "Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, None if data is None else json.dumps(data), headers)
        answer = self._connection.getresponse()
        body, self.headers = answer.read(), answer.headers
        if not self._kept:
            self.close()
        if self._again and answer.status == 502 and method == "POST":
            return self.ask(method, path, data, token, **headers)
        if not 200 <= answer.status < 300:
            raise AssertionError(f"{method} {path}: {answer.status} {body!r}")
        return json.loads(body)

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()


class Table(threading.Thread):
    """The two players of one game after the other, until it is enough; what was acknowledged, and what went wrong."""

    def __init__(self, front: Front, seed: int, again: bool) -> None:
        super().__init__(daemon=True)
        self._caller, self._rng = Caller(front, seed % 2 == 0, again), random.Random(seed)
        self.acknowledged: dict[str, list[str]] = {}
        self.problems: list[str] = []
        self.enough = threading.Event()

    @property
    def moves(self) -> int:
        """So many moves were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def run(self) -> None:
        """Play. Ends at the first thing that goes wrong."""
        ask = self._caller.ask
        try:
            tokens = [ask("POST", f"{API}/players", {"name": f"Seat {seat}"})["token"] for seat in range(2)]
            while not self.enough.is_set():
                game = ask("POST", f"{API}/games", {"seats": 2}, tokens[0])["id"]
                active = ask("POST", f"{API}/games/{game}/players", {}, tokens[1])["to_move"]
                self.acknowledged[game] = done = []
                while active is not None and not self.enough.wait(0.02):
                    legal = ask("GET", f"{API}/games/{game}/legal-moves", None, tokens[active])
                    move = {"ply": legal["ply"], "moves": [self._rng.choice(legal["moves"])]}
                    answer = ask("POST", f"{API}/games/{game}/moves", move, tokens[active])
                    done.extend(move["moves"])
                    active = answer["view"]["active"]
        except (AssertionError, OSError, http.client.HTTPException) as error:
            self.problems.append(f"{type(error).__name__}: {error}")
        self._caller.close()


class Watcher(threading.Thread):
    """A page that follows a game by its stream, and comes back when it ends, as browsers do."""

    def __init__(self, front: Front, game: str, token: str) -> None:
        super().__init__(daemon=True)
        self._front, self._path, self._token = front, f"{API}/games/{game}/events", token
        self.plies: list[int] = []
        self.begun = 0
        self.enough = threading.Event()

    def run(self) -> None:
        """Listen."""
        headers = {"Host": "ulm.example.org", "Authorization": f"Bearer {self._token}"}
        while not self.enough.is_set():
            connection = self._front.connection()
            with suppress(OSError, http.client.HTTPException):
                connection.request("GET", self._path, headers=headers)
                with connection.getresponse() as answer:
                    self.begun += answer.status == 200
                    while (line := answer.readline()) and not self.enough.is_set():
                        if line.startswith(b"data:"):
                            self.plies.append(json.loads(line[5:])["ply"])
            connection.close()
            self.enough.wait(0.05)


def until(what: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + WAIT
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.02)


class Site:
    """Two servers on ports of their own, two workers, maybe a process for streams; `nginx` or `caddy` in front."""

    def __init__(self, folder: Path, database_url: str, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.sink = Sink(folder / "sink")
        stack.callback(self.sink.stop)
        self._common = {
            "ULM_DATABASE_URL": database_url,
            "ULM_BASE_URL": "https://ulm.example.org",
            "ULM_PROXY_HOPS": "1",
            "ULM_JOBS": "off",
            **COUNTERS,
            "ULM_SMTP_URL": self.sink.url,
            "ULM_MAIL_WORKERS": "0",
            "ULM_MAIL_PICTURES": "off",
            "ULM_EXAMPLE": "off",
            "ULM_ANALYSES": "off",
            **{f"ULM_{name.upper()}": str(most) for name, most in GENEROUS.items()},
        }
        self.listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1000)) for _ in range(2)]
        """Held for the servers while they are restarted, as systemd does (deploy/systemd/ulm-web@.socket)."""
        self.ports = [held.getsockname()[1] for held in self.listeners]
        self.stream_port = self._port()
        self.workers: list[Forked] = []
        self.servers: list[LiveServer] = []

    def _port(self) -> int:
        return self._stack.enter_context(Port())

    def start(self) -> None:
        """Start the servers."""
        with ThreadPoolExecutor(2) as pool:
            self.servers = list(pool.map(self.serve, range(len(self.ports))))
        self._stack.callback(lambda: [server.stop() for server in self.servers])

    def employ(self, *work: str) -> None:
        """Start workers, each for work of its own."""
        with ThreadPoolExecutor(len(work)) as pool:
            self.workers = list(pool.map(self._worker, work))

    def serve(self, number: int) -> LiveServer:
        """Start a server, and wait until it is ready."""
        server = LiveServer(
            self.folder / f"web{number}",
            {**self._common, "ULM_PORT": str(self.ports[number])},
            listener=self.listeners[number],
        )
        until(lambda: ready(self.ports[number]), f"server {number} does not get ready: {server.log()}")
        return server

    def streams(self) -> LiveServer:
        """Start a process for streams alone, and wait until it is ready."""
        variables = {**self._common, "ULM_PORT": str(self.stream_port)}
        server = LiveServer(self.folder / "streams", variables, arguments=("serve", "--only", "streams"))
        self._stack.callback(server.stop)
        until(lambda: ready(self.stream_port), f"it does not get ready: {server.log()}")
        return server

    def restart(self, number: int) -> None:
        """End a server as a service manager does, and start it again."""
        assert self.servers[number].stop() == 0
        self.servers[number] = self.serve(number)

    def _worker(self, only: str) -> Forked:
        log = self.folder / f"worker-{only}.log"
        worker = Forked(main, ["worker", "--only", only], {**self._common, "PATH": "/usr/bin:/bin"}, log)
        self._stack.callback(lambda: (worker.terminate(), worker.wait(WAIT), worker.stdout.close()))
        assert f"works on {', '.join(only.split(','))} alone" in worker.stdout.readline()
        return worker

    def nginx(self) -> Front:
        """deploy/nginx.conf in front of them."""
        plain, tls = self._port(), self._port()
        ports = [self.ports[0], self.ports[-1], self.stream_port]
        conf = nginx_conf(self.folder, plain, tls, tuple(f"127.0.0.1:{port}" for port in ports))
        command = [program("nginx"), "-e", str(self.folder / "error.log"), "-c", str(conf)]
        return self._front(command, {}, tls, self.folder / "certificate.pem")

    def caddy(self) -> Front:
        """deploy/Caddyfile in front of them."""
        port = self._port()
        environment = {
            "ULM_SITE": f"http://ulm.example.org:{port}",
            "ULM_WEB": " ".join(f"127.0.0.1:{port}" for port in self.ports),
            "ULM_LIVE": " ".join(f"127.0.0.1:{port}" for port in self.ports),
            "HOME": str(self.folder),
            "PATH": "/usr/bin:/bin",
        }
        command = [program("caddy"), "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
        return self._front(command, environment, port, None)

    def _front(self, command: list[str], environment: dict[str, str], port: int, certificate: Path | None) -> Front:
        with (self.folder / "proxy.log").open("wb") as log:
            process = subprocess.Popen(
                command, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self._stack.callback(lambda: (process.terminate(), process.wait(WAIT)))
        front = Front(process, port, certificate)

        def answers() -> bool:
            assert process.poll() is None, (self.folder / "proxy.log").read_text("utf-8")
            with suppress(OSError):
                front.connection().close()
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                return True
            return False

        until(answers, "the proxy does not answer")
        return front

    def proxy_logs(self) -> str:
        """All that the proxy has written."""
        return "".join(path.read_text("utf-8", "replace") for path in self.folder.glob("*.log"))


def ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with suppress(OSError, http.client.HTTPException), closing(connection):
        connection.request("GET", "/readyz")
        with connection.getresponse() as answer:
            return answer.status == 200
    return False


@pytest.fixture
def site(tmp_path: Path, database_url: str) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(tmp_path, database_url, stack)


@ON_POSTGRES
@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_servers_are_restarted_one_after_the_other_and_nobody_notices(site: Site, store: Store, proxy: str) -> None:
    program(proxy)  # or there is nothing to test
    if proxy == "nginx":  # each kind of work has its process: a mail goes out, a bot that thinks plays
        site.employ("mail,clocks,upkeep", "bots")
        site.start()
        front, bot = site.nginx(), "journeyman"
    else:
        site.start()
        front, bot = site.caddy(), "apprentice"
    caller = Caller(front)
    red = caller.ask(
        "POST", f"{API}/players", {"name": "Red", "email": "red@example.org"}, **{"X-Request-Id": "a" * 20}
    )
    assert caller.headers is not None
    assert caller.headers["X-Request-Id"] != "a" * 20, "what a caller writes there is believed"
    watched = caller.ask("POST", f"{API}/games", {"seats": 2, "bots": [bot]}, red["token"])["id"]
    watcher = Watcher(front, watched, red["token"])
    watcher.start()
    # Caddy (2.6) asks the next server when one refuses, but with a body that it has closed by then, and answers 502.
    # Nothing of that request was done: it is sent again, with the same ply, and would be refused otherwise.
    tables = [Table(front, seed, again=proxy == "caddy") for seed in range(4)]
    for table in tables:
        table.start()
    try:
        until(lambda: all(table.moves > 3 for table in tables), f"nobody plays: {[t.problems for t in tables]}")
        until(lambda: bool(watcher.plies), "no event came through the proxy")
        play_a_turn(caller, watched, red["token"])
        heard = Caller(front).ask("GET", f"{API}/games/{watched}", None, red["token"])["ply"]
        until(lambda: heard in watcher.plies, "the bot's turn was not told through the proxy")
        for number in (0, 1) if proxy == "nginx" else (1,):
            before = [table.moves for table in tables]
            site.restart(number)
            until(
                lambda before=before: all(t.problems or t.moves > was for t, was in zip(tables, before, strict=True)),
                "nobody plays any more",
            )
        begun = watcher.begun
        assert begun >= 2 or proxy == "caddy", "its server was restarted, so it came back"
        play_a_turn(caller, watched, red["token"])
        last = caller.ask("GET", f"{API}/games/{watched}", None, red["token"])["ply"]
        until(lambda: last in watcher.plies, "no event came after the restarts")
        if site.workers:
            assert "red@example.org" in str(site.sink.wait_for(1)[0].message["To"])
    finally:
        watcher.enough.set()
        for table in tables:
            table.enough.set()
        for table in tables:
            table.join(WAIT)
        print(f"{sum(table.moves for table in tables)} moves, {watcher.begun} streams")

    assert [table.problems for table in tables] == [[]] * 4
    for table in tables:
        for game, moves in table.acknowledged.items():
            with store.read():
                rows = sql.rows(store, "SELECT move FROM move WHERE game_id = ? AND NOT automatic ORDER BY id", game)
            assert [move for (move,) in rows] == moves, "a move was lost, or played twice"

    # What goes wrong is where proxies like to write down whole requests.
    for number in range(2):
        assert site.servers[number].stop() == 0
        site.listeners[number].close()  # or whoever connects would wait for the next server
    paths = ("/t/secret-of-a-link", "/sign-in/secret-of-a-link", "/?token=secret-of-a-link")
    for path in paths if proxy == "nginx" else paths[:1]:  # Caddy tries for seconds
        with pytest.raises(AssertionError, match=r": 50[234] "):
            caller.ask("GET", path, Referer="https://ulm.example.org/t/secret-of-a-link")
    watcher.join(WAIT)
    assert not watcher.is_alive()
    front.process.terminate()
    assert front.process.wait(WAIT) == 0
    logs = site.proxy_logs()
    assert "secret-of-a-link" not in logs
    assert red["token"] not in logs


def play_a_turn(caller: Caller, game: str, token: str) -> None:
    """Play the turn of seat 0, when it is their turn, and wait until the bot has answered."""
    ended = False
    end = time.monotonic() + WAIT
    while True:
        page = caller.ask("GET", f"{API}/games/{game}", None, token)
        if page["to_move"] != 0:
            assert time.monotonic() < end, "the bot does not answer"
            time.sleep(0.05)
        elif ended:
            return
        else:
            legal = caller.ask("GET", f"{API}/games/{game}/legal-moves", None, token)
            move = "end" if "end" in legal["moves"] else legal["moves"][0]
            caller.ask("POST", f"{API}/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, token)
            ended = move == "end"
