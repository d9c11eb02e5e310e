"""A server that is started anew while systemd holds its port."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit

from server.commands import client as api
from tests.live import LiveServer
from tests.together import until

PATH = "/api/v1/players/me"


class Client(threading.Thread):
    """Somebody who asks again and again, on a connection that is kept or on a new one each time; notes what failed."""

    def __init__(self, url: str, token: str, kept: bool) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._token, self._kept = token, kept
        self.answered, self.failed = 0, list[str]()
        self.enough = threading.Event()

    def run(self) -> None:
        """Ask until it is enough."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        number = 0
        while not self.enough.wait(0.02):
            number += 1
            try:
                self._connection.request("PATCH", PATH, json.dumps({"name": f"Ann {number}"}), headers)
                answer = self._connection.getresponse()
                body = answer.read()
                if answer.status == 200:
                    self.answered += 1
                else:
                    self.failed.append(f"{answer.status} {body!r}")
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(repr(error))
                self._connection.close()
            if not self._kept:
                self._connection.close()
        self._connection.close()


def test_where_the_socket_is_held_a_restart_fails_no_request(tmp_path: Path) -> None:
    """As systemd holds it (`ulm-web@.socket`), behind a proxy."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as held:
        variables = {"ULM_JOBS": "off", "ULM_PROXY_HOPS": "1", "ULM_PORT": str(held.getsockname()[1])}
        server = LiveServer(tmp_path, variables, listener=held)
        token = str(api.Client(server.url).post("/api/v1/players", {"name": "Ann"})["token"])
        clients = [Client(server.url, token, kept) for kept in (True, False, False, False)]
        for client in clients:
            client.start()
        try:
            for _ in range(2):
                before = [client.answered for client in clients]
                assert server.stop() == 0
                server = LiveServer(tmp_path, variables, listener=held)
                until(lambda before=before: all(c.answered > was + 5 for c, was in zip(clients, before, strict=True)))
        finally:
            for client in clients:
                client.enough.set()
            for client in clients:
                client.join(30)
            assert server.stop() == 0
    assert [client.failed for client in clients] == [[]] * 4
