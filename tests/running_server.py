"""A server in a thread of this process, with an application that a test holds back."""

import http.client
import threading
from typing import Any

from server.httpd import HttpServer
from server.settings import Settings


class SlowApp:
    """A WSGI application that answers when it is told to, with `size` bytes."""

    def __init__(self, size: int = 2) -> None:
        self.size = size
        self.began = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] == "/slow":
            self.began.set()
            self.go_on.wait(120)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(self.size))])
        return [b"x" * self.size]


class Running:
    def __init__(self, app: Any, grace: float = 60, connections: int = 800, seconds: int = 30, hops: int = 0) -> None:
        self.app = app
        self.stopping = threading.Event()
        self.server = HttpServer(Settings(port=0, threads=2, proxy_hops=hops), seconds)
        self.server.connections = min(self.server.connections, connections)
        self.port = self.server.port
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.answer, args=(app, grace, self.stopping.set))
        self.thread.start()

    def get(self, path: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()
        return body

    def close(self) -> None:
        if hasattr(self.app, "go_on"):
            self.app.go_on.set()
        self.server.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()
